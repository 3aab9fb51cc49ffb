import Foundation
import Strata

/// Jobs of a user who is neither the owner of the file nor the administrator.
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
    "other-is-locked-out": Job(prepare: migrate.prepare) { file in
      let folder = file.deletingLastPathComponent().path
      for path in [folder, file.path] where geteuid() == 0 { chown(path, nobody, nobody) }
      dropRoot()
      let realm = try Realm(configuration: Before.configuration(file))
      // The second time the writing connection is open.
      for attempt in 1...2 {
        chmod(folder, 0)
        do {
          try realm.write { realm.create(Before.Account.self, value: ["number": -1]) }
        } catch let error as Realm.Error {
          say("refused \(error.code == .filePermissionDenied) \(error.message)")
        }
        chmod(folder, 0o755)
        try realm.write { realm.create(Before.Account.self, value: ["number": attempt]) }
      }
    },
    "other-seeds": asAnotherUser { file in
      try Job.seed.run(file)
      let realm = try Realm(configuration: Before.configuration(file))
      try realm.write { realm.create(Before.Account.self, value: ["number": 1]) }
    },
    "other-shows-a-replica": Job(prepare: migrate.prepare) { file in
      let folder = file.deletingLastPathComponent().appendingPathComponent("replica")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let publication = folder.appendingPathComponent("1.sqlite")
      try FileManager.default.copyItem(at: file, to: publication)
      try Data("1\n".utf8).write(to: folder.appendingPathComponent("current"))
      chmod(publication.path, 0o444)
      chmod(folder.path, 0o555)
      dropRoot()
      let configuration = Realm.Configuration(
        replica: .init(folder: folder), objectTypes: Before.configuration(file).objectTypes)
      let realm = try Realm(configuration: configuration)
      say(
        "rows \(realm.objects(Before.Account.self).count) of \(realm.replicaState?.version ?? "")")
      say("frozen \(realm.freeze().objects(Before.Account.self).count)")
      say("files \(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted())")
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
      for backup in try Realm.backups(for: configuration) { promise(backup.url) }
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

  /// The user whom Debian has for programs that own nothing.
  private static let nobody: uid_t = 65_534

  /// An administrator may read and write everything; from now on the process may not.
  private static func dropRoot() {
    guard geteuid() == 0 else { return }
    guard setgroups(0, nil) == 0, setgid(nobody) == 0, setuid(nobody) == 0 else {
      fatalError("The process can't become another user: \(errno)")
    }
  }
}
