import Foundation
import Strata

/// Jobs that are repeated a thousand times in one process.
extension Job {
  static let openAndWrite = Job(prepare: makeSmallFile) { file in
    let realm = try Realm(configuration: Before.configuration(file))
    let account = realm.objects(Before.Account.self).first
    try realm.write { account?.amount += 1 }
  }

  /// Each time the same old file.
  static let migrateAgain = Job(prepare: { try makeSmallFile(template(of: $0)) }) { file in
    let configuration = After.configuration(file)
    _ = try Realm.deleteFiles(for: configuration)
    try FileManager.default.copyItem(at: template(of: file), to: file)
    let realm = try Realm(configuration: configuration)
    guard realm.objects(After.Person.self).count == 5 else { throw Unexpected() }
  }

  static let failInBlock = Job(prepare: makeSmallFile) { file in
    var configuration = After.configuration(file)
    configuration.migrationBlock = { migration, oldSchemaVersion in
      After.migrate(migration, oldSchemaVersion)
      throw Unexpected()
    }
    try expectFailure(configuration) { $0 is Unexpected }
  }

  static let failWithoutMigration = Job(prepare: makeSmallFile) { file in
    var configuration = After.configuration(file)
    configuration.schemaVersion = 0
    try expectFailure(configuration) { ($0 as? Realm.Error)?.code == Realm.Error.schemaMismatch }
  }

  static let failOnDamage = Job(
    prepare: { file in
      try makeSmallFile(file)
      let handle = try FileHandle(forUpdating: file)
      try handle.seek(toOffset: 100)
      try handle.write(contentsOf: Data(repeating: 0xff, count: 3_000))
      try handle.close()
    },
    run: { file in
      try expectFailure(Before.configuration(file)) {
        ($0 as? Realm.Error)?.code == Realm.Error.invalidDatabase
      }
    })

  /// One open realm; no other process reads the file.
  static let writeAgain = Job(prepare: makeSmallFile) { file in
    let realm = try kept ?? Realm(configuration: Before.configuration(file))
    kept = realm
    try realm.write {
      let accounts = realm.objects(Before.Account.self)
      for account in accounts { account.amount += 1 }
      let total: Int = accounts.sum(of: \.amount)
      let text = String(repeating: "\(total) ", count: 100)
      for draft in realm.objects(Before.Draft.self) { draft.text = text }
    }
  }

  /// The same while other threads read all the time.
  static let writeBesideReaders = Job(
    prepare: { file in
      try makeSmallFile(file)
      for _ in 0..<3 { Thread.detachNewThread { read(file) } }
    }, run: writeAgain.run)

  private static func read(_ file: URL) {
    do {
      let realm = try Realm(configuration: Before.configuration(file))
      while true {
        // All accounts get one more in each transaction.
        let total: Int = realm.objects(Before.Account.self).sum(of: \.amount)
        guard total % 20 == 10 else { throw Unexpected() }
      }
    } catch {
      say("failed \(error)")
      exit(1)
    }
  }

  /// For the test of the tests.
  static let leakOnPurpose = Job(prepare: makeSmallFile) { file in
    guard open(file.path, O_RDONLY) >= 0 else { throw Unexpected() }
  }

  private struct Unexpected: Error {}

  /// Only the main thread writes.
  nonisolated(unsafe) private static var kept: Realm?

  private static func expectFailure(
    _ configuration: Realm.Configuration, _ isExpected: (any Error) -> Bool
  ) throws {
    do {
      _ = try Realm(configuration: configuration)
    } catch  where isExpected(error) {
      return
    }
    throw Unexpected()
  }

  private static func template(of file: URL) -> URL {
    file.deletingLastPathComponent().appendingPathComponent("seed")
  }

  @Sendable private static func makeSmallFile(_ file: URL) throws {
    try Before.fill(Realm(configuration: Before.configuration(file)), people: 5, accounts: 20)
  }
}
