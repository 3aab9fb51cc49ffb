import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Operations for primary keys")
struct PrimaryKeyOperationsTests {
  private let plain = model("C", property("p"), property("q"))
  private let keyed = model("C", key: "p", property("p"), property("q"))

  @Test func `A key is added, removed and moved without a rebuild`() {
    expectEqual(operations(plain, keyed), [.createPrimaryKey(table: "C", property("p"))])
    expectEqual(operations(keyed, plain), [.dropPrimaryKey(table: "C", column: "p")])
    expectEqual(
      operations(keyed, model("C", key: "q", property("p"), property("q"))),
      [
        .dropPrimaryKey(table: "C", column: "p"),
        .createPrimaryKey(table: "C", property("q")),
      ])
  }

  @Test func `A plain index stays only where the index of the key does not serve`() {
    let indexed = model("C", property("p", indexed: true), property("q"))
    expectEqual(
      operations(indexed, keyed),
      [
        .dropIndex(table: "C", columns: ["p"]), .createPrimaryKey(table: "C", property("p")),
      ])
    expectEqual(
      operations(keyed, indexed),
      [
        .dropPrimaryKey(table: "C", column: "p"), .createIndex(table: "C", columns: ["p"]),
      ])
    let both = model("C", key: "p", property("p", indexed: true), property("q"))
    expectEqual(operations(keyed, both), [])
    expectEqual(operations(both, keyed), [])
  }

  @Test func `A key stays where only other columns change in place`() {
    let more = model("C", key: "p", property("p"), property("q"), property("r"))
    expectNoDifference(
      operations(keyed, more), [.addColumn(table: "C", property("r"), .constant(.integer(0)))])
    expectNoDifference(operations(more, keyed), [.dropColumn(table: "C", column: "r")])
  }

  @Test func `A key is made again after a rebuild, retyped or not`() {
    for new in [
      model("C", key: "p", property("p", .string), property("q")),
      model("C", key: "p", property("p", optional: true), property("q")),
      model("C", key: "p", property("p"), property("q", .string)),
    ] {
      expectNoDifference(
        operations(keyed, new).map(\.description),
        [
          "Make 'p' no longer the primary key of 'C'.",
          "Rebuild table 'C'.",
          "Make 'p' the primary key of 'C'.",
        ])
    }
  }

  @Test func `A key is dropped before its column`() {
    expectNoDifference(
      operations(keyed, model("C", property("q"))),
      [.dropPrimaryKey(table: "C", column: "p"), .dropColumn(table: "C", column: "p")])
  }

  @Test func `A key that the file claims to have, but has no column for, is made`() {
    expectNoDifference(
      operations(model("C", key: "p", property("q")), keyed),
      [
        .dropPrimaryKey(table: "C", column: "p"),
        .addColumn(table: "C", property("p"), .constant(.integer(0))),
        .createPrimaryKey(table: "C", property("p")),
      ])
  }

  @Test func `The keys of all tables are made at the end`() {
    let old = Schema(model("A", property("p")), model("B", property("p")))
    let new = Schema(
      model("A", key: "p", property("p")),
      model("B", key: "p", property("p"), property("q", .string)))
    let plan = SchemaTranslator.operations(from: old, to: new, phase: .noBlock, defaults: zeros)
    expectNoDifference(
      plan.operations,
      [
        .addColumn(table: "B", property("q", .string), .constant(.text(""))),
        .createPrimaryKey(table: "A", property("p")),
        .createPrimaryKey(table: "B", property("p")),
      ])
  }
}
