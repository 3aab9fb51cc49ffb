import CustomDump
import StrataSchema
import Testing

@Suite("A plan for a class whose table a loop makes anew")
struct LoopPlanTests {
  @Test("lets columns go at once that have no place any more, and no collections")
  func leftovers() {
    let old = model(
      "C", property("p"), property("q"), property("r"), property("tags", .string, .list))
    let new = model("C", property("p"), property("s", .string))
    let during = plan(old, new, .duringLoop)
    #expect(during.operations.map(\.description) == ["Rebuild table 'C'."])
    expectNoDifference(
      during.schema,
      Schema(model("C", property("p"), property("s", .string), property("tags", .string, .list))))
    let after = SchemaTranslator.operations(
      from: during.schema, to: Schema(new), phase: .afterBlock, defaults: zeros)
    #expect(after.operations.map(\.description) == ["Drop table 'C_tags'."])
  }

  @Test("rebuilds for two columns that go, and not for one")
  func oneColumn() {
    let new = model("C", property("p"))
    let one = plan(model("C", property("p"), property("q")), new, .duringLoop)
    #expect(one.operations.map(\.description) == ["Drop column 'q' of 'C'."])
    let two = plan(model("C", property("p"), property("q"), property("r")), new, .duringLoop)
    #expect(two.operations.map(\.description) == ["Rebuild table 'C'."])
  }

  @Test("leaves keys and new indexes for after the block")
  func indexes() {
    let old = model("C", key: "p", property("p"), property("q"), property("r", .string))
    let new = model("C", key: "p", property("p"), property("q", indexed: true), property("r"))
    let during = plan(old, new, .duringLoop)
    #expect(
      during.operations.map(\.description)
        == ["Make 'p' no longer the primary key of 'C'.", "Rebuild table 'C'."])
    let after = SchemaTranslator.operations(
      from: during.schema, to: Schema(new), phase: .afterBlock, defaults: zeros)
    #expect(
      after.operations.map(\.description)
        == ["Create the index of 'C.q'.", "Make 'p' the primary key of 'C'."])
  }
}
