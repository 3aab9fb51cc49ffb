import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The catalog of a file")
struct CatalogCheckTests {
  private let stored = Schema(
    model(
      "Person", key: "id",
      property("id", .string), property("age", optional: true), property("x", .any),
      property("tags", .string, .list)),
    model("order", property("_id", .string)))

  private let columns = [
    CatalogColumn(table: "Person", name: "_id", type: "INTEGER", isPrimaryKey: true),
    CatalogColumn(table: "Person", name: "id", type: "TEXT", notNull: true),
    CatalogColumn(table: "Person", name: "age", type: "INTEGER"),
    CatalogColumn(table: "Person", name: "x", type: "ANY"),
    CatalogColumn(table: "Person", name: "x_type", type: "TEXT"),
    CatalogColumn(
      table: "Person_tags", name: "owner", type: "INTEGER", notNull: true, isPrimaryKey: true),
    CatalogColumn(
      table: "Person_tags", name: "position", type: "INTEGER", notNull: true, isPrimaryKey: true),
    CatalogColumn(table: "Person_tags", name: "value", type: "TEXT", notNull: true),
    CatalogColumn(table: "order", name: "_row_id", type: "INTEGER", isPrimaryKey: true),
    CatalogColumn(table: "order", name: "_id", type: "TEXT", notNull: true),
  ]

  private func problems(_ columns: [CatalogColumn]) -> [String] {
    CatalogCheck.problems(stored: stored, columns: columns)
  }

  /// The columns with one of them changed.
  private func changing(
    _ table: String, _ name: String, _ change: (inout CatalogColumn) -> Void
  ) throws -> [CatalogColumn] {
    var columns = columns
    let index = try #require(columns.firstIndex { $0.table == table && $0.name == name })
    change(&columns[index])
    return columns
  }

  @Test func `A catalog may have what the schema says, whatever the order and case of names`() {
    expectEqual(problems(columns), [])
    expectEqual(problems(columns.reversed()), [])
    let lowercased = columns.map { column in
      var column = column
      column.table = column.table.uppercased()
      column.name = column.name.uppercased()
      column.type = column.type.lowercased()
      return column
    }
    expectEqual(problems(lowercased), [])
  }

  @Test func `A catalog may have more, and defaults`() throws {
    let more = [
      CatalogColumn(table: "Person", name: "note", type: "INT", hidden: 2),
      CatalogColumn(table: "_litestream_lock", name: "id", type: "INTEGER"),
    ]
    expectEqual(problems(try changing("Person", "age") { $0.defaultSQL = "5" } + more), [])
  }

  @Test func `A catalog must not lack anything`() {
    expectNoDifference(
      problems(columns.filter { $0.table != "order" && $0.name != "x_type" && $0.name != "age" }),
      [
        "Column 'Person.age' is missing.",
        "Column 'Person.x_type' is missing.",
        "Table 'order' is missing.",
      ])
    expectEqual(
      problems([]),
      [
        "Table 'Person' is missing.", "Table 'Person_tags' is missing.",
        "Table 'order' is missing.",
      ])
    expectEqual(
      problems(columns.filter { $0.name != "_row_id" }), ["Column 'order._row_id' is missing."])
  }

  @Test func `A catalog must have the types, and NULL where it is allowed`() throws {
    expectEqual(
      problems(try changing("Person", "age") { $0.type = "TEXT" }),
      ["Column 'Person.age' is declared TEXT NULL where INTEGER NULL was expected."])
    expectEqual(
      problems(try changing("Person", "age") { $0.notNull = true }),
      ["Column 'Person.age' is declared INTEGER NOT NULL where INTEGER NULL was expected."])
    expectEqual(
      problems(try changing("Person", "id") { $0.notNull = false }),
      ["Column 'Person.id' is declared TEXT NULL where TEXT NOT NULL was expected."])
    expectEqual(
      problems(try changing("Person", "x") { $0.type = "" }),
      ["Column 'Person.x' is declared without a type, NULL where ANY NULL was expected."])
    expectEqual(
      problems(try changing("order", "_id") { $0.hidden = 2 }),
      [
        "Column 'order._id' is declared GENERATED TEXT NOT NULL "
          + "where TEXT NOT NULL was expected."
      ])
  }

  @Test func `A catalog must have the tables of collections with all their columns`() throws {
    expectEqual(
      problems(columns.filter { $0.table != "Person_tags" }), ["Table 'Person_tags' is missing."])
    expectEqual(
      problems(columns.filter { $0.name != "position" }),
      ["Column 'Person_tags.position' is missing."])
    expectEqual(
      problems(try changing("Person_tags", "value") { $0.notNull = false }),
      ["Column 'Person_tags.value' is declared TEXT NULL where TEXT NOT NULL was expected."])
  }

  @Test func `A catalog must have the identity as SQLite's own row number`() throws {
    let expected = "where INTEGER PRIMARY KEY was expected."
    expectEqual(
      problems(try changing("Person", "_id") { $0.isPrimaryKey = false }),
      ["Column 'Person._id' is declared INTEGER NULL \(expected)"])
    expectEqual(
      problems(try changing("Person", "_id") { $0.type = "INT" }),
      ["Column 'Person._id' is declared INT NULL \(expected)"])
  }

  @Test func `A catalog is compared by columns, not by the names of properties`() {
    let schema = Schema(model("A", property("p", column: "q")))
    let columns = [
      CatalogColumn(table: "A", name: "_id", type: "INTEGER", isPrimaryKey: true),
      CatalogColumn(table: "A", name: "q", type: "INTEGER", notNull: true),
    ]
    expectEqual(CatalogCheck.problems(stored: schema, columns: columns), [])
  }
}
