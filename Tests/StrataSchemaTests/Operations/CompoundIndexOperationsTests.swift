import CustomDump
import Foundation
import StrataSchema
import TestKit
import Testing

@Suite("Indexes of several properties, from one schema to another")
struct CompoundIndexOperationsTests {
  private let plain = model("C", property("p"), property("q", .string), property("r", .double))
  private let wanted = model(
    "C", indexes: [["q", "p"]], property("p"), property("q", .string), property("r", .double))

  @Test func `An index comes and goes without a higher version, each with a sentence`() {
    let added = SchemaDiff.changes(from: Schema(plain), to: Schema(wanted))
    expectEqual(
      added.map(\.description), ["Properties 'C.q', 'C.p' have been made indexed together."])
    let removed = SchemaDiff.changes(from: Schema(wanted), to: Schema(plain))
    expectEqual(
      removed.map(\.description), ["Properties 'C.q', 'C.p' have been made unindexed together."])
    for change in added + removed {
      expectTrue(!change.needsMigration && !change.isRefusedInReadOnlyMode)
    }
    expectEqual(operations(plain, wanted), [.createIndex(table: "C", columns: ["q", "p"])])
    expectEqual(operations(wanted, plain), [.dropIndex(table: "C", columns: ["q", "p"])])
  }

  @Test func `The order of indexes is no difference, and that of their properties is one`() {
    var two = wanted
    two.compoundIndexes = [["q", "p"], ["p", "r"]]
    var turned = wanted
    turned.compoundIndexes = [["p", "r"], ["q", "p"]]
    expectEqual(SchemaDiff.changes(from: Schema(two), to: Schema(turned)), [])
    expectEqual(operations(two, turned), [])
    turned.compoundIndexes = [["p", "q"], ["p", "r"]]
    expectEqual(
      operations(two, turned).map(\.description),
      ["Drop the index of 'C.q, p'.", "Create the index of 'C.p, q'."])
  }

  @Test func `Names of properties become those of columns`() {
    let mapped = model(
      "C", indexes: [["name", "p"]], property("p"), property("name", .string, column: "q"),
      property("r", .double))
    expectEqual(SchemaDiff.changes(from: Schema(wanted), to: Schema(mapped)), [])
    expectEqual(
      TableSQL.createAll(mapped).last, #"CREATE INDEX "C.q, p" ON "C"("q", "p")"#)
  }

  @Test func `An index goes before its column, and comes after`() {
    let fewer = model("C", property("p"), property("r", .double))
    expectNoDifference(
      operations(wanted, fewer).map(\.description),
      ["Drop the index of 'C.q, p'.", "Drop column 'q' of 'C'."])
    expectNoDifference(
      operations(fewer, wanted).map(\.description),
      ["Add column 'q' to 'C'.", "Create the index of 'C.q, p'."])
  }

  @Test func `An index is made after a block, and one that isn't wanted goes before`() {
    let added = stepsAroundBlock(plain, wanted)
    expectTrue(added.before == [] && added.after == ["Create the index of 'C.q, p'."])
    let removed = stepsAroundBlock(wanted, plain)
    expectTrue(removed.before == ["Drop the index of 'C.q, p'."] && removed.after == [])
    let kept = stepsAroundBlock(wanted, wanted)
    expectTrue(kept.before == [] && kept.after == [])
  }

  @Test func `A rebuild makes the indexes with the table`() throws {
    let retyped = model(
      "C", indexes: [["q", "p"], ["p", "r"]], property("p", .string), property("q", .string),
      property("r", .double))
    let planned = operations(wanted, retyped)
    expectEqual(planned.count, 1)
    expectEqual(onlyRebuild(planned)?.target.compoundIndexes, [["q", "p"], ["p", "r"]])
    let around = plan(wanted, retyped, .beforeBlock)
    expectEqual(onlyRebuild(around.operations)?.target.compoundIndexes, [["q", "p"]])
    let after = SchemaTranslator.operations(
      from: around.schema, to: Schema(retyped), phase: .afterBlock, defaults: zeros)
    expectEqual(after.operations, [.createIndex(table: "C", columns: ["p", "r"])])
  }

  @Test func `An index follows a column whose name differs in case`() {
    let new = model(
      "C", indexes: [["Q", "p"]], property("p"), property("Q", .string), property("r", .double))
    expectNoDifference(
      operations(wanted, new).map(\.description),
      [
        "Drop the index of 'C.q, p'.", "Rename column 'q' of 'C' to 'Q'.",
        "Create the index of 'C.Q, p'.",
      ])
  }

  @Test func `An index of a link goes with the class that it leads to`() {
    let schema = Schema(
      model(
        "A", indexes: [["b", "n"], ["n", "m"]], link("b", to: "B"), property("n"), property("m")),
      model("B", property("x")))
    expectEqual(schema.removing("B")["A"]?.compoundIndexes, [["n", "m"]])
  }

  @Test func `A stage renames the properties of an index`() {
    var declarations = StageDeclarations()
    declarations.renamedProperties = [.init(className: "C", old: "q", new: "name")]
    expectEqual(declarations.renamed(Schema(wanted))["C"]?.compoundIndexes, [["name", "p"]])
  }

  @Test func `The index of a renamed class is renamed with it`() throws {
    let table = try #require(RenameClassSQL.tables(of: wanted, to: "D").first)
    let sql = #"CREATE INDEX "C.q, p" ON "D"("q", "p")"#
    let renamed = RenameClassSQL.index(name: "C.q, p", sql: sql, of: table)
    expectEqual(renamed?.name, "D.q, p")
    expectEqual(renamed?.sql, #"CREATE INDEX "D.q, p" ON "D"("q", "p")"#)
  }

  @Test func `JSON has indexes only where a class has some, and reads without them`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    func text(_ schema: ObjectSchema) throws -> String {
      String(decoding: try encoder.encode(Schema(schema)), as: UTF8.self)
    }
    try expectFalse(text(plain).contains("indexes"))
    try expectTrue(text(wanted).contains(#"{"indexes":[["q","p"]],"name":"C""#))
    let read = try JSONDecoder().decode(Schema.self, from: Data(text(wanted).utf8))
    expectEqual(read, Schema(wanted))
    try expectEqual(JSONDecoder().decode(Schema.self, from: Data(text(plain).utf8)), Schema(plain))
  }

  @Test func `A description has a line for each index`() {
    expectTrue(wanted.description.hasSuffix("r: double\n  compound index (q, p)\n}"))
  }
}
