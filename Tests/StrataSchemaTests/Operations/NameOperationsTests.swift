import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("Operations for names that collide")
struct NameOperationsTests {
  @Test func `A column whose name differs in case is renamed in place`() {
    let old = model("C", property("Name", .string, indexed: true), property("x", .any))
    let new = model("C", property("name", .string), property("X", .any, indexed: true))
    expectNoDifference(
      operations(old, new).map(\.description),
      [
        "Drop the index of 'C.Name'.",
        "Rename column 'Name' of 'C' to 'name'.",
        "Rename column 'x' of 'C' to 'X'.",
        "Rename column 'x_type' of 'C' to 'X_type'.",
        "Create the index of 'C.X'.",
      ])
  }

  @Test func `A primary key and a link whose name differs in case are renamed`() {
    let old = model("C", key: "ID", property("ID"), link("Dog", to: "C"))
    let new = model("C", key: "id", property("id"), link("dog", to: "C"))
    expectNoDifference(
      operations(old, new).map(\.description),
      [
        "Make 'ID' no longer the primary key of 'C'.",
        "Rename column 'ID' of 'C' to 'id'.",
        "Drop the index of 'C.Dog'.",
        "Rename column 'Dog' of 'C' to 'dog'.",
        "Create the index of 'C.dog'.",
        "Make 'id' the primary key of 'C'.",
      ])
  }

  @Test func `A column that is renamed in case and retyped keeps its values`() {
    let planned = operations(
      model("C", property("Name", .string)),
      model("C", property("name", .string, optional: true)))
    expectEqual(planned.first, .renameColumn(table: "C", from: "Name", to: "name"))
    expectEqual(onlyRebuild(planned)?.columns.map(\.source), [.column("name")])
  }

  @Test func `The identity makes room for a property called _id, and comes back`() {
    let without = model("C", property("p"))
    let with = model("C", property("p"), property("_id"))
    expectNoDifference(
      operations(without, with),
      [
        .renameColumn(table: "C", from: "_id", to: "_row_id"),
        .addColumn(table: "C", property("_id"), .constant(.integer(0))),
      ])
    expectNoDifference(
      operations(with, without),
      [
        .dropColumn(table: "C", column: "_id"),
        .renameColumn(table: "C", from: "_row_id", to: "_id"),
      ])
  }

  @Test func `The identity has a third name while a block sees both others`() {
    let planned = stepsAroundBlock(
      model("C", property("_id", .string)), model("C", property("_row_id")))
    expectNoDifference(
      planned.before,
      [
        "Rename column '_row_id' of 'C' to '_row_id_while_migrating'.",
        "Add column '_row_id' to 'C'.",
      ])
    expectNoDifference(
      planned.after,
      [
        "Drop column '_id' of 'C'.",
        "Rename column '_row_id_while_migrating' of 'C' to '_id'.",
      ])
  }

  @Test func `A property or helper with the name of a new one is removed before the block`() {
    let plain = model("C", property("p"), property("X_type", indexed: true))
    let any = model("C", property("p"), property("x", .any))
    expectNoDifference(
      stepsAroundBlock(plain, any).before,
      [
        "Drop the index of 'C.X_type'.", "Drop column 'X_type' of 'C'.", "Add column 'x' to 'C'.",
      ])
    expectNoDifference(
      stepsAroundBlock(any, plain).before,
      ["Drop column 'x' of 'C'.", "Drop column 'x_type' of 'C'.", "Add column 'X_type' to 'C'."])
    expectNoDifference(
      stepsAroundBlock(any, plain).after, ["Create the index of 'C.X_type'."])
  }
}
