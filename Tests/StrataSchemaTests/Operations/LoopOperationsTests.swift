import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Operations on a class whose table a loop rebuilds")
struct LoopOperationsTests {
  @Test func `Columns without a place are removed at once, and collections are not`() {
    let old = model(
      "C", property("p"), property("q"), property("r"), property("tags", .string, .list))
    let new = model("C", property("p"), property("s", .string))
    let during = plan(old, new, .duringLoop)
    expectEqual(during.operations.map(\.description), ["Rebuild table 'C'."])
    expectNoDifference(
      during.schema,
      Schema(model("C", property("p"), property("s", .string), property("tags", .string, .list))))
    let after = SchemaTranslator.operations(
      from: during.schema, to: Schema(new), phase: .afterBlock, defaults: zeros)
    expectEqual(after.operations.map(\.description), ["Drop table 'C_tags'."])
  }

  @Test func `Two removed columns need a rebuild, and one does not`() {
    let new = model("C", property("p"))
    let one = plan(model("C", property("p"), property("q")), new, .duringLoop)
    expectEqual(one.operations.map(\.description), ["Drop column 'q' of 'C'."])
    let two = plan(model("C", property("p"), property("q"), property("r")), new, .duringLoop)
    expectEqual(two.operations.map(\.description), ["Rebuild table 'C'."])
  }

  @Test func `Keys and new indexes wait until the block has run`() {
    let old = model("C", key: "p", property("p"), property("q"), property("r", .string))
    let new = model("C", key: "p", property("p"), property("q", indexed: true), property("r"))
    let during = plan(old, new, .duringLoop)
    expectEqual(
      during.operations.map(\.description),
      ["Make 'p' no longer the primary key of 'C'.", "Rebuild table 'C'."])
    let after = SchemaTranslator.operations(
      from: during.schema, to: Schema(new), phase: .afterBlock, defaults: zeros)
    expectEqual(
      after.operations.map(\.description),
      ["Create the index of 'C.q'.", "Make 'p' the primary key of 'C'."])
  }
}
