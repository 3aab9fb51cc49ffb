import Foundation
import GRDB
import Strata
import StrataTestKit
import Synchronization
import TestKit
import Testing

/// Migrations that are tried on a copy first.
@Suite struct RehearsalTests {
  private struct Stop: Error {}

  /// A file of version 1 with persons, whose names are long enough to fill pages.
  private func file(_ count: Int = 2_000) throws -> TestFolder {
    let folder = try TestFolder()
    try folder.makeV1()
    try folder.write(V1.self) { realm in
      for number in 0..<count {
        realm.create(
          V1.Person.self,
          value: ["firstName": "First \(number)", "lastName": "Last \(number)", "age": number])
      }
    }
    return folder
  }

  /// A place for copies, in which a test can look.
  private func place(_ folder: TestFolder) throws -> URL {
    let url = folder.url.appendingPathComponent("place", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    return url
  }

  private func expectEmpty(_ place: URL, _ location: SourceLocation = #_sourceLocation) throws {
    try expectEqual(
      FileManager.default.contentsOfDirectory(atPath: place.path), [], sourceLocation: location)
  }

  /// Opens the file, and returns its report, the WAL behind the migration, and the size afterwards.
  private func migrate(
    _ configuration: Realm.Configuration
  ) throws -> (report: MigrationReport, wal: Int, bytes: Int) {
    var configuration = configuration
    let path = try #require(configuration.fileURL).path
    let seen = Mutex<(MigrationReport, Int)?>(nil)
    configuration.didMigrate = { report in
      seen.withLock { $0 = (report, bytes(path + "-wal")) }
    }
    try autoreleasepool { _ = try Realm(configuration: configuration) }
    let (report, wal) = try #require(seen.withLock { $0 })
    return (report, wal, bytes(path))
  }

  @Test func `A rehearsal does what the migration does, and leaves the file alone`() throws {
    let folder = try file()
    let place = try place(folder)
    let before = try Data(contentsOf: folder.file)
    let rehearsal = try Realm.rehearseMigration(for: folder.plan(.all), in: place)
    try expectEqual(Data(contentsOf: folder.file), before)
    try expectEmpty(place)
    let real = try migrate(folder.plan(.all))
    expectEqual(rehearsal.reports.map(\.stages.count), [3])
    expectEqual(rehearsal.forecast.stages.map(\.to), [2, 3, 4])
    expectEqual(
      rehearsal.reports[0].stages.map(\.operations), real.report.stages.map(\.operations))
    expectEqual(rehearsal.reports[0].rows, real.report.rows)
    expectEqual(Int(rehearsal.bytesBefore), before.count)
    expectEqual(Int(rehearsal.bytes), real.bytes)
    expectEqual(Int(rehearsal.walBytes), real.wal)
    expectTrue(rehearsal.walBytes > 100_000, "\(rehearsal.walBytes)")
    expectTrue(rehearsal.duration >= rehearsal.reports[0].duration)
    expectTrue(rehearsal.problems.isEmpty)
    expectEqual(rehearsal.forecast.olderPrograms.map(\.version), [1, 2, 3])
    expectTrue(
      rehearsal.description.contains("\nThe migrated file has no problems.\n"),
      "\(rehearsal)")
    expectTrue(rehearsal.description.contains(" KB, the WAL had at most "), "\(rehearsal)")
  }

  @Test func `The error of a closure comes out, and the copy goes`() throws {
    let folder = try file(10)
    let place = try place(folder)
    let before = try Data(contentsOf: folder.file)
    let plan: SchemaMigrationPlan = [
      .version(V1.self), .version(V2.self) { _ in throw Stop() },
    ]
    #expect(throws: Stop.self) { try Realm.rehearseMigration(for: folder.plan(plan), in: place) }
    try expectEmpty(place)
    // Two persons have the same empty name.
    let duplicates: SchemaMigrationPlan = [.version(V1.self), .version(V4.self)]
    let error = #expect(throws: Realm.Error.self) {
      try Realm.rehearseMigration(for: folder.plan(duplicates), in: place)
    }
    let real = #expect(throws: Realm.Error.self) {
      try Realm(configuration: folder.plan(duplicates))
    }
    expectEqual(error?.message, real?.message)
    expectEqual(error?.code, real?.code)
    try expectEmpty(place)
    try expectEqual(Data(contentsOf: folder.file), before)
  }

  @Test func `A file that others write to is copied as of one moment, with its WAL`() throws {
    let folder = try file(10)
    let open = try Realm(configuration: folder.plan([.version(V1.self)]))
    try open.write {
      open.create(V1.Person.self, value: ["firstName": "In the", "lastName": "WAL"])
    }
    let rehearsal = try Realm.rehearseMigration(for: folder.plan(.all))
    expectEqual(rehearsal.reports[0].stages[0].classes.map(\.before), [13])
    try open.write { open.deleteAll() }
    expectEqual(try schemaVersionAtURL(folder.file), 1)
  }

  @Test func `A file that needs nothing, or another one, is rehearsed as well`() throws {
    let folder = try file(10)
    let nothing = try Realm.rehearseMigration(for: folder.plan([.version(V1.self)]))
    expectTrue(nothing.reports.isEmpty)
    expectEqual(nothing.forecast.outcome, .nothing)
    expectTrue(nothing.description.hasPrefix("Nothing was migrated.\nOpening took "), "\(nothing)")
    // The configuration names the program's own file, which isn't there.
    let other = try TestFolder()
    let rehearsal = try Realm.rehearseMigration(for: other.plan(.all), of: folder.file)
    expectEqual(rehearsal.reports.count, 1)
    expectFalse(FileManager.default.fileExists(atPath: other.file.path))
    let error = #expect(throws: Realm.Error.self) {
      try Realm.rehearseMigration(for: other.plan(.all))
    }
    expectEqual(error?.code, .fileNotFound)
    expectTrue(error?.message.contains(other.file.path) == true, "\(error?.message ?? "")")
  }

  @Test func `A damaged file is refused, and its problems are told`() throws {
    let folder = try file(10)
    folder.isDamaged = true
    let place = folder.url.appendingPathComponent("none", isDirectory: true)
    expectError(code: .fileAccess) {
      try Realm.rehearseMigration(for: folder.plan(.all), in: place)
    }
    // A link to a missing object is a problem that the file has already.
    let queue = try DatabaseQueue.otherProgram(at: folder.file)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; UPDATE Person_dogs SET value = 99")
    }
    try queue.close()
    let rehearsal = try Realm.rehearseMigration(for: folder.plan([.version(V1.self)]))
    expectEqual(rehearsal.problems.count, 1)
    expectTrue(
      rehearsal.description.contains("The migrated file has 1 problem:\n  "), "\(rehearsal)")
  }

  @Test func `Space is known before, whatever a stage does`() throws {
    for last in 2...4 {
      let folder = try file(500 * last)
      let stages = [MigrationStage.version(V1.self), .joinNames, .ageAsText, .renameAge]
      let plan = SchemaMigrationPlan(Array(stages.prefix(last)))
      let rehearsal = try Realm.rehearseMigration(for: folder.plan(plan))
      let real = try migrate(folder.plan(plan))
      expectEqual(Int(rehearsal.walBytes), real.wal)
      expectEqual(Int(rehearsal.bytes), real.bytes)
      expectEqual(
        Int(rehearsal.neededBytes), max(0, real.bytes - Int(rehearsal.bytesBefore)) + real.wal)
    }
  }
}

/// The size of a file; 0 if it isn't there.
private func bytes(_ path: String) -> Int {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : 0
}
