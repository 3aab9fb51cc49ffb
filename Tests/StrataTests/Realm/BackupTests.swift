import Foundation
import GRDB
import Strata
import StrataStorage
import StrataTestKit
import TestKit
import Testing

@Suite struct BackupTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func configuration(
    _ folder: TestFolder, _ plan: SchemaMigrationPlan, keeping: Int = 3
  ) -> Realm.Configuration {
    var configuration = folder.plan(plan)
    configuration.migrationBackup = MigrationBackup(keeping: keeping)
    return configuration
  }

  @Test func `A file is copied before its migration and can be put back`() throws {
    try folder.makeV1()
    let before = try folder.dump()
    let configuration = configuration(folder, .all)
    _ = try Realm(configuration: configuration)
    let backups = try Realm.backups(for: configuration)
    expectEqual(backups.map(\.schemaVersion), [1])
    expectTrue(abs(backups[0].createdAt.timeIntervalSinceNow) < 60)
    expectTrue(backups[0].url.lastPathComponent.hasPrefix("test-v1-20"))
    expectEqual(backups[0].url.deletingLastPathComponent().lastPathComponent, "test-backups")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: backups[0].url.deletingLastPathComponent().path)
    expectEqual(names, [backups[0].url.lastPathComponent])

    try Realm.restoreBackup(backups[0], for: configuration)
    try expectEqual(folder.dump(), before)
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(V4.Person.self).map(\.fullName), ["Ada Lovelace", "Alan Turing"])
  }

  @Test func `Only the last copies are kept`() throws {
    try folder.makeV1()
    for count in 2...4 {
      _ = try Realm(
        configuration: configuration(
          folder, SchemaMigrationPlan(Array(SchemaMigrationPlan.all.stages[..<count])), keeping: 2))
    }
    let backups = try Realm.backups(for: configuration(folder, .all))
    expectEqual(backups.map(\.schemaVersion), [3, 2])
  }

  @Test func `Stages that commit on their own have one copy`() throws {
    try folder.makeV1()
    let plan = SchemaMigrationPlan(SchemaMigrationPlan.all.stages, commits: .eachStage)
    _ = try Realm(configuration: configuration(folder, plan))
    try expectEqual(Realm.backups(for: configuration(folder, plan)).map(\.schemaVersion), [1])
  }

  @Test func `A file that needs no migration is not copied`() throws {
    let configuration = configuration(folder, .all)
    do { _ = try Realm(configuration: configuration) }
    _ = try Realm(configuration: configuration)
    try expectTrue(Realm.backups(for: configuration).isEmpty)
  }

  @Test func `An open file is not replaced`() throws {
    try folder.makeV1()
    let configuration = configuration(folder, .all)
    let realm = try Realm(configuration: configuration)
    let backup = try #require(try Realm.backups(for: configuration).first)
    expectError(
      "Cannot restore the file '\(folder.file.path)' while it is open: release all "
        + "instances of the realm first.", code: .alreadyOpen
    ) {
      try Realm.restoreBackup(backup, for: configuration)
    }
    withExtendedLifetime(realm) {}
  }

  @Test func `A damaged copy is not put back`() throws {
    try folder.makeV1()
    let configuration = configuration(folder, .all)
    do { _ = try Realm(configuration: configuration) }
    let before = try folder.dump()
    let backup = try #require(try Realm.backups(for: configuration).first)
    var bytes = try Data(contentsOf: backup.url)
    bytes.replaceSubrange(4_096..<8_192, with: Data(repeating: 0xa5, count: 4_096))
    try bytes.write(to: backup.url)
    expectError(containing: "can't be restored from '\(backup.url.path)'") {
      try Realm.restoreBackup(backup, for: configuration)
    }
    try expectEqual(folder.dump(), before)
  }

  // MARK: Sizes of pages

  /// Makes the pages of the file another size.
  private func setPageSize(_ size: Int, of folder: TestFolder) throws {
    try folder.execute(
      "PRAGMA journal_mode = DELETE; PRAGMA page_size = \(size); VACUUM; PRAGMA journal_mode = WAL")
    try expectTrue(folder.number("PRAGMA page_size") == size)
  }

  @Test(arguments: [(4_096, 8_192), (8_192, 4_096)])
  func `A file with pages of another size is restored`(backup: Int, file: Int) throws {
    try folder.makeV1()
    try setPageSize(backup, of: folder)
    let before = try folder.dump()
    let configuration = configuration(folder, .all)
    do { _ = try Realm(configuration: configuration) }
    try setPageSize(file, of: folder)
    let copy = try #require(try Realm.backups(for: configuration).first)
    // Another program has it open.
    let other = try DatabaseQueue.otherProgram(at: folder.file)
    _ = try other.inDatabase { try Int.fetchOne($0, sql: "SELECT count(*) FROM Person") }
    try Realm.restoreBackup(copy, for: configuration)
    let names = try other.inDatabase {
      try String.fetchAll($0, sql: "SELECT firstName FROM Person ORDER BY 1")
    }
    expectEqual(names, ["Ada", "Alan"])
    try other.close()
    try expectEqual(folder.dump(), before)
    try expectTrue(Realm.problems(for: folder.plan([.version(V1.self)])).isEmpty)
    try expectTrue(folder.names().allSatisfy { !$0.contains(".copy-") })
    try expectEqual(Realm(configuration: configuration).objects(V4.Person.self).count, 2)
  }

  @Test func `A copy with pages of another size is restored where there is no file`() throws {
    try folder.makeV1()
    try setPageSize(8_192, of: folder)
    let before = try folder.dump()
    let configuration = configuration(folder, .all)
    do { _ = try Realm(configuration: configuration) }
    try Realm.deleteFiles(for: configuration)
    let copy = try #require(try Realm.backups(for: configuration).first)
    try Realm.restoreBackup(copy, for: configuration)
    try expectEqual(folder.dump(), before)
  }

  @Test(arguments: [true, false])
  func `What a killed process has left beside the file goes with the next restoring`(
    isDamaged: Bool
  ) throws {
    try folder.makeV1()
    let original = try folder.dump()
    let configuration = configuration(folder, .all)
    do { _ = try Realm(configuration: configuration) }
    if isDamaged { try Data(repeating: 7, count: 20_000).write(to: folder.file) }
    let before = try folder.names()
    let left = folder.file.appendingPathExtension("copy-\(UUID().uuidString)")
    let held = folder.file.appendingPathExtension("copy-\(UUID().uuidString)")
    for file in [left, held] {
      for end in ["", "-journal", ".lock"] {
        try Data("part".utf8).write(to: URL(fileURLWithPath: file.path + end))
      }
    }
    // Another process makes that one at the moment.
    let lock = try #require(FileLock.exclusive(held.appendingPathExtension("lock")))
    let copy = try #require(try Realm.backups(for: configuration).first)
    try Realm.restoreBackup(copy, for: configuration)
    let heldNames = ["", "-journal", ".lock"].map { held.lastPathComponent + $0 }
    try expectEqual(folder.names(), (before + heldNames).sorted())
    try expectEqual(folder.dump(), original)
    withExtendedLifetime(lock) {}
  }

  // MARK: Reasons

  /// Why a migration with a folder for copies fails.
  private func reason(_ directory: (TestFolder) throws -> URL) throws -> String {
    let folder = try TestFolder()
    try folder.makeV1()
    var configuration = configuration(folder, .all)
    let directory = try directory(folder)
    configuration.migrationBackup?.directory = directory
    let before = try folder.dump()
    let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    expectEqual(error?.code, .fileAccess)
    try expectEqual(folder.dump(), before)
    let start =
      "The file '\(folder.file.path)' can't be copied to '\(directory.path)' before its "
      + "migration from version 1: "
    let text = error?.message ?? ""
    expectTrue(text.hasPrefix(start))
    return String(text.dropFirst(start.count)).replacing(folder.url.path, with: "…")
  }

  private static let advice =
    " Nothing was migrated. Free some space, correct the folder of 'migrationBackup', or set "
    + "'migrationBackup' to nil."

  @Test func `The reason why a folder can't be made is given in words`() throws {
    try expectEqual(
      reason { $0.file }, "'…/test.sqlite' is a file, and no folder." + Self.advice)
    try expectEqual(
      reason { $0.file.appendingPathComponent("copies") },
      "The folder '…/test.sqlite/copies' can't be made: Not a directory." + Self.advice)
    let long = String(repeating: "x", count: 300)
    try expectEqual(
      reason { $0.url.appendingPathComponent(long) },
      "The folder '…/\(long)' can't be made: File name too long." + Self.advice)
  }

  @Test func `The reason why a folder can't be read is given in words`() throws {
    try folder.makeV1()
    var configuration = configuration(folder, .all)
    configuration.migrationBackup?.directory = folder.file
    expectError(
      "The folder of backups '\(folder.file.path)' can't be read: Not a directory. Correct the "
        + "folder of 'migrationBackup'."
    ) { try Realm.backups(for: configuration) }
  }

  @Test(.enabled(if: geteuid() != 0))
  func `A folder without permission is reported as such`() throws {
    let text = try reason { folder in
      let closed = folder.url.appendingPathComponent("closed")
      try FileManager.default.createDirectory(
        at: closed, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o555])
      return closed
    }
    expectTrue(text.contains("Permission denied."))
  }
}
