import Foundation
import Strata
import StrataTestKit

class LedgerAddress: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var place: LedgerPlace?
}

class LedgerPlace: EmbeddedObject {
  @Persisted var city = ""
}

class LedgerPerson: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
  @Persisted var friend: LedgerPerson?
  @Persisted var tags: List<String>
  @Persisted var marks: MutableSet<Int>
  @Persisted var notes: Map<String, String>
  @Persisted var address: LedgerAddress?
  @Persisted var others: List<LedgerAddress>
  @Persisted var value: AnyRealmValue
  @Persisted var email: String?

  override class func propertiesKeptOnDeletion() -> [String] { ["email", "value"] }
  override class func propertiesMapping() -> [String: String] { ["email": "e-mail"] }

  convenience init(_ name: String, age: Int = 0) {
    self.init()
    self.name = name
    self.age = age
  }
}

class LedgerNote: Object {
  @Persisted var text = ""
  @Persisted var person: LedgerPerson?

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

enum Ledger {
  static let types: [ObjectBase.Type] = [
    LedgerPerson.self, LedgerAddress.self, LedgerPlace.self, LedgerNote.self,
  ]
}

extension TestFolder {
  /// A configuration that keeps a history.
  func ledger(
    _ history: Realm.Configuration.History? = .init(), types: [ObjectBase.Type] = Ledger.types,
    version: UInt64 = 0, _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    var configuration = configuration(types, version: version, block)
    configuration.history = history
    return configuration
  }
}

extension Realm {
  /// The changes of all transactions that changed something, as texts:
  /// `LedgerPerson 1 updated age`.
  func changeTexts(after token: HistoryToken? = nil) throws -> [[String]] {
    try history(after: token).map(\.texts).filter { !$0.isEmpty }
  }
}

extension HistoryTransaction {
  var texts: [String] {
    changes.map { change in
      let what =
        switch change.kind {
        case .inserted: "inserted"
        case .updated(let properties, _):
          "updated \(properties.joined(separator: ", "))"
        case .deleted: "deleted"
        case .deletedAll(let count): "all \(count) deleted"
        }
      return "\(change.className.replacing("Ledger", with: "")) \(change.identity) \(what)"
    }
  }
}

/// A class with more properties than a word has bits.
class LedgerWide: Object {
  @Persisted var p1 = 0
  @Persisted var p2 = 0
  @Persisted var p3 = 0
  @Persisted var p4 = 0
  @Persisted var p5 = 0
  @Persisted var p6 = 0
  @Persisted var p7 = 0
  @Persisted var p8 = 0
  @Persisted var p9 = 0
  @Persisted var p10 = 0
  @Persisted var p11 = 0
  @Persisted var p12 = 0
  @Persisted var p13 = 0
  @Persisted var p14 = 0
  @Persisted var p15 = 0
  @Persisted var p16 = 0
  @Persisted var p17 = 0
  @Persisted var p18 = 0
  @Persisted var p19 = 0
  @Persisted var p20 = 0
  @Persisted var p21 = 0
  @Persisted var p22 = 0
  @Persisted var p23 = 0
  @Persisted var p24 = 0
  @Persisted var p25 = 0
  @Persisted var p26 = 0
  @Persisted var p27 = 0
  @Persisted var p28 = 0
  @Persisted var p29 = 0
  @Persisted var p30 = 0
  @Persisted var p31 = 0
  @Persisted var p32 = 0
  @Persisted var p33 = 0
  @Persisted var p34 = 0
  @Persisted var p35 = 0
  @Persisted var p36 = 0
  @Persisted var p37 = 0
  @Persisted var p38 = 0
  @Persisted var p39 = 0
  @Persisted var p40 = 0
  @Persisted var p41 = 0
  @Persisted var p42 = 0
  @Persisted var p43 = 0
  @Persisted var p44 = 0
  @Persisted var p45 = 0
  @Persisted var p46 = 0
  @Persisted var p47 = 0
  @Persisted var p48 = 0
  @Persisted var p49 = 0
  @Persisted var p50 = 0
  @Persisted var p51 = 0
  @Persisted var p52 = 0
  @Persisted var p53 = 0
  @Persisted var p54 = 0
  @Persisted var p55 = 0
  @Persisted var p56 = 0
  @Persisted var p57 = 0
  @Persisted var p58 = 0
  @Persisted var p59 = 0
  @Persisted var p60 = 0
  @Persisted var p61 = 0
  @Persisted var p62 = 0
  @Persisted var p63 = 0
  @Persisted var p64 = 0
  @Persisted var p65 = 0
  @Persisted var p66 = 0
  @Persisted var p67 = 0
  @Persisted var p68 = 0
  @Persisted var p69 = 0
  @Persisted var p70 = 0
}
