import CustomDump
import StrataSchema
import Testing

@Suite("A plan with a rebuild")
struct RebuildPlanTests {
  /// The operations for one changed property, which must be one rebuild, and where its values come from.
  private func source(
    _ old: Property, _ new: Property, default: ColumnDefault = .constant(.integer(7))
  ) throws -> TableRebuild.Source {
    let planned = operations(model("C", old, property("q")), model("C", new, property("q"))) {
      _, _ in
      `default`
    }
    let rebuild = try #require(onlyRebuild(planned))
    #expect(rebuild.table == "C")
    expectNoDifference(rebuild.target, model("C", new, property("q")))
    expectNoDifference(rebuild.columns.map(\.property), [new, property("q")])
    #expect(rebuild.columns.last?.source == .column("q"))
    return try #require(rebuild.columns.first).source
  }

  @Test("keeps values that become optional")
  func madeOptional() throws {
    let source = try source(property("p"), property("p", optional: true))
    #expect(source == .column("p"))
  }

  @Test("keeps values that become required, and fills the others")
  func madeRequired() throws {
    let source = try source(property("p", optional: true), property("p"))
    #expect(source == .columnOrDefault("p", .integer(7)))
  }

  @Test("fills a column that becomes required beforehand if the default differs")
  func madeRequiredPerRow() throws {
    let old = model("C", property("p", .UUID, optional: true))
    let planned = operations(old, model("C", property("p", .UUID))) { _, _ in .perRow }
    try #require(planned.count == 2)
    expectNoDifference(
      planned[0], .fillColumns(table: "C", [property("p", .UUID)], onlyNull: true))
    #expect(onlyRebuild(planned)?.columns.map(\.source) == [.column("p")])
  }

  @Test("starts a retyped column anew")
  func retyped() throws {
    #expect(try source(property("p", .string), property("p")) == .value(.integer(7)))
    #expect(try source(property("p"), property("p", .string, optional: true)) == .value(.null))
    #expect(try source(property("p"), property("p", .any)) == .value(.null))
    #expect(try source(link("p", to: "A"), link("p", to: "B")) == .value(.null))
    #expect(
      try source(property("p"), property("p", .string), default: .constant(.null))
        == .value(.text("")))
  }

  @Test("evaluates the default of a retyped column for each row afterwards")
  func retypedPerRow() throws {
    let planned = operations(model("C", property("p")), model("C", property("p", .UUID))) { _, _ in
      .perRow
    }
    try #require(planned.count == 2)
    #expect(onlyRebuild(planned)?.columns.map(\.source) == [.value(.zero(for: .UUID))])
    expectNoDifference(
      planned[1], .fillColumns(table: "C", [property("p", .UUID)], onlyNull: false))
  }

  @Test("is one, whatever else happens to the table")
  func everything() throws {
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
    #expect(rebuild.sourceIdentityColumn == "_id")
  }

  @Test("removes a link, and more than two columns at once")
  func removals() {
    let kept = model("C", property("p"))
    #expect(onlyRebuild(operations(model("C", property("p"), link("l", to: "C")), kept)) != nil)
    let three = model("C", property("p"), property("x", .any), property("y"))
    let planned = operations(three, kept)
    #expect(onlyRebuild(planned)?.columns.map(\.property.name) == ["p"])
    #expect(planned.count == 1)
  }

  @Test("takes the identity from the name it has")
  func identity() {
    let planned = operations(
      model("C", property("p")), model("C", property("p", .string), property("_id")))
    #expect(onlyRebuild(planned)?.sourceIdentityColumn == "_id")
    #expect(onlyRebuild(planned)?.target.identityColumn == "_row_id")
  }

  @Test("moves a value between a column and a collection of the same name nowhere")
  func collections() {
    let scalar = model("C", property("p"), property("q"))
    let list = model("C", property("p", .int, .list), property("q"))
    #expect(
      operations(scalar, list).map(\.description)
        == ["Drop column 'p' of 'C'.", "Create table 'C_p'."])
    #expect(
      operations(list, scalar).map(\.description) == [
        "Add column 'p' to 'C'.", "Drop table 'C_p'.",
      ])
  }
}
