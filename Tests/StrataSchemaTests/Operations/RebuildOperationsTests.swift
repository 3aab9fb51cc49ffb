import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Operations with a rebuild")
struct RebuildOperationsTests {
  /// The operations for one changed property, which must be one rebuild, and where its values come
  /// from.
  private func source(
    _ old: Property, _ new: Property, default: ColumnDefault = .constant(.integer(7))
  ) throws -> TableRebuild.Source {
    let planned = operations(model("C", old, property("q")), model("C", new, property("q"))) {
      _, _ in
      `default`
    }
    let rebuild = try #require(onlyRebuild(planned))
    expectEqual(rebuild.table, "C")
    expectNoDifference(rebuild.target, model("C", new, property("q")))
    expectNoDifference(rebuild.columns.map(\.property), [new, property("q")])
    expectEqual(rebuild.columns.last?.source, .column("q"))
    return try #require(rebuild.columns.first).source
  }

  @Test func `A rebuild keeps values that become optional`() throws {
    let source = try source(property("p"), property("p", optional: true))
    expectEqual(source, .column("p"))
  }

  @Test func `A rebuild keeps values that become required, and fills the others`() throws {
    let source = try source(property("p", optional: true), property("p"))
    expectEqual(source, .columnOrDefault("p", .integer(7)))
  }

  @Test func `A column that becomes required is filled before if the default differs`() throws {
    let old = model("C", property("p", .UUID, optional: true))
    let planned = operations(old, model("C", property("p", .UUID))) { _, _ in .perRow }
    try #require(planned.count == 2)
    expectNoDifference(
      planned[0], .fillColumns(table: "C", [property("p", .UUID)], onlyNull: true))
    expectEqual(onlyRebuild(planned)?.columns.map(\.source), [.column("p")])
  }

  @Test func `A retyped column starts empty`() throws {
    try expectEqual(source(property("p", .string), property("p")), .value(.integer(7)))
    try expectEqual(source(property("p"), property("p", .string, optional: true)), .value(.null))
    try expectEqual(source(property("p"), property("p", .any)), .value(.null))
    try expectEqual(source(link("p", to: "A"), link("p", to: "B")), .value(.null))
    try expectEqual(
      source(property("p"), property("p", .string), default: .constant(.null)), .value(.text("")))
  }

  @Test
  func `The default of a retyped column is evaluated for each row after the rebuild`() throws {
    let planned = operations(model("C", property("p")), model("C", property("p", .UUID))) { _, _ in
      .perRow
    }
    try #require(planned.count == 2)
    expectEqual(onlyRebuild(planned)?.columns.map(\.source), [.value(.zero(for: .UUID))])
    expectNoDifference(
      planned[1], .fillColumns(table: "C", [property("p", .UUID)], onlyNull: false))
  }

  @Test func `One rebuild is enough, whatever else happens to the table`() throws {
    let old = model(
      "C", key: "id",
      property("id"), property("a"), property("b", optional: true), property("c", .string),
      property("d", indexed: true), link("e", to: "C"))
    let new = model(
      "C", key: "c",
      property("c"), property("b"), property("a", optional: true), property("f", indexed: true),
      property("id", indexed: true), link("g", to: "C"))
    let planned = operations(old, new)
    expectNoDifference(
      planned.map(\.description),
      [
        "Make 'id' no longer the primary key of 'C'.",
        "Rebuild table 'C'.",
        "Make 'c' the primary key of 'C'.",
      ])
    let rebuild = try #require(onlyRebuild(planned))
    var target = new
    target.primaryKey = nil
    expectNoDifference(rebuild.target, target)
    expectNoDifference(
      rebuild.columns.map(\.source),
      [
        .value(.integer(0)), .columnOrDefault("b", .integer(0)), .column("a"),
        .value(.integer(0)), .column("id"), .value(.null),
      ])
    expectEqual(rebuild.sourceIdentityColumn, "_id")
  }

  @Test func `A rebuild removes a link, or more than two columns at once`() {
    let kept = model("C", property("p"))
    expectTrue(onlyRebuild(operations(model("C", property("p"), link("l", to: "C")), kept)) != nil)
    let three = model("C", property("p"), property("x", .any), property("y"))
    let planned = operations(three, kept)
    expectEqual(onlyRebuild(planned)?.columns.map(\.property.name), ["p"])
    expectEqual(planned.count, 1)
  }

  @Test func `A rebuild takes the identity from the name that it has`() {
    let planned = operations(
      model("C", property("p")), model("C", property("p", .string), property("_id")))
    expectEqual(onlyRebuild(planned)?.sourceIdentityColumn, "_id")
    expectEqual(onlyRebuild(planned)?.target.identityColumn, "_row_id")
  }

  @Test func `A value doesn't move between a column and a collection of the same name`() {
    let scalar = model("C", property("p"), property("q"))
    let list = model("C", property("p", .int, .list), property("q"))
    expectEqual(
      operations(scalar, list).map(\.description),
      ["Drop column 'p' of 'C'.", "Create table 'C_p'."])
    expectEqual(
      operations(list, scalar).map(\.description),
      [
        "Add column 'p' to 'C'.", "Drop table 'C_p'.",
      ])
  }
}
