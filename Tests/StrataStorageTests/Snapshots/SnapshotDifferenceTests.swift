import Foundation
import GRDB
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import StrataStorage

@Suite struct SnapshotDifferenceTests {
  private static let schema = Schema([
    model(
      "Person", property("name", .string, optional: true), property("height", .double),
      property("photo", .data, optional: true), property("any", .any),
      property("list", .string, .list), property("set", .int, .set),
      property("maybe", .int, .set, optional: true), property("map", .any, .map))
  ])

  private static let rows = """
    INSERT INTO Person (_id, name, height, photo, "any", any_type) VALUES
      (1, 'a', 1.0, x'00', 5, 'int'), (2, NULL, 2.0, NULL, NULL, NULL),
      (3, 'c', 3.0, x'', 'x', 'string'), (9, 'i', -0.0, x'01', 1.5, 'double');
    INSERT INTO Person_list VALUES (1, 0, 'x'), (1, 1, 'y'), (2, 0, 'x'), (9, 0, 'z');
    INSERT INTO Person_set VALUES (1, 1), (1, 2), (3, 1);
    INSERT INTO Person_maybe VALUES (2, 1), (2, NULL), (3, 5);
    INSERT INTO Person_map VALUES (1, 'a', 1, 'int'), (1, 'b', NULL, NULL), (9, 'a', 'x', 'string');
    """

  /// The difference after some statements, read from two connections in read transactions.
  private func difference<Result>(
    _ sql: String, _ body: (SnapshotDifference) throws -> Result
  ) throws -> Result {
    let folder = try TestFolder()
    try folder.sql { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      for schema in Self.schema.objectSchema {
        for sql in TableSQL.createAll(schema) { try db.execute(sql: sql) }
      }
      try db.execute(sql: Self.rows)
    }
    let before = try DatabaseQueue.otherProgram(at: folder.file)
    let after = try DatabaseQueue.otherProgram(at: folder.file)
    defer {
      #expect(throws: Never.self) { try before.close() }
      #expect(throws: Never.self) { try after.close() }
    }
    return try before.inDatabase { old in
      try snapshot(old) {
        try folder.execute(sql)
        return try after.inDatabase { new in
          try snapshot(new) { try body(SnapshotDifference(old: old, new: new)) }
        }
      }
    }
  }

  private func snapshot<Result>(_ db: Database, _ body: () throws -> Result) throws -> Result {
    try db.execute(sql: "BEGIN")
    _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
    let result = Swift.Result { try body() }
    try db.execute(sql: "ROLLBACK")
    return try result.get()
  }

  private func rows(_ sql: String) throws -> [Int64] {
    try difference(sql) { try $0.rows(of: "Person", identity: "_id").members }
  }

  private func owners(_ property: String, _ sql: String) throws -> [Int64] {
    let table = try #require(
      Self.schema["Person"]?[property].flatMap {
        CollectionTable(className: "Person", property: $0)
      })
    return try difference(sql) { try $0.owners(of: table).members }
  }

  @Test func `Rows that came, went or have other values differ`() throws {
    try expectEqual(
      rows(
        """
        DELETE FROM Person WHERE _id = 1; INSERT INTO Person (_id, height) VALUES (5, 0), (12, 0);
        UPDATE Person SET name = 'b' WHERE _id = 2
        """), [1, 2, 5, 12])
    try expectEqual(rows("UPDATE Person SET name = name"), [])
    try expectEqual(rows("DELETE FROM Person"), [1, 2, 3, 9])
    try expectEqual(rows("DELETE FROM Person WHERE _id IN (3, 9)"), [3, 9])
  }

  @Test func `A row that is deleted and made again as it was doesn't differ`() throws {
    try expectEqual(
      rows(
        """
        DELETE FROM Person WHERE _id = 2;
        INSERT INTO Person (_id, name, height, photo, "any", any_type) VALUES (2, NULL, 2.0, NULL, NULL, NULL)
        """), [])
  }

  @Test(arguments: [
    ("name = 'A'", 1), ("name = NULL", 1), ("name = ''", 2), ("name = 'a' || char(0)", 1),
    ("photo = x'01'", 1), ("photo = x'0000'", 1), ("photo = x''", 2), ("photo = NULL", 3),
    ("height = 1e-300", 9), ("height = 1.0000000000000002", 1), ("any = 5.0", 1), ("any = '5'", 1),
    ("any_type = 'bool'", 1), ("any = x'78'", 3),
  ])
  func `Each kind of value is compared exactly`(assignment: String, row: Int64) throws {
    try expectEqual(rows("UPDATE Person SET \(assignment) WHERE _id = \(row)"), [row])
  }

  @Test func `A table that one state doesn't have is empty there`() throws {
    try expectEqual(rows("DROP TABLE Person"), [1, 2, 3, 9])
    let made = try difference(
      "CREATE TABLE Dog (_id INTEGER PRIMARY KEY, x); INSERT INTO Dog VALUES (4, 0), (6, 0)"
    ) { try $0.rows(of: "Dog", identity: "_id").members }
    expectEqual(made, [4, 6])
    try expectEqual(owners("list", "DROP TABLE Person_list"), [1, 2, 9])
    let none = try difference("SELECT 1") { try $0.rows(of: "Cat", identity: "_id").members }
    expectEqual(none, [])
  }

  @Test func `Tables with other columns differ in all rows`() throws {
    let sql = "ALTER TABLE Person ADD COLUMN more TEXT; DELETE FROM Person WHERE _id = 2"
    try expectEqual(rows(sql), [1, 2, 3, 9])
  }

  @Test func `Lists are compared by their elements in order`() throws {
    try expectEqual(owners("list", "UPDATE Person_list SET value = 'w' WHERE owner = 2"), [2])
    try expectEqual(
      owners("list", "INSERT INTO Person_list VALUES (1, 2, 'z'), (3, 0, 'x')"), [1, 3])
    try expectEqual(owners("list", "DELETE FROM Person_list WHERE position = 0"), [1, 2, 9])
    try expectEqual(
      owners(
        "list",
        """
        UPDATE Person_list SET position = 9 WHERE owner = 1 AND position = 0
        """), [1])
    // Other numbers, the same order.
    try expectEqual(owners("list", "UPDATE Person_list SET position = position * 10 + 5"), [])
  }

  @Test func `Sets are compared by their elements, maps by keys and values`() throws {
    try expectEqual(owners("set", "DELETE FROM Person_set WHERE value = 2"), [1])
    try expectEqual(
      owners(
        "set", "DELETE FROM Person_set; INSERT INTO Person_set VALUES (3, 1), (1, 2), (1, 1)"), []
    )
    try expectEqual(
      owners(
        "maybe",
        """
        DELETE FROM Person_maybe; INSERT INTO Person_maybe VALUES (3, 5), (2, NULL), (2, 1)
        """), [])
    try expectEqual(owners("maybe", "DELETE FROM Person_maybe WHERE value IS NULL"), [2])
    try expectEqual(owners("map", "UPDATE Person_map SET key = 'c' WHERE key = 'b'"), [1])
    try expectEqual(
      owners("map", "UPDATE Person_map SET value_type = 'bool' WHERE owner = 1 AND key = 'a'"), [1])
    try expectEqual(owners("map", "UPDATE Person_map SET value = NULL, value_type = NULL"), [1, 9])
  }

  @Test func `Random states differ in the rows that a comparison of all rows finds`() throws {
    var random = SplitMix64(seed: 41)
    for _ in 0..<40 {
      func table() -> [Int64: Int] {
        Dictionary(
          uniqueKeysWithValues: (Int64(-3)...12).filter { _ in
            Int.random(in: 0..<10, using: &random) < 6
          }.map {
            ($0, Int.random(in: 0...2, using: &random))
          })
      }
      let (old, new) = (table(), table())
      func insertions(_ rows: [Int64: Int]) -> String {
        "DELETE FROM R; "
          + rows.map { "INSERT INTO R VALUES (\($0.key), \($0.value));" }.joined(separator: " ")
      }
      let folder = try TestFolder()
      try folder.execute(
        "PRAGMA journal_mode = WAL; CREATE TABLE R (_id INTEGER PRIMARY KEY, x); \(insertions(old))"
      )
      let before = try DatabaseQueue.otherProgram(at: folder.file)
      let found = try before.inDatabase { db in
        try snapshot(db) {
          try folder.execute(insertions(new))
          return try folder.sql {
            try SnapshotDifference(old: db, new: $0).rows(of: "R", identity: "_id")
          }
        }
      }
      try before.close()
      let expected = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
      expectEqual(found.members, expected.sorted())
    }
  }
}
