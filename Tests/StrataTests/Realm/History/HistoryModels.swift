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
