import Foundation
import Strata

/// Two releases of a program on one file, each as a process.
enum OldRelease {
  final class Account: Object {
    @Persisted(primaryKey: true) var key = ""
    @Persisted(indexed: true) var writer = ""
    @Persisted var number = 0
    @Persisted var amount = 0
    @Persisted var notes: List<String>
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: file, schemaVersion: 1, objectTypes: [Account.self])
    configuration.opensNewerVersions = true
    return configuration
  }
}

enum NewRelease {
  final class Account: Object {
    @Persisted(primaryKey: true) var key = ""
    @Persisted(indexed: true) var writer = ""
    @Persisted var number = 0
    @Persisted var amount = 0
    @Persisted var notes: List<String>
    @Persisted var currency = "EUR"
    @Persisted var label: String?
    @Persisted var parts: List<Part>
  }

  final class Part: EmbeddedObject {
    @Persisted var text = ""
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: file, schemaVersion: 2, objectTypes: [Account.self, Part.self])
    let label: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Account") { old, new in
        new?["label"] = "of \(old?["key"] as? String ?? "")"
      }
    }
    configuration.migrationBlock = label
    configuration.adoptsOlderWrites = label
    return configuration
  }
}

extension Job {
  /// Adds and changes accounts until it is killed. Continues with the number after the last one.
  static let oldRelease = Job(
    prepare: { file in
      let realm = try Realm(configuration: OldRelease.configuration(file))
      try realm.write { realm.create(OldRelease.Account.self, value: ["key": "first"]) }
    },
    run: { file in
      let realm = try Realm(configuration: OldRelease.configuration(file))
      let accounts = realm.objects(OldRelease.Account.self)
      let last: Int? = accounts.where { $0.writer == "old" }.max(of: \.number)
      say("ready")
      for number in (last ?? 0) + 1...1_000_000 {
        try realm.write {
          let account = realm.create(
            OldRelease.Account.self,
            value: ["key": "old \(number)", "writer": "old", "number": number])
          account.notes.append("n\(number)")
          let first = realm.object(ofType: OldRelease.Account.self, forPrimaryKey: "first")
          first?.amount += 1
        }
        say("wrote \(number)")
      }
    })

  /// The same with the newer classes.
  static let newRelease = Job(prepare: oldRelease.prepare) { file in
    let realm = try Realm(configuration: NewRelease.configuration(file))
    let accounts = realm.objects(NewRelease.Account.self)
    let last: Int? = accounts.where { $0.writer == "new" }.max(of: \.number)
    say("ready")
    for number in (last ?? 0) + 1...1_000_000 {
      try realm.write {
        let account = realm.create(
          NewRelease.Account.self,
          value: [
            "key": "new \(number)", "writer": "new", "number": number, "currency": "USD",
            "label": "of new \(number)",
          ])
        account.parts.append(NewRelease.Part(value: ["text": "p"]))
      }
      say("wrote \(number)")
    }
  }

  /// Opens the file with the newer classes, which completes what older programs have written.
  static let adoptingRelease = Job(prepare: oldRelease.prepare) { file in
    _ = try Realm(configuration: NewRelease.configuration(file))
  }

  static let releases: [String: Job] = [
    "old-release": oldRelease, "new-release": newRelease, "adopting-release": adoptingRelease,
  ]
}
