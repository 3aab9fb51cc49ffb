import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The rules for one class")
struct ClassRulesTests {
  @Test func `An ordinary schema with odd names keeps the rules`() {
    let order = model(
      "order", key: "select",
      property("select", .string, optional: true),
      property("a\"b", .int, indexed: true),
      property("naïve", .any),
      property("a.b", .date),
      property("x_type", .int, .list),
      link("parent", to: "order"))
    expectEqual(problems(order), [])
    expectEqual(problems(), [])
  }

  @Test func `A class needs properties, and computed ones count`() {
    expectNoDifference(
      problems(model("C")),
      [
        "No properties are defined for 'C'. "
          + "Did you remember to mark them with '@Persisted' in your model?"
      ])
    expectEqual(problems(model("C", linkingObjects("cs", from: "D", "c")), dog), [])
  }

  @Test func `The primary key must exist`() {
    expectEqual(
      problems(model("C", key: "q", property("p"))), ["Specified primary key 'C.q' does not exist."]
    )
  }

  @Test(
    arguments: [
      (property("p", .bool), "bool"), (property("p", .float), "float"),
      (property("p", .double), "double"), (property("p", .data), "data"),
      (property("p", .date), "date"), (property("p", .decimal128), "decimal"),
      (property("p", .any), "mixed"), (link("p", to: "C"), "<C>"),
      (property("p", .int, .list), "array<int>"), (property("p", .string, .set), "set<string>"),
    ])
  func `Most types can't be primary keys`(property: Property, type: String) {
    expectEqual(
      problems(model("C", key: "p", property)),
      ["Property 'C.p' of type '\(type)' cannot be made the primary key."])
  }

  @Test(arguments: [false, true])
  func `Some types can be primary keys`(isOptional: Bool) {
    for type in [PropertyType.int, .string, .objectId, .UUID] {
      expectEqual(problems(model("C", key: "p", property("p", type, optional: isOptional))), [])
    }
  }

  @Test func `The primary key of an embedded class is refused`() {
    expectEqual(
      problems(model("C", key: "p", embedded: true, property("p"))),
      ["Embedded object type 'C' cannot have a primary key."])
  }

  @Test(
    arguments: [
      (property("p", .float, indexed: true), "float"),
      (property("p", .double, indexed: true), "double"),
      (property("p", .data, indexed: true), "data"),
      (property("p", .decimal128, indexed: true), "decimal"),
      (property("p", .double, .list, indexed: true), "array<double>"),
      (property("p", .data, .map, indexed: true), "dictionary<string, data>"),
      (property("p", .object, to: "C", optional: true, indexed: true), "<C>"),
    ])
  func `Indexes of some types are refused`(property: Property, type: String) {
    expectEqual(
      problems(model("C", property)), ["Property 'C.p' of type '\(type)' cannot be indexed."])
  }

  @Test func `A class may have as many columns as a table can have, and no more`() {
    func wide(_ count: Int) -> ObjectSchema {
      ObjectSchema(className: "C", properties: (0..<count).map { property("p\($0)") })
    }
    expectEqual(problems(wide(1999)), [])
    expectEqual(
      problems(wide(2000)), ["Type 'C' needs 2001 columns, but a table can have at most 2000."])
  }

  private let dog = model("D", link("c", to: "C"))
}
