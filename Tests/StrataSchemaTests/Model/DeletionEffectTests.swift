import CustomDump
import TestKit
import Testing

@testable import StrataSchema

@Suite("What deleting an object changes")
struct DeletionEffectTests {
  private let schema = Schema(
    model("Dog", link("friend", to: "Dog"), property("toys", .string, .set)),
    model(
      "Person", link("dog", to: "Dog"), property("dogs", .object, to: "Dog", .list),
      link("address", to: "Address"), property("anything", .any)),
    model("Address", embedded: true, property("geos", .object, to: "Geo", .list)),
    model("Geo", embedded: true, property("names", .string, .map)),
    model("Note", property("x", .any, .map), property("text", .string)),
    model("Alone", property("p")))

  @Test func `Deleting an object changes the objects that refer to it, and its own collections`() {
    expectNoDifference(
      schema.effectOfDeleting("Dog"),
      DeletionEffect(
        classes: ["Dog", "Person"], collections: ["Dog_toys", "Person_dogs", "Note_x"]))
  }

  @Test func `Deleting reaches embedded objects at any depth, and what refers to them`() {
    expectNoDifference(
      schema.effectOfDeleting("Person"),
      DeletionEffect(
        classes: ["Address", "Geo", "Person"],
        collections: ["Person_dogs", "Address_geos", "Geo_names", "Note_x"]))
    expectNoDifference(
      schema.effectOfDeleting("Geo"),
      DeletionEffect(collections: ["Address_geos", "Geo_names"]))
  }

  @Test func `Deleting changes nothing for an unknown class, and without links`() {
    let plain = Schema(model("Alone", property("p")))
    expectEqual(plain.effectOfDeleting("Alone"), DeletionEffect())
    expectEqual(plain.effectOfDeleting("Unknown"), DeletionEffect())
  }

  @Test func `Embedded classes come behind those that contain them`() {
    let p = property("p")
    let schema = Schema(
      model("A", embedded: true, p), model("B", embedded: true, link("a", to: "A")),
      model("C", embedded: true, link("b", to: "B"), link("a", to: "A")), model("D", p),
      model("E", embedded: true, link("d", to: "D")))
    expectNoDifference(schema.embeddedClasses.map(\.className), ["C", "B", "A", "E"])
  }
}
