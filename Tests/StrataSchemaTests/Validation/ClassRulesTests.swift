import CustomDump
import StrataSchema
import Testing

@Suite("The rules for one class")
struct ClassRulesTests {
  @Test("are kept by an ordinary schema with odd names")
  func valid() {
    let order = model(
      "order", key: "select",
      property("select", .string, optional: true),
      property("a\"b", .int, indexed: true),
      property("naïve", .any),
      property("a.b", .date),
      property("x_type", .int, .list),
      link("parent", to: "order"))
    #expect(problems(order) == [])
    #expect(problems() == [])
  }

  @Test("ask for properties, of which computed ones are some")
  func noProperties() {
    expectNoDifference(
      problems(model("C")),
      [
        "No properties are defined for 'C'. "
          + "Did you remember to mark them with '@Persisted' in your model?"
      ])
    #expect(problems(model("C", linkingObjects("cs", from: "D", "c")), dog) == [])
  }

  @Test("ask for a primary key that exists")
  func missingKey() {
    #expect(
      problems(model("C", key: "q", property("p")))
        == ["Specified primary key 'C.q' does not exist."])
  }

  @Test(
    "refuse primary keys of most types",
    arguments: [
      (property("p", .bool), "bool"), (property("p", .float), "float"),
      (property("p", .double), "double"), (property("p", .data), "data"),
      (property("p", .date), "date"), (property("p", .decimal128), "decimal"),
      (property("p", .any), "mixed"), (link("p", to: "C"), "<C>"),
      (property("p", .int, .list), "array<int>"), (property("p", .string, .set), "set<string>"),
    ])
  func keyType(property: Property, type: String) {
    #expect(
      problems(model("C", key: "p", property))
        == ["Property 'C.p' of type '\(type)' cannot be made the primary key."])
  }

  @Test("allow primary keys of some types", arguments: [false, true])
  func keyTypes(isOptional: Bool) {
    for type in [PropertyType.int, .string, .objectId, .UUID] {
      #expect(problems(model("C", key: "p", property("p", type, optional: isOptional))) == [])
    }
  }

  @Test("leave two marked keys to discovery, with this sentence")
  func severalKeys() {
    #expect(
      SchemaProblem.severalPrimaryKeys(class: "C", first: "p", second: "q").description
        == "Properties 'p' and 'q' are both marked as the primary key of 'C'.")
  }

  @Test("refuse the primary key of an embedded class")
  func embeddedKey() {
    #expect(
      problems(model("C", key: "p", embedded: true, property("p")))
        == ["Embedded object type 'C' cannot have a primary key."])
  }

  @Test(
    "refuse indexes of some types",
    arguments: [
      (property("p", .float, indexed: true), "float"),
      (property("p", .double, indexed: true), "double"),
      (property("p", .data, indexed: true), "data"),
      (property("p", .decimal128, indexed: true), "decimal"),
      (property("p", .int, .list, indexed: true), "array<int>"),
      (property("p", .int, .map, indexed: true), "dictionary<string, int>"),
      (property("p", .object, to: "C", optional: true, indexed: true), "<C>"),
    ])
  func indexType(property: Property, type: String) {
    #expect(
      problems(model("C", property))
        == ["Property 'C.p' of type '\(type)' cannot be indexed."])
  }

  @Test("allow as many columns as a table can have, and no more")
  func size() {
    func wide(_ count: Int) -> ObjectSchema {
      ObjectSchema(className: "C", properties: (0..<count).map { property("p\($0)") })
    }
    #expect(problems(wide(1999)) == [])
    #expect(
      problems(wide(2000))
        == ["Type 'C' needs 2001 columns, but a table can have at most 2000."])
  }

  private let dog = model("D", link("c", to: "C"))
}
