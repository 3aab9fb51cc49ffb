import CustomDump
import StrataSchema
import Testing

@Suite("A plan in place")
struct InPlacePlanTests {
  private let old = model("C", property("p"))

  @Test("is empty where nothing changes, or nothing that a table shows")
  func nothing() {
    #expect(operations(old, old) == [])
    let other = model("C", property("q", column: "p"))
    #expect(operations(old, other) == [])
    #expect(plan(old, other).schema == Schema(other).stored)
  }

  @Test("makes the tables of new classes and leaves those of removed ones")
  func classes() {
    let gone = model("Gone", property("p"))
    let new = model("New", key: "id", property("id", column: "key"), link("c", to: "New"))
    let plan = plan(gone, new)
    expectNoDifference(plan.operations, [.createTable(new.stored)])
    expectNoDifference(plan.schema, Schema(gone, new.stored))
  }

  @Test("adds a column with the Swift default if it is required")
  func added() {
    let new = model(
      "C", property("p"), property("q", .string), property("r", .date, optional: true))
    expectNoDifference(
      operations(old, new) { className, property in
        #expect(className == "C")
        #expect(property.name == "q", "Only required properties need a default.")
        return .constant(.text("none"))
      },
      [
        .addColumn(table: "C", property("q", .string), .constant(.text("none"))),
        .addColumn(table: "C", property("r", .date, optional: true), .constant(.null)),
      ])
  }

  @Test("evaluates for each row what differs from row to row, or has no exact SQL")
  func perRow() {
    let new = model("C", property("p"), property("id", .UUID), property("third", .double))
    let planned = operations(old, new) { _, property in
      property.type == .UUID ? .perRow : .constant(.real(1.0 / 3))
    }
    expectNoDifference(
      planned,
      [
        .addColumn(table: "C", property("id", .UUID), .perRow),
        .addColumn(table: "C", property("third", .double), .perRow),
        .fillColumns(
          table: "C", [property("id", .UUID), property("third", .double)], onlyNull: false),
      ])
  }

  @Test("fills with the type's zero where the model has no default of its own")
  func zero() {
    let new = model("C", property("p"), property("q", .string))
    expectNoDifference(
      operations(old, new) { _, _ in .constant(.null) },
      [.addColumn(table: "C", property("q", .string), .constant(.text("")))])
  }

  @Test("drops up to two columns, after their indexes")
  func removed() {
    let wide = model("C", property("p"), property("q", indexed: true), property("r", .string))
    expectNoDifference(
      operations(wide, old),
      [
        .dropIndex(table: "C", column: "q"),
        .dropColumn(table: "C", column: "q"),
        .dropColumn(table: "C", column: "r"),
      ])
  }

  @Test("drops both columns of AnyRealmValue")
  func removedAny() {
    expectNoDifference(
      operations(model("C", property("p"), property("x", .any)), old),
      [
        .dropColumn(table: "C", column: "x"),
        .dropColumn(table: "C", column: "x_type"),
      ])
  }

  @Test("makes and drops indexes")
  func indexes() {
    let indexed = model("C", property("p", indexed: true))
    #expect(operations(old, indexed) == [.createIndex(table: "C", column: "p")])
    #expect(operations(indexed, old) == [.dropIndex(table: "C", column: "p")])
  }

  @Test("gives a new link its index")
  func newLink() {
    let dog = link("dog", to: "C")
    expectNoDifference(
      operations(old, model("C", property("p"), dog)),
      [
        .addColumn(table: "C", dog, .constant(.null)),
        .createIndex(table: "C", column: "dog"),
      ])
  }

  @Test("has the tables in byte order")
  func order() {
    let names = ["b", "É", "a", "B"]
    let old = Schema(names.map { ObjectSchema(className: $0, properties: [property("p")]) })
    let new = Schema(
      names.map { ObjectSchema(className: $0, properties: [property("p", indexed: true)]) })
    let plan = SchemaTranslator.operations(from: old, to: new, phase: .noBlock, defaults: zeros)
    expectNoDifference(
      plan.operations, ["B", "a", "b", "É"].map { .createIndex(table: $0, column: "p") })
  }
}
