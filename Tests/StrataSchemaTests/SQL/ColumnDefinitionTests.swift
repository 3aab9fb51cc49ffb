import StrataSchema
import Testing

@Suite("A column")
struct ColumnDefinitionTests {
  @Test(
    "has the type of the file format",
    arguments: [
      (PropertyType.int, "INTEGER"), (.bool, "INTEGER"), (.object, "INTEGER"),
      (.float, "REAL"), (.double, "REAL"),
      (.string, "TEXT"), (.objectId, "TEXT"), (.UUID, "TEXT"), (.decimal128, "TEXT"),
      (.date, "TEXT"), (.data, "BLOB"), (.any, "ANY"),
    ])
  func types(type: PropertyType, expected: String) {
    #expect(ColumnType(type).rawValue == expected)
  }

  @Test("refuses NULL unless its property is optional")
  func required() {
    #expect(property("p", .string).columns.map(\.sql) == [#""p" TEXT NOT NULL"#])
    #expect(property("p", .string, optional: true).columns.map(\.sql) == [#""p" TEXT"#])
  }

  @Test("of a mapped property has the mapped name")
  func mapped() {
    #expect(property("p", column: "q").columns.map(\.name) == ["q"])
    #expect(property("p", .any, column: "q").columns.map(\.name) == ["q", "q_type"])
    #expect(property("p", .any, column: "q").typeColumnName == "q_type")
  }

  @Test("is none for collections and linking objects")
  func none() {
    #expect(property("p", .any, .list).columns == [])
    #expect(property("p", .any, .list).typeColumnName == nil)
    #expect(linkingObjects("p", from: "A", "b").columns == [])
  }

  @Test("of a collection is in a table called after both")
  func collection() {
    let name = CollectionTable.name(
      className: "Person", property: property("dogs", .object, to: "Dog", .list, column: "pets"))
    #expect(name == "Person_pets")
  }
}
