import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Data of other programs in the file: a migration keeps it, or is refused.
@Suite("What other programs added to the file")
struct OtherProgramsTests {
  enum Retyped {
    final class Person: Object {
      @Persisted var name: String?
      @Persisted var age = 0
      @Persisted var email: String?
    }
  }

  enum WithoutAge {
    final class Person: Object {
      @Persisted var name: String?
      @Persisted var email: String?
    }
  }

  enum OnlyWithoutAge {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var email: String?
    }
  }

  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([V0.Person.self]) { realm in
      for name in ["Ada", "Bob", "Cleo"] { realm.create(V0.Person.self, value: ["name": name]) }
      realm.delete(realm.objects(V0.Person.self)[2])
    }
  }

  func migrate(_ type: Object.Type) throws { try folder.open([type], version: 1) { _ in } }

  @Test func `Tables that refer to the class keep their rows and references`() throws {
    try folder.execute(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, person INTEGER REFERENCES Person(_id) ON DELETE CASCADE);
      INSERT INTO note VALUES (1, 1), (2, 2);
      """)
    try migrate(Retyped.Person.self)
    let rows = try folder.sql { try Row.fetchAll($0, sql: "SELECT id, person FROM note") }
    expectEqual(rows, [["id": 1, "person": 1], ["id": 2, "person": 2]])
    try expectTrue(folder.isSound())
    try folder.execute("PRAGMA foreign_keys = ON; DELETE FROM Person WHERE _id = 1")
    try expectEqual(folder.count(of: "note"), 1)
  }

  @Test func `A migration that would break references is refused`() throws {
    folder.isDamaged = true
    try folder.execute(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE note (id INTEGER PRIMARY KEY, person INTEGER REFERENCES Person(_id));
      INSERT INTO note VALUES (1, 1), (2, 99);
      """)
    let error = try folder.expectUntouched([V0.Person.self], version: 1) { migration, _ in
      migration.deleteData(forType: "Person")
    }
    expectEqual(
      error?.message,
      """
      The migration would break references between tables:
      - 1 rows of 'note' refer to rows of 'Person' that don't exist
      Delete the referring rows first, or keep the rows that they refer to.
      """)
    // The violation that was there before does not count.
    try folder.open([V0.Person.self], version: 1) {
      expectEqual($0.objects(V0.Person.self).count, 2)
    }
  }

  @Test func `Tables that SQLite itself can't read or check are no obstacle`() throws {
    folder.isDamaged = true
    try folder.execute(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE parent (a);
      CREATE TABLE child (a REFERENCES parent(a));
      INSERT INTO child VALUES (1);
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
      VALUES ('table', 'strange', 'strange', 0, 'CREATE VIRTUAL TABLE strange USING placeholder(x)');
      """)
    try migrate(Retyped.Person.self)
    try folder.open([Retyped.Person.self], version: 1) {
      expectEqual($0.objects(Retyped.Person.self).count, 2)
    }
    let names = try folder.texts("SELECT name FROM sqlite_schema")
    expectTrue(names.contains("strange") && names.contains("child"))
  }

  @Test func `Views, triggers and indexes survive`() throws {
    try folder.execute(
      """
      CREATE VIEW names AS SELECT name FROM Person;
      CREATE TABLE log (text TEXT);
      CREATE TRIGGER added AFTER INSERT ON Person BEGIN INSERT INTO log VALUES (NEW.name); END;
      CREATE TRIGGER logged AFTER INSERT ON log BEGIN UPDATE Person SET age = age + 1; END;
      CREATE INDEX by_name ON Person(name COLLATE NOCASE);
      """)
    try migrate(Retyped.Person.self)
    try folder.execute("INSERT INTO Person (name, age) VALUES ('Dora', 1)")
    try expectEqual(folder.texts("SELECT text FROM log"), ["Dora"])
    try expectEqual(
      folder.sql { try Int.fetchAll($0, sql: "SELECT age FROM Person ORDER BY _id") },
      [
        1, 1, 2,
      ])
    try expectEqual(
      folder.texts("SELECT name FROM names ORDER BY 1"),
      ["Ada", "Bob", "Dora"])
    try expectTrue(folder.dump().contains("by_name"))
    try expectTrue(folder.isSound())
  }

  @Test func `A migration that would break a view or a trigger is refused, with its name`() throws {
    try folder.execute("CREATE VIEW ages AS SELECT age FROM Person")
    var error = try folder.expectUntouched([WithoutAge.Person.self], version: 1)
    expectEqual(error?.message.contains("view 'ages'"), true)
    error = try folder.expectUntouched([OnlyWithoutAge.Person.self], version: 1)
    expectEqual(error?.message.contains("ages"), true)
    try folder.execute(
      """
      DROP VIEW ages;
      CREATE TABLE log (text TEXT);
      CREATE TRIGGER aged AFTER UPDATE OF age ON Person BEGIN INSERT INTO log VALUES ('x'); END;
      """)
    error = try folder.expectUntouched([WithoutAge.Person.self], version: 1)
    expectEqual(error?.message.contains("trigger 'aged'"), true)
    error = try folder.expectUntouched([OnlyWithoutAge.Person.self], version: 1)
    expectEqual(error?.message.contains("aged"), true)
    try folder.execute(
      "DROP TRIGGER aged; CREATE INDEX ages ON Person(age); CREATE VIEW broken AS SELECT * FROM nowhere"
    )
    error = try folder.expectUntouched([WithoutAge.Person.self], version: 1)
    expectEqual(error?.message.contains("ages"), true)
  }

  @Test func `Columns that another program added are carried over`() throws {
    try folder.execute("ALTER TABLE Person ADD COLUMN tag TEXT DEFAULT 'none'")
    try folder.execute("ALTER TABLE Person ADD COLUMN unique_number INTEGER")
    try folder.execute("ALTER TABLE Person ADD COLUMN \"check\" TEXT")
    try folder.execute("UPDATE Person SET tag = 'first' WHERE _id = 1")
    try migrate(Retyped.Person.self)
    let tags = try folder.texts("SELECT tag FROM Person ORDER BY _id")
    expectEqual(tags, ["first", "none"])
    try folder.write([Retyped.Person.self], version: 1) { realm in realm.create(Retyped.Person.self)
    }
    try folder.execute("ALTER TABLE Person ADD COLUMN checked TEXT CHECK (checked <> 'x')")
    let error = try folder.expectUntouched([V0.Person.self], version: 2)
    expectEqual(error?.message.contains("'checked'"), true)
  }

  @Test func `Another program's column with the name of a new property is not taken over`() throws {
    enum Added {
      final class Person: Object {
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted var email: String?
        // swift-format-ignore: AlwaysUseLowerCamelCase
        @Persisted var Tag: String?
      }
    }
    try folder.execute("ALTER TABLE Person ADD COLUMN tag TEXT")
    let error = try folder.expectUntouched([Added.Person.self], version: 1)
    expectEqual(
      error?.message,
      "Property 'Person.Tag' can't get a column: another program added a column 'tag' "
        + "to the table. Rename or drop that column.")
  }

  @Test func `Another program's table with the name of a class stays, and opening fails`() throws {
    try folder.execute("CREATE TABLE Keyed (anything)")
    let error = try folder.expectUntouched([V0.Person.self, V0.Keyed.self], version: 0)
    expectEqual(
      error?.message,
      "Class 'Keyed' can't get a table: the file has a table or view of that name, "
        + "which this library didn't make. Rename one of them, or use another file.")
  }

  @Test func `Identities of deleted rows are not given again after a table was rebuilt`() throws {
    try migrate(Retyped.Person.self)
    try folder.write([Retyped.Person.self], version: 1) { realm in
      realm.create(Retyped.Person.self, value: ["name": "Dora"])
    }
    try expectEqual(folder.sql { try Int.fetchAll($0, sql: "SELECT _id FROM Person") }, [1, 2, 4])
  }

  @Test func `The file of another program gets the tables of the classes beside its own`() throws {
    let folder = try TestFolder()
    try folder.execute("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
    try folder.write([V0.Person.self]) { realm in realm.create(V0.Person.self) }
    try expectEqual(folder.number("SELECT a FROM theirs"), 1)
    try expectTrue(folder.isSound())
  }

  @Test
  func `A table or column that was removed or changed is found when the file is opened`() throws {
    try folder.execute("ALTER TABLE Person RENAME COLUMN age TO years")
    let error = try folder.expectUntouched([V0.Person.self], version: 0)
    expectEqual(error?.code, .invalidDatabase)
    expectEqual(error?.message.contains("Column 'Person.age' is missing."), true)
    try folder.execute("DROP TABLE Person")
    try expectEqual(
      folder.expectUntouched([V0.Person.self], version: 0)?.message
        .contains("Table 'Person' is missing."), true)
  }

  @Test func `A value that fits no property reads as nil or zero, and is reported`() throws {
    let folder = try TestFolder()
    try folder.write([V0.Everything.self]) { realm in realm.create(V0.Everything.self) }
    try folder.execute(
      "UPDATE Everything SET date = 'yesterday', kind = 'bird', optionalUUID = 'x', int8 = 1000")
    try folder.open([V0.Everything.self]) { realm in
      var object: V0.Everything?
      withKnownIssue {
        object = realm.objects(V0.Everything.self).first
      } matching: {
        "\($0)".contains("Everything.") && !"\($0)".contains("yesterday")
      }
      expectEqual(object?.date, Date(timeIntervalSince1970: 0))
      expectTrue(object?.kind == .cat && object?.optionalUUID == nil && object?.int8 == 0)
    }
  }

  @Test
  func `Triggers with the library's prefix are its own, and are repaired at the next open`() throws
  {
    let folder = try TestFolder()
    try folder.open([V0.Person.self]) { _ in }
    let before = try folder.dump()
    try folder.execute("CREATE TRIGGER strata_x AFTER DELETE ON Person BEGIN SELECT nowhere; END")
    var configuration = folder.configuration([V0.Person.self])
    configuration.readOnly = true
    _ = try Realm(configuration: configuration)
    try expectTrue(folder.dump().contains("strata_x"))
    try folder.open([V0.Person.self]) { _ in }
    try expectEqual(folder.dump(), before)
    try folder.execute("CREATE TRIGGER strata_x AFTER DELETE ON Person BEGIN SELECT nowhere; END")
    try folder.open([WithoutAge.Person.self], version: 1) { _ in }
    try expectFalse(folder.dump().contains("strata_x"))
  }
}
