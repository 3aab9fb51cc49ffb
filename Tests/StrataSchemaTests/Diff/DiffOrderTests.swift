import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The lines of a mismatch")
struct DiffOrderTests {
  private let old = Schema(
    model("a", property("p")),
    model("É", property("p")),
    model(
      "B", key: "id",
      property("id"), property("z"), property("y", optional: true), property("x"),
      property("w", .string), property("v")),
    model("A", property("p")),
    model("Z", embedded: true, property("p")),
    model("Gone", property("p")))

  private let new = Schema(
    model("É", property("p", .string)),
    model("a", embedded: true, property("p", .string)),
    model("New", property("p")),
    model(
      "B", key: "n2",
      property("n2"), property("v", indexed: true), property("w", .date),
      property("x", optional: true), property("y"), property("n1"), property("id")),
    model("A", embedded: true, property("p")),
    model("Z", property("q")))

  @Test func `Lines come by class in byte order, the properties of the file first, kinds last`() {
    expectNoDifference(
      SchemaDiff.mismatchMessage(SchemaDiff.changes(from: old, to: new)),
      """
      Migration is required due to the following errors:
      - Property 'B.z' has been removed.
      - Property 'B.y' has been made required.
      - Property 'B.x' has been made optional.
      - Property 'B.w' has been changed from 'string' to 'date'.
      - Property 'B.n2' has been added.
      - Property 'B.n1' has been added.
      - Primary Key for class 'B' has changed from 'id' to 'n2'.
      - Property 'Z.p' has been removed.
      - Property 'Z.q' has been added.
      - Property 'a.p' has been changed from 'int' to 'string'.
      - Property 'É.p' has been changed from 'int' to 'string'.
      - Class 'A' has been changed from TopLevel to Embedded.
      - Class 'Z' has been changed from Embedded to TopLevel.
      - Class 'a' has been changed from TopLevel to Embedded.
      """)
  }

  @Test func `Lines leave out free changes, which the list of changes has`() {
    let changes = SchemaDiff.changes(from: old, to: new)
    let free = changes.filter { !$0.needsMigration }.map(\.description)
    expectEqual(free, ["Property 'B.v' has been made indexed.", "Class 'New' has been added."])
    expectEqual(changes.count, 16)
  }

  @Test func `The lines of a file that is opened for reading are those that prevent reading`() {
    expectNoDifference(
      SchemaDiff.readOnlyMessage(SchemaDiff.changes(from: old, to: new)),
      """
      The following changes cannot be made in read-only schema mode:
      - Property 'B.y' has been made required.
      - Property 'B.x' has been made optional.
      - Property 'B.w' has been changed from 'string' to 'date'.
      - Property 'B.n2' has been added.
      - Property 'B.n1' has been added.
      - Primary Key for class 'B' has changed from 'id' to 'n2'.
      - Property 'Z.q' has been added.
      - Property 'a.p' has been changed from 'int' to 'string'.
      - Property 'É.p' has been changed from 'int' to 'string'.
      """)
  }
}
