import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("A schema")
struct SchemaTests {
  @Test func `A schema sorts its classes by bytes, not by alphabet`() {
    let names = ["b", "É", "a", "B", "Z", "aa", "E\u{301}", "A"]
    let schema = Schema(names.map { ObjectSchema(className: $0, properties: []) })
    let sorted = schema.objectSchema.map { Array($0.className.utf8) }
    let expected = ["A", "B", "E\u{301}", "Z", "a", "aa", "b", "É"].map { Array($0.utf8) }
    expectEqual(sorted, expected)
  }

  @Test func `A schema finds a class by its name, byte for byte`() {
    let schema = Schema(model("Dog", property("a")), model("Cat", property("b")))
    expectEqual(schema["Dog"], model("Dog", property("a")))
    expectEqual(schema["Cat"], model("Cat", property("b")))
    expectNil(schema["dog"])
    expectNil(schema[""])
    expectNil(schema["Zebra"])
    let composed = Schema(model("\u{E9}"))
    expectTrue(composed["\u{E9}"] != nil)
    expectNil(composed["e\u{301}"])
  }

  @Test func `A schema replaces, adds and removes classes, and stays sorted`() {
    var schema = Schema(model("B", property("b")), model("D", property("d")))
    schema.update(model("C", property("c")))
    schema.update(model("A", property("a")))
    schema.update(model("B", property("other")))
    expectEqual(schema.objectSchema.map(\.className), ["A", "B", "C", "D"])
    expectEqual(schema["B"]?.properties.map(\.name), ["other"])
    schema.remove("C")
    schema.remove("nobody")
    expectEqual(schema.objectSchema.map(\.className), ["A", "B", "D"])
  }

  @Test func `A schema is the same whatever the order of its classes`() {
    let first = Schema(model("A"), model("B"))
    expectEqual(first, Schema(model("B"), model("A")))
    expectTrue(first != Schema(model("A")))
  }

  @Test func `A schema without a class has no links to it either`() {
    let p = property("p")
    let schema = Schema(
      model("Dog", p),
      model(
        "Person", p, link("dog", to: "Dog"),
        property("dogs", .object, to: "Dog", .map, optional: false)),
      model("Town", link("p", to: "Person")))
    expectNoDifference(
      schema.removing("Dog"), Schema(model("Person", p), model("Town", link("p", to: "Person"))))
    expectEqual(schema.removing("Cat"), schema)
  }
}
