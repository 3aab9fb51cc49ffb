import Foundation
import GRDB
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import StrataStorage

@Suite(.needsHook) struct ChangeHookTests {
  /// A file whose connection notes what it writes.
  private struct NotedFile {
    let file: MemoryFile
    let hook: ChangeHook

    init(foreignKeys: Bool = true) throws {
      file = try MemoryFile(
        model("Dog", property("name", .string), property("tags", .string, .set, optional: true)),
        model(
          "Person", property("age"), link("dog", to: "Dog"),
          property("dogs", .object, to: "Dog", .list), property("map", .object, to: "Dog", .map),
          property("tags", .string, .set)),
        foreignKeys: foreignKeys)
      hook = try #require(ChangeHook(file.schema))
      try file.execute(
        """
        INSERT INTO Dog VALUES (1, 'Rex'), (2, 'Fido'), (3, 'Bo');
        INSERT INTO Person VALUES (10, 1, 1), (20, 2, 2), (30, 3, NULL);
        INSERT INTO Person_dogs VALUES (10, 0, 1), (10, 1, 2), (20, 0, 1);
        INSERT INTO Person_map VALUES (30, 'a', 1);
        INSERT INTO Person_tags VALUES (20, 'x');
        """)
      file.queue.inDatabase { hook.install(on: $0) }
    }

    /// The rows that some statements write, by table.
    func noted(_ sql: String) throws -> [String: [Int64]] {
      try file.execute(sql)
      let changes = hook.takeRows()
      expectTrue(changes.isComplete)
      return changes.tables.mapValues(\.members)
    }
  }

  @Test func `Inserted, updated and deleted rows are noted by their identities`() throws {
    let file = try NotedFile()
    try expectEqual(file.noted("UPDATE Person SET age = age WHERE _id = 20"), ["Person": [20]])
    try expectEqual(file.noted("INSERT INTO Dog VALUES (9, 'Lux')"), ["Dog": [9]])
    try expectEqual(file.noted("DELETE FROM Dog WHERE name = 'Lux'"), ["Dog": [9]])
    try expectEqual(file.noted("SELECT * FROM Dog"), [:])
    try expectEqual(
      file.noted("UPDATE Dog SET name = ''; DELETE FROM Person WHERE _id = 30"),
      ["Dog": [1, 2, 3], "Person": [30], "Person_map": [30]])
  }

  @Test func `The rows that a statement deletes from one table are told beside all changes`() throws
  {
    let file = try NotedFile()
    let deleted = try file.file.queue.inDatabase { db in
      try ChangeHook.deletedRows(of: "Person", on: db, beside: file.hook) {
        try db.execute(sql: "DELETE FROM Person WHERE age > 1; DELETE FROM Dog WHERE _id = 3")
      }
    }
    expectEqual(deleted.members, [20, 30])
    let noted = file.hook.takeRows().tables
    expectTrue(noted["Person"]?.members == [20, 30] && noted["Dog"]?.members == [3])
    expectTrue(file.file.queue.inDatabase { file.hook.isInstalled(on: $0) })
    try expectEqual(file.noted("DELETE FROM Dog WHERE _id = 1")["Dog"], [1])
  }

  @Test func `The rows that a statement deletes are told where nothing else is noted`() throws {
    let file = try NotedFile()
    file.file.queue.inDatabase { file.hook.remove(from: $0) }
    for (condition, rows) in [("age = 7", []), ("age = 1", [10]), ("TRUE", [20, 30])]
      as [(String, [Int64])]
    {
      let deleted = try file.file.queue.inDatabase { db in
        try ChangeHook.deletedRows(of: "Person", on: db, beside: nil) {
          try db.execute(sql: "DELETE FROM Person WHERE \(condition)")
        }
      }
      expectEqual(deleted.members, rows)
    }
    #expect(throws: DatabaseError.self) {
      try file.file.queue.inDatabase { db in
        try ChangeHook.deletedRows(of: "Dog", on: db, beside: nil) {
          try db.execute(sql: "DELETE FROM Dog; DELETE FROM nothing")
        }
      }
    }
    expectFalse(file.file.queue.inDatabase { file.hook.isInstalled(on: $0) })
  }

  @Test func `A row that gets another identity is noted with both`() throws {
    let file = try NotedFile(foreignKeys: false)
    try expectEqual(file.noted("UPDATE Dog SET _id = 7 WHERE _id = 3"), ["Dog": [3, 7]])
  }

  @Test func `Rows of collections are noted by their owners`() throws {
    let file = try NotedFile()
    try expectEqual(
      file.noted(
        """
        INSERT INTO Person_dogs VALUES (10, 2, 3);
        UPDATE Person_map SET value = 2 WHERE owner = 30;
        DELETE FROM Person_tags;
        """), ["Person_dogs": [10], "Person_map": [30], "Person_tags": [20]])
    try expectEqual(
      file.noted("UPDATE Person_dogs SET owner = 30, position = 5 WHERE owner = 20"),
      ["Person_dogs": [20, 30]])
  }

  @Test func `A set that may have nil, which has rowids, is noted by its owners too`() throws {
    let file = try NotedFile()
    try expectEqual(
      file.noted("INSERT INTO Dog_tags VALUES (3, 'a'), (3, NULL), (2, 'a')"), ["Dog_tags": [2, 3]])
    try expectEqual(file.noted("DELETE FROM Dog_tags WHERE value IS NULL"), ["Dog_tags": [3]])
  }

  @Test(arguments: [true, false])
  func `What foreign keys and triggers do is noted`(foreignKeys: Bool) throws {
    let file = try NotedFile(foreignKeys: foreignKeys)
    try expectEqual(
      file.noted("DELETE FROM Dog WHERE _id = 1"),
      ["Dog": [1], "Person": [10], "Person_dogs": [10, 20], "Person_map": [30]])
    try file.file.execute(
      """
      CREATE TRIGGER other AFTER UPDATE ON Dog
      BEGIN UPDATE Person SET age = 9 WHERE _id = 20; END
      """)
    file.hook.forget()
    try expectEqual(
      file.noted("UPDATE Dog SET name = 'x' WHERE _id = 2"), ["Dog": [2], "Person": [20]])
  }

  @Test func `Deleting all rows without a condition is noted row by row`() throws {
    let file = try NotedFile(foreignKeys: false)
    try file.file.execute("CREATE TABLE Plain (_id INTEGER PRIMARY KEY, x)")
    try file.file.execute("INSERT INTO Plain VALUES (1, 0), (2, 0), (5, 0)")
    file.hook.forget()
    try expectEqual(file.noted("DELETE FROM Plain"), ["Plain": [1, 2, 5]])
    try expectEqual(file.noted("DELETE FROM Person_dogs"), ["Person_dogs": [10, 20]])
  }

  @Test func `A row that another one replaces is noted`() throws {
    let file = try NotedFile()
    try file.file.execute("CREATE TABLE Keyed (_id INTEGER PRIMARY KEY, key UNIQUE, x)")
    try file.file.execute("INSERT INTO Keyed VALUES (1, 'a', 0), (2, 'b', 0)")
    file.hook.forget()
    try expectEqual(
      file.noted("REPLACE INTO Keyed VALUES (3, 'a', 1)"), ["Keyed": [1, 3]])
    try expectEqual(
      file.noted(
        "INSERT INTO Keyed VALUES (9, 'b', 1) ON CONFLICT (key) DO UPDATE SET x = 2"),
      ["Keyed": [2]])
  }

  @Test func `What is rolled back to a savepoint may be noted, the rest always`() throws {
    let file = try NotedFile()
    let noted = try file.noted(
      """
      BEGIN; UPDATE Dog SET name = 'a' WHERE _id = 1;
      SAVEPOINT one; UPDATE Dog SET name = 'b' WHERE _id = 2; ROLLBACK TO one;
      UPDATE Dog SET name = 'c' WHERE _id = 3; COMMIT
      """)
    expectTrue(Set(noted["Dog"] ?? []).isSuperset(of: [1, 3]))
  }

  @Test func `Many rows are noted, and only once`() throws {
    let file = try NotedFile()
    let noted = try file.noted(
      """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 100099)
      INSERT INTO Dog SELECT i, '' FROM n;
      UPDATE Dog SET name = 'x' WHERE _id >= 100;
      """)
    expectEqual(noted["Dog"], Array(100...100_099))
    try expectEqual(file.noted("UPDATE Dog SET name = 'y' WHERE _id = 5"), [:])
    try expectEqual(file.noted("UPDATE Dog SET name = 'y' WHERE _id = 1"), ["Dog": [1]])
  }

  @Test func `Tables that are made, renamed and dropped meanwhile are told apart`() throws {
    let file = try NotedFile()
    for round in 0..<40 {
      let made = try file.noted(
        "CREATE TABLE T\(round) (_id INTEGER PRIMARY KEY); INSERT INTO T\(round) VALUES (\(round))")
      expectEqual(made["T\(round)"], [Int64(round)])
      let renamed = try file.noted(
        """
        ALTER TABLE T\(round) RENAME TO U\(round);
        INSERT INTO U\(round) VALUES (-1);
        UPDATE Dog SET name = '' WHERE _id = 1
        """)
      expectEqual(renamed["U\(round)"], [-1])
      expectEqual(renamed["Dog"], [1])
      expectNil(renamed["T\(round)"])
      try file.file.execute("DROP TABLE U\(round)")
      file.hook.forget()
    }
  }

  @Test func `Temporary tables are not noted`() throws {
    let file = try NotedFile()
    try expectEqual(
      file.noted("CREATE TEMP TABLE Dog (x); INSERT INTO temp.Dog VALUES (1)"), [:])
  }

  @Test func `Observations of GRDB go on`() async throws {
    let file = try NotedFile()
    let observation = ValueObservation.tracking {
      try Int.fetchOne($0, sql: "SELECT sum(age) FROM Person")
    }
    var values = observation.values(in: file.file.queue).makeAsyncIterator()
    try await expectEqual(values.next(), 6)
    try await file.file.queue.write {
      try $0.execute(sql: "UPDATE Person SET age = 0 WHERE _id = 10")
    }
    try await expectEqual(values.next(), 5)
    expectEqual(file.hook.takeRows().tables.mapValues(\.members), ["Person": [10]])
  }

  @Test func `After its removal nothing is noted`() throws {
    let file = try NotedFile()
    file.file.queue.inDatabase { file.hook.remove(from: $0) }
    try expectEqual(file.noted("UPDATE Person SET age = 0"), [:])
    file.file.queue.inDatabase { file.hook.install(on: $0) }
    try expectEqual(file.noted("UPDATE Person SET age = 1"), ["Person": [10, 20, 30]])
  }

  @Test func `A hook that another one has replaced says so once, and is back`() throws {
    let file = try NotedFile()
    let other = try #require(ChangeHook(file.file.schema))
    let queue = file.file.queue
    expectTrue(queue.inDatabase { file.hook.isInstalled(on: $0) })
    queue.inDatabase { other.install(on: $0) }
    try expectEqual(file.noted("UPDATE Person SET age = 7 WHERE _id = 10"), [:])
    expectEqual(other.takeRows().tables.mapValues(\.members), ["Person": [10]])
    expectTrue(queue.inDatabase { !file.hook.isInstalled(on: $0) })
    expectTrue(queue.inDatabase { file.hook.isInstalled(on: $0) })
    try expectEqual(file.noted("UPDATE Person SET age = 8 WHERE _id = 10"), ["Person": [10]])
  }
}

extension ChangeHook {
  /// The rows that were noted, which are forgotten then.
  fileprivate func takeRows() -> RecordedChanges {
    defer { forget() }
    return rows
  }
}
