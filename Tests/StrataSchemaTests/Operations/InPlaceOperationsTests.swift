import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Operations in place")
struct InPlaceOperationsTests {
  private let old = model("C", property("p"))

  @Test func `Nothing is done where nothing changes, or nothing that a table shows`() {
    expectEqual(operations(old, old), [])
    let other = model("C", property("q", column: "p"))
    expectEqual(operations(old, other), [])
    expectEqual(plan(old, other).schema, Schema(other).stored)
  }

  @Test func `The tables of new classes are created, and those of removed classes stay`() {
    let gone = model("Gone", property("p"))
    let new = model("New", key: "id", property("id", column: "key"), link("c", to: "New"))
    let plan = plan(gone, new)
    expectNoDifference(plan.operations, [.createTable(new.stored)])
    expectNoDifference(plan.schema, Schema(gone, new.stored))
  }

  @Test func `A required property is added with its Swift default`() {
    let new = model(
      "C", property("p"), property("q", .string), property("r", .date, optional: true))
    expectNoDifference(
      operations(old, new) { className, property in
        expectEqual(className, "C")
        expectEqual(property.name, "q", "Only required properties need a default.")
        return .constant(.text("none"))
      },
      [
        .addColumn(table: "C", property("q", .string), .constant(.text("none"))),
        .addColumn(table: "C", property("r", .date, optional: true), .constant(.null)),
      ])
  }

  @Test
  func `A default that differs from row to row, or has no exact SQL, is evaluated for each row`() {
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

  @Test func `A property without a default of the model is filled with the zero of its type`() {
    let new = model("C", property("p"), property("q", .string))
    expectNoDifference(
      operations(old, new) { _, _ in .constant(.null) },
      [.addColumn(table: "C", property("q", .string), .constant(.text("")))])
  }

  @Test func `Up to two columns are dropped, after their indexes`() {
    let wide = model("C", property("p"), property("q", indexed: true), property("r", .string))
    expectNoDifference(
      operations(wide, old),
      [
        .dropIndex(table: "C", columns: ["q"]),
        .dropColumn(table: "C", column: "q"),
        .dropColumn(table: "C", column: "r"),
      ])
  }

  @Test func `Both columns of AnyRealmValue are dropped`() {
    expectNoDifference(
      operations(model("C", property("p"), property("x", .any)), old),
      [
        .dropColumn(table: "C", column: "x"),
        .dropColumn(table: "C", column: "x_type"),
      ])
  }

  @Test func `Indexes are created and dropped`() {
    let indexed = model("C", property("p", indexed: true))
    expectEqual(operations(old, indexed), [.createIndex(table: "C", columns: ["p"])])
    expectEqual(operations(indexed, old), [.dropIndex(table: "C", columns: ["p"])])
  }

  @Test func `A new link gets its index`() {
    let dog = link("dog", to: "C")
    expectNoDifference(
      operations(old, model("C", property("p"), dog)),
      [
        .addColumn(table: "C", dog, .constant(.null)),
        .createIndex(table: "C", columns: ["dog"]),
      ])
  }

  @Test func `Tables are in byte order`() {
    let names = ["b", "É", "a", "B"]
    let old = Schema(names.map { ObjectSchema(className: $0, properties: [property("p")]) })
    let new = Schema(
      names.map { ObjectSchema(className: $0, properties: [property("p", indexed: true)]) })
    let plan = SchemaTranslator.operations(from: old, to: new, phase: .noBlock, defaults: zeros)
    expectNoDifference(
      plan.operations, ["B", "a", "b", "É"].map { .createIndex(table: $0, columns: ["p"]) })
  }

  @Test func `A full-text index comes and goes with an operation, and with its column`() {
    let plain = model("C", property("p", .string))
    let wanted = model("C", property("p", .string, fullText: true))
    expectEqual(operations(plain, wanted), [.createTextIndex(table: "C", column: "p")])
    expectEqual(operations(wanted, plain), [.dropTextIndex(table: "C", column: "p")])
    expectEqual(operations(wanted, wanted), [])
    let around = stepsAroundBlock(plain, wanted)
    expectEqual(around.before, [])
    expectEqual(around.after, ["Create the full-text index of 'C.p'."])
    let both = model("C", property("p", .string), property("q", .string, fullText: true))
    expectEqual(
      operations(plain, both).map(\.description),
      ["Add column 'q' to 'C'.", "Create the full-text index of 'C.q'."])
    expectEqual(operations(both, plain).map(\.description), ["Drop column 'q' of 'C'."])
  }
}
