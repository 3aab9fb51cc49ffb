import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Operations for collections")
struct CollectionOperationsTests {
  private let p = property("p")
  private let tags = property("tags", .string, .list)

  private func table(_ property: Property) throws -> CollectionTable {
    try #require(CollectionTable(className: "C", property: property))
  }

  @Test
  func `The tables of collections are created and dropped, and named after the column`() throws {
    let mapped = property("labels", .string, .list, column: "tags")
    expectEqual(
      operations(model("C", p), model("C", p, mapped)), [.createCollection(try table(tags))])
    expectEqual(operations(model("C", p, tags), model("C", p)), [.dropCollection(try table(tags))])
    expectEqual(operations(model("C", p, tags), model("C", p, mapped)), [])
  }

  @Test func `A collection with another element, kind or target starts empty`() throws {
    for other in [
      property("tags", .int, .list), property("tags", .string, .set),
      property("tags", .string, .map), property("tags", .object, to: "C", .list),
      property("tags", .any, .list),
    ] {
      expectNoDifference(
        operations(model("C", p, tags), model("C", p, other)),
        [.dropCollection(try table(tags)), .createCollection(try table(other))])
    }
  }

  @Test func `The table is rebuilt when elements become optional or required`() throws {
    let optional = property("tags", .string, .list, optional: true)
    expectEqual(
      operations(model("C", p, tags), model("C", p, optional)),
      [.rebuildCollection(from: try table(tags), to: try table(optional))])
    expectEqual(
      operations(model("C", p, optional), model("C", p, tags)),
      [.rebuildCollection(from: try table(optional), to: try table(tags))])
    expectEqual(
      operations(
        model("C", p, property("cs", .object, to: "C", .list)),
        model("C", p, property("cs", .object, to: "C", .list, optional: true))), [])
  }

  @Test func `The index of the elements comes after a block, and goes before it`() throws {
    let indexed = property("tags", .string, .list, indexed: true)
    let (old, new) = (model("C", p, tags), model("C", p, indexed))
    expectEqual(operations(old, new), [.createElementsIndex(try table(indexed))])
    expectEqual(operations(new, old), [.dropElementsIndex(try table(indexed))])
    let coming = stepsAroundBlock(old, new)
    expectTrue(coming.before == [] && coming.after == ["Create the index of 'C.tags'."])
    let going = stepsAroundBlock(new, old)
    expectTrue(going.before == ["Drop the index of 'C.tags'."] && going.after == [])
    let optional = property("tags", .string, .list, optional: true, indexed: true)
    let rebuilt = stepsAroundBlock(old, model("C", p, optional))
    expectEqual(rebuilt.before, ["Rebuild table 'C_tags'."])
    expectEqual(rebuilt.after, ["Create the index of 'C.tags'."])
  }

  @Test func `The table is renamed when the name differs in case`() throws {
    let upper = property("Tags", .string, .list)
    let optional = property("tags", .string, .list, optional: true)
    expectEqual(
      operations(model("C", p, upper), model("C", p, optional)),
      [
        .renameCollection(try table(upper), to: try table(tags)),
        .rebuildCollection(from: try table(tags), to: try table(optional)),
      ])
  }

  @Test func `What is to be removed stays until the block has run`() throws {
    let around = stepsAroundBlock(
      model("C", p, tags), model("C", p, property("names", .string, .list)))
    expectEqual(around.before, ["Create table 'C_names'."])
    expectEqual(around.after, ["Drop table 'C_tags'."])
    let retyped = stepsAroundBlock(
      model("C", p, tags), model("C", p, property("tags", .int, .list)))
    expectEqual(retyped.before, ["Drop table 'C_tags'.", "Create table 'C_tags'."])
    expectEqual(retyped.after, [])
  }

  @Test func `Parents are embedded before their children, and both when their links are right`() {
    let old = Schema(
      model("A", property("p", .string)), model("B", link("a", to: "A"), link("gone", to: "A")),
      model("C", embedded: true, p), model("D", link("b", to: "B")))
    let new = Schema(
      model("A", embedded: true, property("p", .string)),
      model("B", embedded: true, link("a", to: "A")), model("C", key: "p", p),
      model("D", link("b", to: "B")))
    let plan = SchemaTranslator.operations(from: old, to: new, phase: .noBlock, defaults: zeros)
    expectNoDifference(
      plan.operations.map(\.description),
      [
        "Rebuild table 'B'.",
        "Make 'C' a top-level class.",
        "Embed the objects of 'B' in the objects that link to them.",
        "Embed the objects of 'A' in the objects that link to them.",
        "Make 'p' the primary key of 'C'.",
      ])
    let before = SchemaTranslator.operations(
      from: old, to: new, phase: .beforeBlock, defaults: zeros)
    expectEqual(before.operations, [])
    expectEqual(before.schema["A"]?.isEmbedded, false)
  }
}
