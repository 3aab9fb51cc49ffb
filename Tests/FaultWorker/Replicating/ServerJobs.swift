import Foundation
import Strata

/// Servers whose file another program replicates.
extension Job {
  static let replicated: [String: Job] = [
    "serve": serve, "serve-migrated": serveMigrated, "serve-observed": serveObserved,
    "restore-backup": restoreBackup, "copies": copies, "describe": describe,
  ]

  /// Moves amounts between accounts and adds one, a transaction each time, until it is killed.
  private static let serve = Job(prepare: migrate.prepare) { file in
    let realm = try Realm(configuration: Before.configuration(file))
    try serve(realm, Before.Account.self)
  }

  /// Migrates the file first.
  private static let serveMigrated = Job(prepare: migrate.prepare) { file in
    let realm = try Realm(configuration: After.configuration(file))
    try serve(realm, After.Account.self)
  }

  /// Keeps versions of the file, so that the library checkpoints the WAL at moments of its own.
  private static let serveObserved = Job(prepare: migrate.prepare) { file in
    let realm = try Realm(configuration: Before.configuration(file))
    let token = realm.objects(Before.Account.self).observe { _ in }
    defer { token.invalidate() }
    try serve(realm, Before.Account.self, keeping: { $0.freeze() })
  }

  /// - Parameter keep: Makes what is kept for a hundred transactions of each two hundred.
  private static func serve<Account: Object>(
    _ realm: Realm, _ type: Account.Type, keeping keep: ((Realm) -> Realm)? = nil
  ) throws {
    let accounts = realm.objects(type)
    let first = Int(getpid()) * 100_000
    var kept: Realm?
    for number in 1... {
      try realm.write {
        let (one, other) = (accounts[number % 50], accounts[50 + number % 50])
        one["amount"] = one["amount"] as! Int - number
        other["amount"] = other["amount"] as! Int + number
        realm.create(type, value: ["number": first + number, "amount": 0])
      }
      if number % 100 == 0 { kept = number % 200 == 0 ? nil : keep?(realm) }
      say("wrote \(number)")
    }
    withExtendedLifetime(kept) {}
  }

  /// Puts an older state of the file in its place.
  private static let restoreBackup = Job(prepare: migrate.prepare) { file in
    let copy = file.appendingPathExtension("backup")
    let configuration = Before.configuration(file)
    try Realm.makeBackup(at: copy, for: configuration)
    try write.run(file)
    try Realm.restoreBackup(at: copy, for: configuration)
    try FileManager.default.removeItem(at: copy)
  }

  /// Copies the file in each way while it is written to.
  private static let copies = Job(prepare: migrate.prepare) { file in
    let copies = ["a", "b"].map { file.appendingPathExtension($0) }
    try write.run(file)
    let realm = try Realm(configuration: Before.configuration(file))
    try realm.writeCopy(toFile: copies[0])
    try realm.write { realm.create(Before.Account.self, value: ["number": 1]) }
    try Realm.makeBackup(at: copies[1], for: realm.configuration)
    for copy in copies { try FileManager.default.removeItem(at: copy) }
  }

  /// Says what the library thinks of a file: its problems, and the versions that it was at.
  private static let describe = Job(prepare: { _ in }) { file in
    let configuration = Before.configuration(file)
    for problem in try Realm.problems(for: configuration) { say("problem \(problem)") }
    for version in try Realm.migrationHistory(at: file) {
      say("version \(version.version) at \(version.migratedAt.timeIntervalSince1970)")
    }
  }
}
