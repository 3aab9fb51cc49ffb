import Foundation
import Strata

/// A file with a history.
enum Ledger {
  class Entry: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var note = ""
  }

  class Message: Object {
    @Persisted var entry = 0
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: file, objectTypes: [Entry.self, Message.self])
    configuration.history = .init()
    return configuration
  }
}

extension Job {
  /// A consumer of a history writes a message for each new entry, and how far it is.
  static let consume = Job(
    prepare: { file in
      let realm = try Realm(configuration: Ledger.configuration(file))
      for number in 1...20 {
        try realm.write { realm.create(Ledger.Entry.self, value: ["number": number]) }
      }
      try realm.write { realm.delete(realm.objects(Ledger.Entry.self).where { $0.number == 7 }) }
    },
    run: { file in
      let realm = try Realm(configuration: Ledger.configuration(file))
      try realm.consumeHistory(as: "outbox") { transactions in
        for change in transactions.flatMap({ $0.changes(of: Ledger.Entry.self) })
        where change.kind == .inserted {
          realm.create(Ledger.Message.self, value: ["entry": change.identity])
        }
      }
    })

  /// A file that exists begins a history.
  static let beginHistory = Job(prepare: migrate.prepare) { file in
    var configuration = Before.configuration(file)
    configuration.history = .init()
    _ = try Realm(configuration: configuration)
  }
}
