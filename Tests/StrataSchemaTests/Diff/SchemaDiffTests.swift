import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The difference of two schemas")
struct SchemaDiffTests {
  @Test(arguments: DiffCase.withLines)
  func `Each kind of change has Realm's sentence`(example: DiffCase) {
    let changes = example.changes
    expectNoDifference(changes.filter(\.needsMigration).map(\.description), example.lines)
    expectNoDifference(
      SchemaDiff.mismatchMessage(changes),
      "Migration is required due to the following errors:"
        + example.lines.map { "\n- \($0)" }.joined())
  }

  @Test(arguments: DiffCase.free)
  func `Free changes need no higher version`(example: DiffCase) {
    let changes = example.changes
    expectTrue(changes.filter(\.needsMigration).isEmpty)
    expectNoDifference(changes.map(\.description), example.lines)
  }

  @Test(arguments: 0..<30)
  func `A schema doesn't differ from itself`(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    let schema = RandomSchema.make(using: &generator)
    expectTrue(SchemaDiff.changes(from: schema, to: schema).isEmpty)
    expectTrue(SchemaDiff.changes(from: schema.stored, to: schema).isEmpty)
  }

  @Test func `A difference carries the new property, or the removed one`() {
    let old = model("C", property("a"), property("b", .string))
    let new = model("C", property("a", optional: true), property("c", .date))
    expectNoDifference(
      SchemaDiff.changes(from: Schema(old), to: Schema(new)),
      [
        .makeOptional(class: "C", property("a", optional: true)),
        .removeProperty(class: "C", property("b", .string)),
        .addProperty(class: "C", property("c", .date)),
      ])
  }

  @Test func `A difference names columns where they differ from properties`() {
    let old = model("C", key: "id", property("id"), property("name", .string))
    let new = model(
      "C", key: "key", property("key", column: "k"), property("title", .date, column: "name"))
    expectNoDifference(
      SchemaDiff.changes(from: Schema(old), to: Schema(new)).map(\.description),
      [
        "Property 'C.id' has been removed.",
        "Property 'C.name' has been changed from 'string' to 'date'.",
        "Property 'C.k' has been added.",
        "Primary Key for class 'C' has changed from 'id' to 'k'.",
      ])
  }

  @Test func `Names that Swift takes for equal and SQLite does not are different`() {
    let old = Schema(model("C", property("e\u{301}")))
    let new = Schema(model("C", property("\u{E9}")))
    expectEqual(
      SchemaDiff.changes(from: old, to: new),
      [
        .removeProperty(class: "C", property("e\u{301}")),
        .addProperty(class: "C", property("\u{E9}")),
      ])
    expectEqual(
      SchemaDiff.changes(from: Schema(model("e\u{301}")), to: Schema(model("\u{E9}"))),
      [.addClass(model("\u{E9}"))])
  }
}
