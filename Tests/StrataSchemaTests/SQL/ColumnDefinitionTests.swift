import StrataSchema
import TestKit
import Testing

@Suite("A column")
struct ColumnDefinitionTests {
  @Test(
    arguments: [
      (PropertyType.int, "INTEGER"), (.bool, "INTEGER"), (.object, "INTEGER"),
      (.float, "REAL"), (.double, "REAL"),
      (.string, "TEXT"), (.objectId, "TEXT"), (.UUID, "TEXT"), (.decimal128, "TEXT"),
      (.date, "TEXT"), (.data, "BLOB"), (.any, "ANY"),
    ])
  func `A column has the type of the file format`(type: PropertyType, expected: String) {
    expectEqual(ColumnType(type).rawValue, expected)
  }

  @Test func `A column refuses NULL unless its property is optional`() {
    expectEqual(property("p", .string).columns.map(\.sql), [#""p" TEXT NOT NULL"#])
    expectEqual(property("p", .string, optional: true).columns.map(\.sql), [#""p" TEXT"#])
  }

  @Test func `The column of a mapped property has the mapped name`() {
    expectEqual(property("p", column: "q").columns.map(\.name), ["q"])
    expectEqual(property("p", .any, column: "q").columns.map(\.name), ["q", "q_type"])
    expectEqual(property("p", .any, column: "q").typeColumnName, "q_type")
  }

  @Test func `Collections and linking objects have no column`() {
    expectEqual(property("p", .any, .list).columns, [])
    expectNil(property("p", .any, .list).typeColumnName)
    expectEqual(linkingObjects("p", from: "A", "b").columns, [])
  }

  @Test func `The table of a collection is named after class and property`() {
    let name = CollectionTable.name(
      className: "Person", property: property("dogs", .object, to: "Dog", .list, column: "pets"))
    expectEqual(name, "Person_pets")
  }
}
