import Foundation
import GRDB
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import StrataStorage

@Suite("Migrating collections")
struct CollectionOperationTests {
  private let p = property("p")

  private func file(_ tags: Property) throws -> MemoryFile {
    try MemoryFile(model("A", p, tags))
  }

  @Test
  func `A collection of another type starts empty, and the report says how many values were lost`()
    throws
  {
    var file = try file(property("tags", .string, .list))
    try file.execute(
      "INSERT INTO A VALUES (1, 7); INSERT INTO A_tags VALUES (1, 0, 'x'), (1, 1, 'y')")
    let report = try file.migrate(
      to: model("A", p, property("tags", .string, .set)), phases: [.beforeBlock, .afterBlock])
    expectEqual(report.restarted.map(\.property), ["A.tags"])
    expectEqual(report.restarted.map(\.values), [2])
    try expectEqual(file.rows("SELECT * FROM A_tags"), [])
    try expectTrue(file.isSound())
    try expectTrue(file.migrate(to: model("A", p)).restarted.isEmpty)
    try expectEqual(
      file.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'A!_%' ESCAPE '!'"), [])
  }

  @Test func `The rows of a collection whose name differs in case only are kept`() throws {
    var file = try MemoryFile(
      model("A", property("Tags", .any, .set), property("As", .object, to: "A", .list)))
    try file.execute(
      """
      INSERT INTO A VALUES (1);
      INSERT INTO A_Tags VALUES (1, 5, 'int');
      INSERT INTO A_As VALUES (1, 0, 1);
      CREATE VIEW tags AS SELECT * FROM A_tags;
      """)
    try file.migrate(
      to: model("A", property("tags", .any, .set), property("as", .object, to: "A", .list)))
    try expectEqual(file.rows("SELECT * FROM tags"), ["1 5 int"])
    try expectEqual(file.rows("SELECT * FROM A_as"), ["1 0 1"])
    try expectTrue(file.isSound())
  }

  @Test func `Links and AnyRealmValues follow renames and rebuilds`() throws {
    var file = try MemoryFile(
      model("A", property("p", .string), property("x", .any), link("a", to: "A")))
    try file.execute("INSERT INTO A VALUES (1, 'p', 1, '<A>', 1), (2, 'q', 1, '<A>', NULL)")
    try file.migrate(
      to: model("A", property("p", .string), property("X", .any), link("A", to: "A")))
    try expectTrue(file.isSound())
    try file.run(.renameColumn(table: "A", from: "X", to: "y"))
    try file.run(.renameColumn(table: "A", from: "X_type", to: "y_type"))
    file.schema = Schema([
      model("A", property("p", .string), property("y", .any), link("A", to: "A"))
    ])
    try file.makeTriggers()
    try expectTrue(file.isSound())
    try file.migrate(
      to: model(
        "A", property("p", .string, optional: true), property("y", .any), link("A", to: "A")))
    try expectTrue(file.isSound())
    try expectEqual(file.rows("SELECT * FROM A"), ["1 p 1 <A> 1", "2 q 1 <A> nil"])
    try file.migrate(to: model("A", property("p", .string, optional: true)))
    try expectTrue(file.isSound())
    try expectEqual(
      file.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'strata!_%' ESCAPE '!'"), [])
    try file.migrate(to: model("A", property("p", .string, optional: true), property("y", .any)))
    try expectTrue(file.isSound())
  }

  @Test func `A class is dropped with its collections and the links to it`() throws {
    var file = try MemoryFile(
      model("Dog", property("tags", .string, .list), link("toy", to: "Toy")),
      model("Toy", embedded: true, property("p")),
      model(
        "Person", link("dog", to: "Dog"), property("dogs", .object, to: "Dog", .list),
        property("map", .object, to: "Dog", .map), property("x", .any),
        property("xset", .any, .set)))
    try file.execute(
      """
      INSERT INTO Toy VALUES (1, 1);
      INSERT INTO Dog VALUES (1, 1);
      INSERT INTO Dog_tags VALUES (1, 0, 'a');
      INSERT INTO Person VALUES (1, 1, 1, '<Dog>'), (2, NULL, 1, '<Person>');
      INSERT INTO Person_dogs VALUES (1, 0, 1);
      INSERT INTO Person_map VALUES (1, 'a', 1);
      INSERT INTO Person_xset VALUES (1, 1, '<Dog>'), (1, 1, 'int');
      """)
    try file.run(.dropTable("Dog", in: file.schema))
    file.schema = file.schema.removing("Dog")
    try file.makeTriggers()
    try expectTrue(file.isSound())
    try expectEqual(file.rows("SELECT * FROM Person"), ["1 nil nil", "2 1 <Person>"])
    try expectEqual(file.rows("SELECT * FROM Person_xset"), ["1 1 int"])
    try expectEqual(file.rows("SELECT * FROM Toy"), [])
    try expectEqual(
      file.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"),
      ["Person", "Person_xset", "Toy", "sqlite_sequence"])
    try file.execute("PRAGMA foreign_keys = ON; DELETE FROM Person")
    try expectEqual(file.rows("SELECT * FROM Person_xset"), [])
  }

  @Test
  func `A table of another program, and columns that can't be carried over are refused`() throws {
    var other = try MemoryFile(model("A", p))
    try other.execute("CREATE TABLE A_tags (x)")
    try expectEqual(
      other.refusal(to: model("A", p, property("tags", .string, .list))),
      "Collection 'A.tags' can't get a table: the file has a table or view 'A_tags', which this "
        + "library didn't make. Rename one of them, or use another file.")
    try expectNil(
      other.refusal(to: model("A", p), model("A_", property("tags", .string, .list))))
    var file = try file(property("tags", .string, .list))
    try file.execute("ALTER TABLE A_tags ADD COLUMN note TEXT")
    let message = try file.refusal(
      to: model("A", p, property("tags", .string, .list, optional: true)))
    expectTrue(message?.contains("(note)") == false && message?.contains("'note'") == true)
    try expectNil(file.refusal(to: model("A", p, property("tags", .string, .list))))
  }

  @Test func `Columns of other programs beside links are carried over, unless one has a reference`()
    throws
  {
    var file = try MemoryFile(model("A", p, link("a", to: "A")))
    try file.execute("ALTER TABLE A ADD COLUMN note TEXT")
    try file.execute("INSERT INTO A VALUES (1, 2, 1, 'x')")
    let optional = property("p", optional: true)
    try file.migrate(to: model("A", optional, link("a", to: "A")))
    try expectEqual(file.rows("SELECT * FROM A"), ["1 2 1 x"])
    try file.execute("ALTER TABLE A ADD COLUMN other INTEGER REFERENCES A(_id)")
    let message = try file.refusal(to: model("A", p, link("a", to: "A")))
    expectEqual(message?.contains("a REFERENCES clause"), true, "\(message ?? "none")")
  }
}
