import Foundation
import GRDB
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import StrataStorage

@Suite("The triggers of a file", .serialized)
struct TriggerTests {
  private static func file(foreignKeys: Bool) throws -> MemoryFile {
    try MemoryFile(
      model("Dog", property("name", .string), property("tags", .string, .set, optional: true)),
      model(
        "Person", link("dog", to: "Dog"), property("dogs", .object, to: "Dog", .list),
        property("set", .object, to: "Dog", .set), property("map", .object, to: "Dog", .map),
        property("x", .any), property("xs", .any, .list), property("xset", .any, .set),
        property("xmap", .any, .map), link("address", to: "Address"),
        property("homes", .object, to: "Address", .list),
        property("byName", .object, to: "Address", .map)),
      model("Address", embedded: true, link("geo", to: "Geo"), link("dog", to: "Dog")),
      model("Geo", embedded: true, property("names", .string, .list)),
      foreignKeys: foreignKeys)
  }

  private func filled(foreignKeys: Bool) throws -> MemoryFile {
    let file = try Self.file(foreignKeys: foreignKeys)
    try file.execute(
      """
      INSERT INTO Dog VALUES (1, 'Rex'), (2, 'Fido');
      INSERT INTO Dog_tags VALUES (1, 'a'), (1, NULL), (2, 'b');
      INSERT INTO Geo VALUES (1), (2), (3), (4);
      INSERT INTO Geo_names VALUES (1, 0, 'x'), (2, 0, 'y'), (4, 0, 'z');
      INSERT INTO Address VALUES (1, 1, 1), (2, 2, 2), (3, 3, NULL), (4, 4, NULL);
      INSERT INTO Person (_id, dog, x, x_type, address)
      VALUES (1, 1, 1, '<Dog>', 1), (2, 2, 1, 'int', 4);
      INSERT INTO Person_dogs VALUES (1, 0, 2), (1, 1, 1), (2, 0, 1);
      INSERT INTO Person_set VALUES (1, 1), (1, 2);
      INSERT INTO Person_map VALUES (1, 'a', 1), (1, 'b', 2);
      INSERT INTO Person_xs VALUES (1, 0, 1, '<Dog>'), (1, 1, 2, '<Person>'), (1, 2, 1, 'int');
      INSERT INTO Person_xset VALUES (1, 1, '<Dog>'), (1, 1, 'int'), (1, 2, '<Dog>'), (1, NULL, NULL);
      INSERT INTO Person_xmap VALUES (1, 'a', 1, '<Dog>'), (1, 'b', 'text', 'string');
      INSERT INTO Person_homes VALUES (1, 0, 2);
      INSERT INTO Person_byName VALUES (1, 'a', 3), (1, 'b', NULL);
      """)
    return file
  }

  @Test(arguments: [false, true])
  func `Deleting an object clears or removes what refers to it`(foreignKeys: Bool) throws {
    let file = try filled(foreignKeys: foreignKeys)
    try file.execute("DELETE FROM Dog WHERE _id = 1")
    try expectEqual(
      file.rows("SELECT _id, dog, x, x_type FROM Person"), ["1 nil nil nil", "2 2 1 int"])
    try expectEqual(file.rows("SELECT * FROM Person_dogs"), ["1 0 2"])
    try expectEqual(file.rows("SELECT * FROM Person_set"), ["1 2"])
    try expectEqual(file.rows("SELECT * FROM Person_map ORDER BY key"), ["1 a nil", "1 b 2"])
    try expectEqual(
      file.rows("SELECT * FROM Person_xs"), ["1 0 nil nil", "1 1 2 <Person>", "1 2 1 int"])
    try expectEqual(
      file.rows("SELECT * FROM Person_xset ORDER BY value, value_type"),
      ["1 nil nil", "1 1 int", "1 2 <Dog>"])
    try expectEqual(file.rows("SELECT * FROM Person_xmap"), ["1 a nil nil", "1 b text string"])
    try expectEqual(file.rows("SELECT * FROM Dog_tags"), ["2 b"])
    try expectEqual(
      file.rows("SELECT _id, dog FROM Address ORDER BY _id"),
      [
        "1 nil", "2 2", "3 nil", "4 nil",
      ])
    try expectTrue(file.isSound())
  }

  @Test(arguments: [false, true])
  func `Embedded objects at any depth are deleted with their parent`(foreignKeys: Bool) throws {
    let file = try filled(foreignKeys: foreignKeys)
    try file.execute("DELETE FROM Person WHERE _id = 1")
    try expectEqual(file.rows("SELECT _id FROM Address ORDER BY _id"), ["4"])
    try expectEqual(file.rows("SELECT _id FROM Geo ORDER BY _id"), ["4"])
    try expectEqual(file.rows("SELECT * FROM Geo_names"), ["4 0 z"])
    for table in ["dogs", "set", "map", "xs", "xset", "xmap", "homes", "byName"] {
      try expectEqual(file.rows("SELECT * FROM Person_\(table) WHERE owner = 1"), [])
    }
    try expectEqual(file.rows("SELECT count(*) FROM Dog"), ["2"])
    try expectTrue(file.isSound())
    try file.execute("DELETE FROM Person; DELETE FROM Dog")
    try expectEqual(file.rows("SELECT * FROM Address UNION ALL SELECT *, 0, 0 FROM Geo"), [])
    try expectTrue(file.isSound())
  }

  @Test(arguments: [false, true])
  func `An embedded object is deleted when it is replaced, and not when it moves`(foreignKeys: Bool)
    throws
  {
    let file = try filled(foreignKeys: foreignKeys)
    try file.execute("UPDATE Person_homes SET position = 7; UPDATE Person SET address = address")
    try expectEqual(file.rows("SELECT _id FROM Address ORDER BY _id"), ["1", "2", "3", "4"])
    try file.execute("INSERT INTO Address (_id) VALUES (5), (6), (7)")
    try file.execute("UPDATE Person_homes SET value = 5; UPDATE Person_byName SET value = 6")
    try file.execute("UPDATE Person SET address = 7 WHERE _id = 1")
    try expectEqual(file.rows("SELECT _id FROM Address ORDER BY _id"), ["4", "5", "6", "7"])
    try expectEqual(file.rows("SELECT _id FROM Geo ORDER BY _id"), ["4"])
    try file.execute("UPDATE Person SET address = NULL; DELETE FROM Person_homes")
    try expectEqual(file.rows("SELECT _id FROM Address ORDER BY _id"), ["6"])
    try file.execute("DELETE FROM Address")
    try expectEqual(file.rows("SELECT * FROM Person_byName"), ["1 a nil", "1 b nil"])
    try expectTrue(file.isSound())
  }

  @Test(arguments: [false, true])
  func `Triggers read no table as a whole`(foreignKeys: Bool) throws {
    let file = try Self.file(foreignKeys: foreignKeys)
    try file.queue.read { db in
      for table in ["Dog", "Person", "Address", "Geo"] {
        let program = try Row.fetchAll(db, sql: "EXPLAIN DELETE FROM \(table) WHERE _id = 1")
        let opened = program.filter {
          ["OpenEphemeral", "OpenDup"].contains($0["opcode"] as String)
        }
        // Cursors on what a statement collects for itself may be read as a whole.
        let scans = program.enumerated().filter { index, row in
          guard ["Rewind", "Last"].contains(row["opcode"] as String) else { return false }
          let begin = program[..<index].lastIndex { $0["opcode"] == "Init" } ?? 0
          return !program[begin..<index].contains {
            $0["opcode"] == "OpenEphemeral" && ($0["p1"] as Int) == row["p1"]
          }
        }
        expectTrue(scans.isEmpty, "\(table): \(scans) of \(opened.count)")
      }
      let plan = try Row.fetchAll(
        db,
        sql: """
          EXPLAIN QUERY PLAN UPDATE Person SET x = NULL
          WHERE x = ? AND "x_type" < 'a' AND "x_type" = '<Dog>'
          """, arguments: [1])
      expectTrue(plan.contains { ($0["detail"] as String).contains("INDEX Person.x link (x=?)") })
    }
  }

  @Test func `Triggers that were dropped or changed are made again, and others stay`() throws {
    var file = try filled(foreignKeys: false)
    try expectTrue(file.isSound())
    let before = try file.rows("SELECT rowid, name, sql FROM sqlite_schema")
    try file.makeTriggers()
    try expectEqual(file.rows("SELECT rowid, name, sql FROM sqlite_schema"), before)
    try file.execute(
      """
      DROP TRIGGER strata_delete_Dog;
      DROP TRIGGER strata_delete_Geo;
      CREATE TRIGGER strata_delete_Geo AFTER DELETE ON Geo BEGIN SELECT 1; END;
      CREATE TRIGGER strata_delete_old AFTER DELETE ON Geo BEGIN SELECT 1; END;
      CREATE TRIGGER other AFTER DELETE ON Geo BEGIN SELECT 1; END;
      DROP INDEX "Person.x link";
      DROP INDEX "Dog_tags.value";
      DROP INDEX "Dog_tags.value nil";
      INSERT INTO Dog_tags VALUES (1, 'a'), (1, NULL), (2, 'a');
      DROP INDEX "Person_dogs.value";
      CREATE INDEX "Person_dogs.value" ON Person_dogs(position);
      """)
    try expectFalse(file.isSound())
    try file.makeTriggers()
    try expectTrue(file.isSound())
    try expectEqual(
      file.rows("SELECT * FROM Dog_tags ORDER BY 1, 2"), ["1 nil", "1 a", "2 a", "2 b"])
    try expectEqual(file.rows("SELECT name FROM sqlite_schema WHERE name = 'other'"), ["other"])
    let names = "SELECT name FROM sqlite_schema ORDER BY name"
    try expectEqual(file.rows(names).filter { $0 != "other" }.count, before.count)
    file.schema.remove("Geo")
  }

  @Test func `Links to missing rows become nil or are removed without triggers`() throws {
    let file = try filled(foreignKeys: false)
    let triggers = try file.queue.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    }
    for name in triggers { try file.execute("DROP TRIGGER \(SQLName.quote(name))") }
    try file.execute("DELETE FROM Dog WHERE _id = 1; DELETE FROM Person WHERE _id = 2")
    try file.execute(
      """
      DELETE FROM Geo WHERE _id = 3;
      INSERT INTO Person_homes VALUES (9, 0, 4);
      INSERT INTO Person_map VALUES (1, 'c', 77);
      """)
    try expectFalse(file.isSound())
    try file.queue.write { db in
      try DanglingLinks.clear(of: file.schema, in: db)
    }
    try expectTrue(file.isSound())
    try expectEqual(file.rows("SELECT _id, dog FROM Person"), ["1 nil"])
    try expectEqual(file.rows("SELECT * FROM Person_dogs"), ["1 0 2"])
    try expectEqual(
      file.rows("SELECT * FROM Person_map ORDER BY key"), ["1 a nil", "1 b 2", "1 c nil"])
    try expectEqual(
      file.rows("SELECT _id, geo FROM Address ORDER BY _id"), ["1 1", "2 2", "3 nil"])
    try expectEqual(file.rows("SELECT * FROM Dog_tags"), ["2 b"])
  }
}
