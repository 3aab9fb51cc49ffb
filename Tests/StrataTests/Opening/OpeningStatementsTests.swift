import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// The number of times that an opening reads a file's catalog, and the number of its connections.
@Suite("The statements of an opening")
struct OpeningStatementsTests {
  enum V1 {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var email: String?
      @Persisted var city: String?
    }
  }

  private static let catalog = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
  private static let version = "SELECT version, schema FROM strata_schema_version"

  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// The statements of an opening that closes the file again.
  private func statements(
    _ types: [ObjectBase.Type], version: UInt64 = 0, _ block: MigrationBlock? = nil
  ) throws -> [StatementLog.Line] {
    try StatementLog.lines(on: folder.file) {
      try Realm.performMigration(for: folder.configuration(types, version: version, block))
    }
  }

  @Test func `A file that needs nothing is read once`() throws {
    try folder.open([V0.Person.self]) { _ in }
    let lines = try statements([V0.Person.self])
    expectEqual(lines.beginning(Self.catalog).count, 1)
    expectEqual(lines.beginning(Self.version).count, 1)
    expectTrue(lines.beginning("BEGIN IMMEDIATE").isEmpty)
    expectTrue(lines.beginning("PRAGMA journal_mode").isEmpty)
  }

  @Test func `A file that gets a column is changed by the connection that has looked at it`() throws
  {
    try folder.open([V0.Person.self]) { _ in }
    let lines = try statements([V1.Person.self], version: 1)
    let looks = lines.beginning(Self.catalog)
    // Before the lock, and once more after the statement that changed it.
    expectEqual(looks.count, 2)
    expectEqual(lines.beginning(Self.version).count, 1)
    let alter = try #require(lines.beginning("ALTER TABLE").first)
    expectTrue(looks.allSatisfy { $0.connection == alter.connection })
  }

  @Test func `Nothing is read again when a migration is committed`() throws {
    try folder.open([V0.Person.self]) { _ in }
    let lines = try statements([V1.Person.self], version: 1)
    let commit = try #require(lines.lastIndex { $0.sql.hasPrefix("COMMIT") })
    let later = Array(lines[commit...])
    expectTrue(later.beginning(Self.catalog).isEmpty)
    expectTrue(later.beginning(Self.version).isEmpty)
    expectFalse(later.beginning("PRAGMA foreign_keys = ON").isEmpty)
  }

  @Test func `A new file is made in one transaction, and not read afterwards`() throws {
    let lines = try statements([V0.Person.self])
    expectEqual(lines.beginning("BEGIN IMMEDIATE").count, 1)
    let begin = try #require(lines.firstIndex { $0.sql.hasPrefix("BEGIN IMMEDIATE") })
    let commit = try #require(lines.lastIndex { $0.sql.hasPrefix("COMMIT") })
    for (index, line) in lines.enumerated() where line.sql.hasPrefix("CREATE TABLE") {
      expectTrue(begin < index && index < commit)
    }
    expectTrue(Array(lines[commit...]).beginning(Self.catalog).isEmpty)
  }

  @Test func `A closure reads old rows on a connection of their own`() throws {
    try folder.write([V0.Person.self]) { realm in
      realm.create(V0.Person.self, value: ["name": "Ada"])
    }
    let names = Box<[String]>([])
    let lines = try statements([V1.Person.self], version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, _ in names.append(old!["name"]!) }
    }
    expectEqual(names.value, ["Ada"])
    let alter = try #require(lines.beginning("ALTER TABLE").first)
    let rows = try #require(lines.beginning("SELECT t.\"_id\"").first)
    expectTrue(alter.connection != rows.connection)
  }

  /// Opening a connection takes longer than looking at a few pages.
  @Test func `The old rows of a small file are checked by the connection that has read them`()
    throws
  {
    try folder.write([V0.Person.self]) { realm in realm.create(V0.Person.self) }
    let lines = try statements([V1.Person.self], version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, _ in }
    }
    let checks = lines.beginning("PRAGMA quick_check")
    expectEqual(checks.map(\.sql), ["PRAGMA quick_check(\"Person\")"])
    let rows = try #require(lines.beginning("SELECT t.\"_id\"").first)
    expectEqual(checks.first?.connection, rows.connection)
  }

  /// It goes on to be readable where its file loses its name.
  @Test func `A realm has a connection that reads, also when opening it has changed the file`()
    throws
  {
    let lines = try StatementLog.lines(on: folder.file) {
      try folder.open([V0.Person.self]) { realm in
        for name in ["", "-wal", "-shm"] {
          expectEqual(unlink(folder.file.path + name), 0)
        }
        expectTrue(realm.objects(V0.Person.self).isEmpty)
      }
    }
    let write = try #require(lines.beginning("BEGIN IMMEDIATE").first)
    expectTrue(
      lines.beginning("PRAGMA query_only = 1").contains { $0.connection != write.connection })
    expectFalse(FileManager.default.fileExists(atPath: folder.file.path))
  }

  /// The connection that looks may not write, until it must.
  @Test func `A realm that needed nothing opens another connection to write`() throws {
    try folder.open([V0.Person.self]) { _ in }
    let lines = try StatementLog.lines(on: folder.file) {
      try folder.open([V0.Person.self]) { realm in
        expectTrue(realm.objects(V0.Person.self).isEmpty)
        try realm.write { realm.create(V0.Person.self) }
      }
    }
    let look = try #require(lines.beginning(Self.catalog).first)
    let write = try #require(lines.beginning("BEGIN IMMEDIATE").first)
    expectTrue(look.connection != write.connection)
    expectFalse(
      lines.beginning("PRAGMA query_only = 0").contains { $0.connection == look.connection })
  }
}
