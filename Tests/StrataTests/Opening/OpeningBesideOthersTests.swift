import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Another process that changes a file after an opening has read it, and before it has the lock.
@Suite("Opening while others write")
struct OpeningBesideOthersTests {
  enum V1 {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var email: String?
      @Persisted var city: String?
    }
  }

  /// Works once as another process when a migration begins, which is before it has the lock.
  private final class Other: RealmActivityObserver {
    private let work: @Sendable () throws -> Void
    private let hasWorked = Box(false)

    init(work: @escaping @Sendable () throws -> Void) { self.work = work }

    func willBegin(_ activity: RealmActivity) -> (any Sendable)? {
      guard activity.kind == .migrate, !hasWorked.value else { return nil }
      hasWorked.value = true
      #expect(throws: Never.self) { try work() }
      return nil
    }
  }

  let folder: TestFolder
  private static let addCity = "ALTER TABLE Person ADD COLUMN city TEXT"

  init() throws {
    folder = try TestFolder()
    try folder.write([V0.Person.self]) { realm in
      realm.create(V0.Person.self, value: ["name": "Ada"])
    }
  }

  /// Opens the file at version 1 while another process runs statements; counts how often the block
  /// ran, and the rows that it saw.
  private func open(beside sql: String, runs: inout Int, rows: inout Int) throws {
    let file = folder.file
    let counts = Box((runs: 0, rows: 0))
    var configuration = folder.configuration([V1.Person.self], version: 1) { migration, _ in
      counts.value.runs += 1
      migration.enumerateObjects(ofType: "Person") { _, _ in counts.value.rows += 1 }
    }
    configuration.observers = [
      Other {
        let queue = try DatabaseQueue.otherProgram(at: file)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
      }
    ]
    defer { (runs, rows) = counts.value }
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(V1.Person.self).first?.name, "Ada")
  }

  /// The schema of version 1, as text.
  private func json() throws -> String {
    let other = try TestFolder()
    try other.open([V1.Person.self], version: 1) { _ in }
    return try other.sql {
      try String.fetchOne($0, sql: "SELECT schema FROM strata_schema_version") ?? ""
    }
  }

  @Test func `A migration that another process has just made isn't made again`() throws {
    let sql = """
      \(Self.addCity);
      INSERT INTO strata_schema_version (version, schema, migrated_at)
      VALUES (1, '\(try json())', '2026-01-01 00:00:00.000')
      """
    var (runs, rows) = (0, 0)
    try open(beside: sql, runs: &runs, rows: &rows)
    expectEqual(runs, 0)
    try expectEqual(Realm.migrationHistory(at: folder.file).map(\.version), [0, 1])
  }

  @Test func `A version without a change of tables is noticed`() throws {
    let sql = """
      INSERT INTO strata_schema_version (version, schema, migrated_at)
      SELECT 5, schema, migrated_at FROM strata_schema_version
      """
    var (runs, rows) = (0, 0)
    expectError("Provided schema version 1 is less than last set version 5.") {
      try open(beside: sql, runs: &runs, rows: &rows)
    }
    expectEqual(runs, 0)
  }

  @Test func `A schema that was exchanged at the same version is noticed`() throws {
    let sql = """
      \(Self.addCity);
      UPDATE strata_schema_version SET schema = '\(try json())'
      """
    var (runs, rows) = (0, 0)
    try open(beside: sql, runs: &runs, rows: &rows)
    // The migration from there: it has nothing to add.
    expectTrue(runs == 1 && rows == 1)
    try expectTrue(folder.isSound())
  }

  @Test func `Rows that were added are migrated as well`() throws {
    let sql = "INSERT INTO Person (name, age) VALUES ('Grace', 1), ('Mary', 2)"
    var (runs, rows) = (0, 0)
    try open(beside: sql, runs: &runs, rows: &rows)
    expectTrue(runs == 1 && rows == 3)
  }

  @Test func `A column that was added is in the way`() throws {
    var (runs, rows) = (0, 0)
    expectError(
      containing:
        "Property 'Person.city' can't get a column: another program added a column 'city' to the "
        + "table. Rename or drop that column."
    ) {
      try open(beside: Self.addCity, runs: &runs, rows: &rows)
    }
    try expectEqual(Realm.migrationHistory(at: folder.file).map(\.version), [0])
  }

  @Test func `A view that was added is not broken`() throws {
    let sql = "CREATE VIEW Names AS SELECT name FROM Person"
    var (runs, rows) = (0, 0)
    try open(beside: sql, runs: &runs, rows: &rows)
    expectEqual(runs, 1)
    try expectEqual(folder.texts("SELECT name FROM Names"), ["Ada"])
  }

  @Test func `A ledger that was dropped is made again`() throws {
    var (runs, rows) = (0, 0)
    try open(beside: "DROP TABLE grdb_migrations", runs: &runs, rows: &rows)
    let ledger = try folder.texts("SELECT identifier FROM grdb_migrations")
    expectEqual(ledger, ["strata schema version 1"])
  }
}
