import CustomDump
import StrataSchema
import TestKit
import Testing

@Suite("The rules for links")
struct LinkRulesTests {
  private let dog = model("Dog", property("name", .string), link("owner", to: "Person"))
  private let person = model("Person", property("name", .string))

  @Test(
    arguments: [
      (link("p", to: "Cat"), "object"),
      (property("p", .object, to: "Cat", .list), "array"),
      (property("p", .object, to: "Cat", .set), "set"),
      (property("p", .object, to: "Cat", .map, optional: false), "dictionary"),
      (linkingObjects("p", from: "Cat", "owner"), "linking objects"),
    ])
  func `The target of a link must be in the schema`(property: Property, kind: String) {
    expectEqual(
      problems(model("C", property)),
      ["Property 'C.p' of type '\(kind)' has unknown object type 'Cat'"])
  }

  @Test func `A link and the entries of a map may be optional, and elements of a list may not`() {
    expectEqual(
      problems(model("C", property("p", .object, to: "C", optional: false))),
      ["Property 'C.p' of type 'object' must be nullable."])
    expectEqual(
      problems(model("C", property("p", .object, to: "C", .map, optional: false))),
      ["Property 'C.p' of type 'object' must be nullable."])
    expectEqual(problems(model("C", property("p", .object, to: "C", .map, optional: true))), [])
    expectEqual(problems(model("C", property("p", .object, to: "C", .list))), [])
    for kind in [CollectionKind.list, .set] {
      let optional = property("p", .object, to: "C", kind, optional: true)
      expectEqual(
        problems(model("C", optional)),
        [
          "Property 'C.p' of type '\(optional.typeName)' cannot be nullable: a deleted object is "
            + "removed from the collection."
        ])
    }
  }

  @Test func `The origin of linking objects must link to the class`() {
    func withOrigin(_ name: String) -> [String] {
      let target = model("C", linkingObjects("back", from: "Dog", name))
      return problems(dog, person, target)
    }
    let beginning = "declared as origin of linking objects property 'C.back'"
    expectEqual(withOrigin("adddress"), ["Property 'Dog.adddress' \(beginning) does not exist"])
    expectEqual(withOrigin("name"), ["Property 'Dog.name' \(beginning) is not a link"])
    expectEqual(withOrigin("owner"), ["Property 'Dog.owner' \(beginning) links to type 'Person'"])
  }

  @Test func `The origin may be a link, a list, a set or a map`() {
    for kind in [nil, CollectionKind.list, .set, .map] {
      let origin = model(
        "D", property("cs", .object, to: "C", kind, optional: kind == nil || kind == .map))
      expectEqual(problems(origin, model("C", linkingObjects("ds", from: "D", "cs"))), [])
    }
  }

  @Test func `Sets of embedded objects are refused, and no other collection of them`() {
    let address = model("Address", embedded: true, property("street", .string))
    expectEqual(
      problems(address, model("C", property("p", .object, to: "Address", .set))),
      [
        "Set property 'C.p' cannot contain embedded object type 'Address'. "
          + "Set semantics are not applicable to embedded objects."
      ])
    expectEqual(problems(address, model("C", property("p", .object, to: "Address", .list))), [])
    expectEqual(
      problems(address, model("C", property("p", .object, to: "Address", .map, optional: true))), []
    )
  }
}
