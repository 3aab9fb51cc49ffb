import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Operations around a migration block")
struct BlockOperationsTests {
  @Test func `Properties are added before the block and removed after it`() {
    let old = model("C", property("p"), property("gone", .string))
    let new = model("C", property("p"), property("come", .string))
    let before = plan(old, new, .beforeBlock)
    expectNoDifference(
      before.operations,
      [.addColumn(table: "C", property("come", .string), .constant(.text("")))])
    expectNoDifference(
      before.schema,
      Schema(
        model("C", property("p"), property("come", .string), property("gone", .string))))
    let after = SchemaTranslator.operations(
      from: before.schema, to: Schema(new), phase: .afterBlock, defaults: zeros)
    expectNoDifference(after.operations, [.dropColumn(table: "C", column: "gone")])
    expectEqual(after.schema, Schema(new))
  }

  @Test
  func `A retyped property is rebuilt before the block, once, and what is to be removed stays`()
    throws
  {
    let old = model("C", property("p"), property("x", .any), link("l", to: "C"))
    let new = model("C", property("p", .string))
    let before = plan(old, new, .beforeBlock)
    expectNoDifference(
      try #require(onlyRebuild(before.operations)).columns,
      [
        .init(property: property("p", .string), source: .value(.text(""))),
        .init(property: property("x", .any), source: .column("x")),
        .init(property: link("l", to: "C"), source: .column("l")),
      ])
    expectEqual(before.operations.count, 1)
  }

  @Test func `A primary key is removed before the block only if it changes`() {
    let keyed = model("C", key: "p", property("p"), property("q"))
    let same = stepsAroundBlock(keyed, keyed)
    expectEqual(same.before, [])
    expectEqual(same.after, [])
    let moved = stepsAroundBlock(keyed, model("C", key: "q", property("p"), property("q")))
    expectEqual(moved.before, ["Make 'p' no longer the primary key of 'C'."])
    expectEqual(moved.after, ["Make 'q' the primary key of 'C'."])
    let rebuilt = stepsAroundBlock(
      keyed, model("C", key: "p", property("p"), property("q", .string)))
    expectEqual(
      rebuilt.before, ["Make 'p' no longer the primary key of 'C'.", "Rebuild table 'C'."])
    expectEqual(rebuilt.after, ["Make 'p' the primary key of 'C'."])
    expectEqual(plan(keyed, keyed, .beforeBlock).schema["C"]?.primaryKey, "p")
    expectEqual(plan(keyed, keyed, .afterBlock).schema["C"]?.primaryKey, "p")
  }

  @Test func `A new table gets its primary key after the block`() {
    let new = model("C", key: "p", property("p", indexed: true), property("q", indexed: true))
    let before = plan(model("B", property("p")), new, .beforeBlock)
    expectNoDifference(
      before.operations, [.createTable(model("C", property("p"), property("q", indexed: true)))])
    let after = SchemaTranslator.operations(
      from: before.schema, to: Schema(new), phase: .afterBlock, defaults: zeros)
    expectNoDifference(
      after.operations, [.createPrimaryKey(table: "C", property("p", indexed: true))])
  }

  @Test func `Indexes are dropped before the block and created after it, except those of links`() {
    let old = model("C", property("p", indexed: true), property("q"))
    let new = model("C", property("p"), property("q", indexed: true), link("l", to: "C"))
    let operations = stepsAroundBlock(old, new)
    expectNoDifference(
      operations.before,
      [
        "Drop the index of 'C.p'.",
        "Add column 'l' to 'C'.",
      ])
    expectEqual(operations.after, ["Create the index of 'C.q'."])
  }

  @Test func `The index of a removed column stays as long as the column`() {
    let operations = stepsAroundBlock(
      model("C", property("p"), property("gone", indexed: true)), model("C", property("p")))
    expectEqual(operations.before, [])
    expectEqual(operations.after, ["Drop the index of 'C.gone'.", "Drop column 'gone' of 'C'."])
  }

  @Test func `Embedding is decided after the block, and no collection is forgotten`() {
    let old = model("C", property("p"), property("tags", .string, .list))
    let new = model("C", embedded: true, property("p"), property("names", .string, .set))
    let before = plan(old, new, .beforeBlock)
    expectNoDifference(
      before.schema,
      Schema(
        model(
          "C", property("p"), property("names", .string, .set), property("tags", .string, .list))))
    expectEqual(before.operations.map(\.description), ["Create table 'C_names'."])
    let after = plan(old, new, .afterBlock)
    expectEqual(after.schema, Schema(new))
    expectEqual(
      after.operations.map(\.description),
      [
        "Drop table 'C_tags'.", "Create table 'C_names'.",
        "Embed the objects of 'C' in the objects that link to them.",
      ])
  }

  @Test func `A column and a collection may have the same name during the block`() {
    let old = model("C", property("p", .int, .list))
    let new = model("C", property("p"))
    let before = plan(old, new, .beforeBlock)
    expectNoDifference(
      before.schema, Schema(model("C", property("p"), property("p", .int, .list))))
    let after = SchemaTranslator.operations(
      from: before.schema, to: Schema(new), phase: .afterBlock, defaults: zeros)
    expectEqual(after.operations.map(\.description), ["Drop table 'C_p'."])
    expectEqual(after.schema, Schema(new))
    let back = stepsAroundBlock(new, old)
    expectEqual(back.before, ["Create table 'C_p'."])
    expectEqual(back.after, ["Drop column 'p' of 'C'."])
  }
}
