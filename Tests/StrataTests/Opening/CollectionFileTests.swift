import Foundation
import GRDB
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// Files with collections and links in classes that the program doesn't have.
@Suite("A file with collections")
struct CollectionFileTests {
  private let folder: TestFolder
  private let classes = Schema([
    model("Dog", property("tags", .string, .list)),
    model(
      "Owner", link("dog", to: "Dog"), property("dogs", .object, to: "Dog", .list),
      property("x", .any), link("home", to: "Home")),
    model("Home", embedded: true, property("p")),
  ])

  init() throws {
    folder = try TestFolder()
    try folder.write([V0.Person.self]) { realm in realm.create(V0.Person.self) }
    let stored = try folder.sql { try FileState.read($0, at: folder.file).schema }
    var schema = stored
    for object in classes.objectSchema { schema.update(object) }
    try folder.sql { [classes, schema] db in
      for object in classes.objectSchema {
        for sql in TableSQL.createAll(object) { try db.execute(sql: sql) }
      }
      try HelperItems.make(of: schema, in: db)
      try VersionTable.record(db, version: 0, SchemaRecord(schema))
      try db.execute(
        sql: """
          INSERT INTO Dog VALUES (1); INSERT INTO Dog_tags VALUES (1, 0, 'a');
          INSERT INTO Home VALUES (1, 1);
          INSERT INTO Owner VALUES (1, 1, 1, '<Dog>', 1);
          INSERT INTO Owner_dogs VALUES (1, 0, 1);
          """)
    }
  }

  private func rows(_ sql: String) throws -> [String] {
    try folder.sql { try Row.fetchAll($0, sql: sql).map(\.description) }
  }

  @Test
  func `A file with collections is opened as it is, and has its triggers made again`() throws {
    let before = try folder.dump()
    try folder.open([V0.Person.self]) { expectEqual($0.objects(V0.Person.self).count, 1) }
    try expectEqual(folder.dump(), before)
    try folder.execute("DROP TRIGGER strata_delete_Dog; DROP INDEX \"Owner.x link\"")
    try folder.open([V0.Person.self]) { _ in }
    try expectEqual(folder.dump(), before)
    try folder.execute("DROP TRIGGER strata_delete_Dog")
    try folder.open([V0.Person.self, V0.Keyed.self]) { _ in }
    try expectTrue(folder.dump().contains("trigger strata_delete_Dog"))
  }

  @Test func `A file must have the tables of its collections`() throws {
    try folder.execute("DROP TABLE Dog_tags")
    let error = try folder.expectUntouched([V0.Person.self], version: 0)
    expectEqual(error?.code, .invalidDatabase)
    expectEqual(error?.message.contains("\n- Table 'Dog_tags' is missing.\n"), true)
  }

  @Test func `A file with collections can start over without any of them`() throws {
    var configuration = folder.configuration([V0.Keyed.self], version: 1)
    configuration.deleteRealmIfMigrationNeeded = true
    _ = try Realm(configuration: configuration)
    let tables = try folder.texts(
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'trigger') ORDER BY name")
    expectEqual(tables, ["Keyed", "grdb_migrations", "sqlite_sequence", "strata_schema_version"])
  }

  @Test func `A removed class that others link to can be deleted from the file`() throws {
    try folder.open(
      [V0.Person.self], version: 1,
      { migration, _ in
        expectTrue(migration.deleteData(forType: "Dog"))
      }
    ) { _ in }
    try expectEqual(rows("SELECT * FROM Owner"), ["[_id:1 x:NULL x_type:NULL home:1]"])
    try expectFalse(folder.dump().contains("Owner_dogs"))
    try expectFalse(folder.dump().contains("Dog_tags"))
    try expectTrue(folder.isSound())
    try folder.execute("DELETE FROM Owner")
    try expectEqual(rows("SELECT * FROM Home"), [])
  }

  @Test func `Links to missing rows become nil in a migration`() throws {
    try folder.execute(
      """
      PRAGMA foreign_keys = OFF;
      UPDATE Owner SET dog = 77;
      INSERT INTO Owner_dogs VALUES (5, 0, 1), (1, 1, 88);
      """)
    try expectFalse(folder.isSound())
    try folder.open([V0.Person.self], version: 1) { _ in }
    try expectTrue(folder.isSound())
    try expectEqual(rows("SELECT dog FROM Owner"), ["[dog:NULL]"])
    try expectEqual(rows("SELECT * FROM Owner_dogs"), ["[owner:1 position:0 value:1]"])
  }
}
