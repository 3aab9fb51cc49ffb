import StrataSchema
import TestKit

extension DiffCase {
  /// Changes that need no higher version, with the lines of the dry run.
  static let free: [DiffCase] = [
    DiffCase(
      "index added", property("p"), property("p", indexed: true),
      "Property 'C.p' has been made indexed."),
    DiffCase(
      "index removed", property("p", indexed: true), property("p"),
      "Property 'C.p' has been made unindexed."),
    DiffCase("linking objects added", nil, linkingObjects("p", from: "A", "a")),
    DiffCase("linking objects removed", linkingObjects("p", from: "A", "a"), nil),
    DiffCase(
      "linking objects retargeted",
      linkingObjects("p", from: "A", "a"), linkingObjects("p", from: "B", "b")),
    DiffCase(
      "property renamed, column kept", property("p", .string), property("q", .string, column: "p")),
    DiffCase(
      "order of properties",
      model("C", property("p"), property("q", .string)),
      model("C", property("q", .string), property("p"))),
    DiffCase(
      "a link declared required, which it cannot be",
      link("p", to: "A"), property("p", .object, to: "A", optional: false)),
    DiffCase(
      "AnyRealmValue declared optional, which it always is",
      property("p", .any), property("p", .any, optional: true)),
    DiffCase(
      "name of the key's property, column kept",
      model("C", key: "p", property("p")), model("C", key: "q", property("q", column: "p"))),
    DiffCase(
      "class added", model("B", property("b")), model("C", property("c")),
      "Class 'C' has been added."),
    DiffCase(
      "embedded class added",
      model("B", property("b")), model("C", embedded: true, property("c")),
      "Class 'C' has been added."),
    DiffCase("class removed", model("C", property("c")), model("B", property("b"))),
  ]
}
