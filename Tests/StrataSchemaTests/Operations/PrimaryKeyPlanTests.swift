import CustomDump
import StrataSchema
import Testing

@Suite("A plan for primary keys")
struct PrimaryKeyPlanTests {
  private let plain = model("C", property("p"), property("q"))
  private let keyed = model("C", key: "p", property("p"), property("q"))

  @Test("adds, removes and moves the key without a rebuild")
  func changes() {
    #expect(operations(plain, keyed) == [.createPrimaryKey(table: "C", property("p"))])
    #expect(operations(keyed, plain) == [.dropPrimaryKey(table: "C", column: "p")])
    #expect(
      operations(keyed, model("C", key: "q", property("p"), property("q")))
        == [
          .dropPrimaryKey(table: "C", column: "p"),
          .createPrimaryKey(table: "C", property("q")),
        ])
  }

  @Test("keeps a plain index only where the key's does not serve")
  func indexes() {
    let indexed = model("C", property("p", indexed: true), property("q"))
    #expect(
      operations(indexed, keyed)
        == [
          .dropIndex(table: "C", column: "p"), .createPrimaryKey(table: "C", property("p")),
        ])
    #expect(
      operations(keyed, indexed)
        == [
          .dropPrimaryKey(table: "C", column: "p"), .createIndex(table: "C", column: "p"),
        ])
    let both = model("C", key: "p", property("p", indexed: true), property("q"))
    #expect(operations(keyed, both) == [])
    #expect(operations(both, keyed) == [])
  }

  @Test("leaves the key alone where only other columns change in place")
  func untouched() {
    let more = model("C", key: "p", property("p"), property("q"), property("r"))
    expectNoDifference(
      operations(keyed, more), [.addColumn(table: "C", property("r"), .constant(.integer(0)))])
    expectNoDifference(operations(more, keyed), [.dropColumn(table: "C", column: "r")])
  }

  @Test("makes the key again after a rebuild, retyped or not")
  func rebuilt() {
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

  @Test("drops the key before its column")
  func removedColumn() {
    expectNoDifference(
      operations(keyed, model("C", property("q"))),
      [.dropPrimaryKey(table: "C", column: "p"), .dropColumn(table: "C", column: "p")])
  }

  @Test("makes a key that the file claims to have, but has no column for")
  func claimed() {
    expectNoDifference(
      operations(model("C", key: "p", property("q")), keyed),
      [
        .dropPrimaryKey(table: "C", column: "p"),
        .addColumn(table: "C", property("p"), .constant(.integer(0))),
        .createPrimaryKey(table: "C", property("p")),
      ])
  }

  @Test("makes the keys of all tables when all else is done")
  func last() {
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
