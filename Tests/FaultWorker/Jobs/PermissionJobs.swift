import Foundation
import Strata

/// What a user does who is not the owner of the file, nor the administrator.
extension Job {
  static let asAnotherUser: [String: Job] = [
    "other-opens": asAnotherUser { file in
      let realm = try Realm(configuration: Before.configuration(file))
      say("opened")
      try realm.write { realm.create(Before.Account.self, value: ["number": 1]) }
    },
    "other-reads": asAnotherUser { file in
      var configuration = Before.configuration(file)
      configuration.readOnly = true
      let realm = try Realm(configuration: configuration)
      say("rows \(realm.objects(Before.Account.self).count)")
      say("again \(try Realm(configuration: configuration).objects(Before.Account.self).count)")
    },
    "other-asks": asAnotherUser { file in
      let configuration = Before.configuration(file)
      say("version \(try schemaVersionAtURL(file))")
      say("history \(try Realm.migrationHistory(at: file).count)")
      say("problems \(try Realm.problems(for: configuration))")
      say("plan \(try Realm.migrationForecast(for: After.configuration(file)).to)")
    },
    "other-seeds": asAnotherUser { file in
      try Job.seed.run(file)
      let realm = try Realm(configuration: Before.configuration(file))
      try realm.write { realm.create(Before.Account.self, value: ["number": 1]) }
    },
    "hold": Job(prepare: migrate.prepare) { file in
      let realm = try Realm(configuration: Before.configuration(file))
      try realm.write { realm.create(Before.Account.self, value: ["number": 1]) }
      say("ready")
      _ = readLine()
      _ = realm
    },
    "migrate-with-backup": Job(prepare: migrate.prepare) { file in
      var configuration = After.configuration(file)
      configuration.migrationBackup = MigrationBackup()
      _ = try Realm(configuration: configuration)
    },
    "restore": Job(prepare: migrate.prepare) { file in
      let configuration = Before.configuration(file)
      guard let backup = try Realm.backups(for: configuration).first else { return }
      try Realm.restoreBackup(backup, for: configuration)
    },
  ]

  private static func asAnotherUser(_ body: @escaping @Sendable (URL) throws -> Void) -> Job {
    Job(prepare: migrate.prepare) { file in
      dropRoot()
      try body(file)
    }
  }

  /// An administrator may read and write everything; from now on the process may not.
  private static func dropRoot() {
    guard geteuid() == 0 else { return }
    let nobody: uid_t = 65_534
    guard setgroups(0, nil) == 0, setgid(nobody) == 0, setuid(nobody) == 0 else {
      fatalError("The process can't become another user: \(errno)")
    }
  }
}
