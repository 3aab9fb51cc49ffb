import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The rules for names")
struct NameRulesTests {
  private let p = property("p")

  @Test func `The same class twice is refused once`() {
    expectEqual(
      problems(model("C", p), model("C", p), model("C", p)),
      ["Type 'C' appears more than once in the schema."])
  }

  @Test func `Classes that SQLite cannot tell apart are refused`() {
    expectEqual(
      problems(model("person", p), model("Person", p)),
      [
        "Types 'Person' and 'person' differ only in case and would share one table. Rename one of "
          + "them, or give it another name in the file with '_realmObjectName()'."
      ])
    expectEqual(problems(model("É", p), model("é", p)), [])
  }

  @Test(
    arguments: [
      "sqlite_", "SQLITE_x", "strata_schema_version", "Strata_x", "grdb_migrations",
      "GRDB_Migrations", "old", "Old",
    ])
  func `Reserved names are refused`(name: String) {
    expectEqual(problems(model(name, p)), ["Type name '\(name)' is reserved."])
  }

  @Test(arguments: ["sqlite", "strata", "grdb_migration"])
  func `Names that only look reserved are allowed`(name: String) {
    expectEqual(problems(model(name, p)), [])
  }

  @Test(
    arguments: [("", ""), ("a.b", "a.b"), ("a\0b", "a\\0b")])
  func `Names that no table can have are refused`(name: String, shown: String) {
    expectEqual(
      problems(model(name, p)),
      [
        "Type name '\(shown)' cannot be the name of a table: "
          + "it is empty, or contains a dot or a NUL character."
      ])
  }

  @Test func `The same property twice is refused`() {
    expectEqual(
      problems(model("C", p, property("p", .string))),
      ["Property 'p' appears more than once in the schema for type 'C'."])
  }

  @Test func `Two properties with one column are refused`() {
    expectEqual(
      problems(model("C", property("p", column: "x"), property("q", column: "x"))),
      ["Properties 'p' and 'q' of type 'C' both have the column 'x'."])
    expectEqual(
      problems(model("C", property("name"), property("NAME"))),
      [
        "Columns 'name' and 'NAME' of type 'C' differ only in case. Give one of the properties "
          + "another column in 'propertiesMapping()'."
      ])
    expectEqual(problems(model("C", p, property("q", .int, .list, column: "P"))).count, 1)
  }

  @Test func `Properties without a usable name are refused`() {
    expectEqual(
      problems(model("C", property("p", column: ""), property("a\0b"))),
      [
        "Property 'C.p' has a name or column name that is empty or contains a NUL character.",
        "Property 'C.a\\0b' has a name or column name that is empty or contains a NUL character.",
      ])
  }

  @Test func `The helper names of AnyRealmValue and of an optional key are kept free`() {
    let repair = "Give one of the properties another column in 'propertiesMapping()'."
    expectEqual(
      problems(model("C", property("x", .any), property("X_type", .string))),
      ["Column 'C.X_type' has the name of a column that 'C.x' needs. \(repair)"])
    expectEqual(
      problems(model("C", property("x", .any), property("x link", .string))),
      ["Column 'C.x link' has the name of a column that 'C.x' needs. \(repair)"])
    expectEqual(
      problems(model("C", key: "id", property("id", optional: true), property("id nil"))),
      ["Column 'C.id nil' has the name of a column that 'C.id' needs. \(repair)"])
    expectEqual(problems(model("C", key: "id", property("id"), property("id nil"))), [])
    expectEqual(problems(model("C", property("x", .any, .list), property("x_type"))), [])
    expectEqual(problems(model("C", property("x", .any), property("x_type", .int, .list))), [])
  }

  @Test func `A name is left for the identity`() {
    expectEqual(
      problems(model("C", property("_ID"), property("_row_id"))),
      [
        "Type 'C' has columns '_id' and '_row_id', which leaves no name for the row's identity. "
          + "Give one of the properties another column in 'propertiesMapping()'."
      ])
    expectEqual(problems(model("C", property("_id"), property("_row_id", .int, .list))), [])
  }
}
