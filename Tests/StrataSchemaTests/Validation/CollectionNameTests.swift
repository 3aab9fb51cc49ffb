import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The table of a collection")
struct CollectionNameTests {
  private let p = property("p")

  @Test func `A collection may be called as a class, or as another collection`() {
    expectEqual(
      problems(model("Person", property("dogs", .int, .list)), model("person_Dogs", p)), [])
    expectEqual(
      problems(
        model("A", property("b_c", .int, .list)), model("A_b", property("c", .int, .map))), [])
    expectEqual(
      problems(model("A", property("b", .int, .list), property("B", .int, .list))),
      [
        "Columns 'b' and 'B' of type 'A' differ only in case. Give one of the properties another "
          + "column in 'propertiesMapping()'."
      ])
  }

  @Test(
    arguments: [
      ("sqlite", "x", "sqlite_x"), ("Strata", "schema_version", "Strata_schema_version"),
      ("grdb", "migrations", "grdb_migrations"),
    ])
  func `The table of a collection may not have a reserved name`(
    name: String, column: String, table: String
  ) {
    expectEqual(
      problems(model(name, property("p", .int, .set, column: column))),
      [
        "The collection '\(name).\(column)' needs the table '\(table)', whose name is reserved."
      ])
    expectEqual(problems(model(name, property(column))), [])
  }

  @Test func `The table of a collection may not have a dot in its name, as indexes do`() {
    expectEqual(
      problems(model("A", property("b.c", .int, .list))),
      ["Collection 'A.b.c' cannot have a table: its column name contains a dot."])
  }

  @Test func `A wrong name of the class is reported instead of those of its collections`() {
    expectEqual(problems(model("sqlite_x", property("p", .int, .list))).count, 1)
    expectEqual(problems(model("a.b", property("p", .int, .list))).count, 1)
  }
}
