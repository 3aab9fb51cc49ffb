import StrataSchema
import TestKit
import Testing

/// Two versions of a class `C`, and what Realm says about the difference.
struct DiffCase: Sendable, CustomTestStringConvertible {
  let name: String
  let old: ObjectSchema
  let new: ObjectSchema
  let lines: [String]

  var testDescription: String { name }

  var changes: [SchemaChange] {
    let others = [model("A", property("a")), model("B", property("b"))]
    return SchemaDiff.changes(from: Schema(others + [old]), to: Schema(others + [new]))
  }

  init(_ name: String, _ old: ObjectSchema, _ new: ObjectSchema, _ lines: String...) {
    self.name = name
    self.old = old
    self.new = new
    self.lines = lines
  }

  /// The property `p` of `C` before and after, beside one that stays.
  init(_ name: String, _ old: Property?, _ new: Property?, _ lines: String...) {
    func version(_ changing: Property?) -> ObjectSchema {
      ObjectSchema(
        className: "C", properties: [property("stays")] + (changing.map { [$0] } ?? []))
    }
    self.name = name
    self.old = version(old)
    self.new = version(new)
    self.lines = lines
  }

  static let withLines: [DiffCase] =
    [
      DiffCase("property added", nil, property("p"), "Property 'C.p' has been added."),
      DiffCase("link added", nil, link("p", to: "A"), "Property 'C.p' has been added."),
      DiffCase(
        "list added", nil, property("p", .int, .list), "Property 'C.p' has been added."),
      DiffCase("property removed", property("p"), nil, "Property 'C.p' has been removed."),
      DiffCase(
        "property renamed", property("p"), property("q"),
        "Property 'C.p' has been removed.", "Property 'C.q' has been added."),
      DiffCase(
        "column renamed by mapping", property("p"), property("p", column: "q"),
        "Property 'C.p' has been removed.", "Property 'C.q' has been added."),
      DiffCase(
        "property replaced by linking objects",
        link("p", to: "A"), linkingObjects("p", from: "A", "a"),
        "Property 'C.p' has been removed."),
      DiffCase(
        "linking objects replaced by a property",
        linkingObjects("p", from: "A", "a"), property("p"),
        "Property 'C.p' has been added."),
      DiffCase(
        "made optional", property("p"), property("p", optional: true),
        "Property 'C.p' has been made optional."),
      DiffCase(
        "made required", property("p", optional: true), property("p"),
        "Property 'C.p' has been made required."),
      DiffCase(
        "type changed", property("p", .int), property("p", .string),
        "Property 'C.p' has been changed from 'int' to 'string'."),
      DiffCase(
        "type and optionality changed",
        property("p", .float), property("p", .double, optional: true),
        "Property 'C.p' has been changed from 'float' to 'double'."),
      DiffCase(
        "type and index changed", property("p", indexed: true), property("p", .objectId),
        "Property 'C.p' has been changed from 'int' to 'object id'."),
    ] + collections + keys + kinds

  private static let collections: [DiffCase] = [
    DiffCase(
      "scalar to list", property("p", .int), property("p", .int, .list),
      "Property 'C.p' has been changed from 'int' to 'array<int>'."),
    DiffCase(
      "list to set", property("p", .string, .list), property("p", .string, .set),
      "Property 'C.p' has been changed from 'array<string>' to 'set<string>'."),
    DiffCase(
      "set to map", property("p", .UUID, .set), property("p", .UUID, .map),
      "Property 'C.p' has been changed from 'set<uuid>' to 'dictionary<string, uuid>'."),
    DiffCase(
      "element type", property("p", .int, .list), property("p", .string, .list),
      "Property 'C.p' has been changed from 'array<int>' to 'array<string>'."),
    DiffCase(
      "element made optional",
      property("p", .int, .list), property("p", .int, .list, optional: true),
      "Property 'C.p' has been made optional."),
    DiffCase(
      "element made required",
      property("p", .int, .set, optional: true), property("p", .int, .set),
      "Property 'C.p' has been made required."),
    DiffCase(
      "link target", link("p", to: "A"), link("p", to: "B"),
      "Property 'C.p' has been changed from '<A>' to '<B>'."),
    DiffCase(
      "list target", property("p", .object, to: "A", .list), property("p", .object, to: "B", .list),
      "Property 'C.p' has been changed from 'array<A>' to 'array<B>'."),
    DiffCase(
      "map target", property("p", .object, to: "A", .map, optional: false),
      property("p", .object, to: "B", .map, optional: false),
      "Property 'C.p' has been changed from 'dictionary<string, A>' to 'dictionary<string, B>'."),
    DiffCase(
      "link to list of the same class",
      link("p", to: "A"), property("p", .object, to: "A", .list),
      "Property 'C.p' has been changed from '<A>' to 'array<A>'."),
  ]

  private static let keys: [DiffCase] = [
    DiffCase(
      "key added", model("C", property("p")), model("C", key: "p", property("p")),
      "Primary Key for class 'C' has been added."),
    DiffCase(
      "key removed", model("C", key: "p", property("p")), model("C", property("p")),
      "Primary Key for class 'C' has been removed."),
    DiffCase(
      "key moved",
      model("C", key: "p", property("p"), property("q")),
      model("C", key: "q", property("p"), property("q")),
      "Primary Key for class 'C' has changed from 'p' to 'q'."),
    DiffCase(
      "key retyped",
      model("C", key: "p", property("p")), model("C", key: "p", property("p", .string)),
      "Property 'C.p' has been changed from 'int' to 'string'."),
    DiffCase(
      "key made optional",
      model("C", key: "p", property("p")), model("C", key: "p", property("p", optional: true)),
      "Property 'C.p' has been made optional."),
    DiffCase(
      "key made required",
      model("C", key: "p", property("p", optional: true)), model("C", key: "p", property("p")),
      "Property 'C.p' has been made required."),
    DiffCase(
      "key and its property removed",
      model("C", key: "p", property("p"), property("q")), model("C", property("q")),
      "Property 'C.p' has been removed.", "Primary Key for class 'C' has been removed."),
  ]

  private static let kinds: [DiffCase] = [
    DiffCase(
      "made embedded", model("C", property("p")), model("C", embedded: true, property("p")),
      "Class 'C' has been changed from TopLevel to Embedded."),
    DiffCase(
      "made top-level", model("C", embedded: true, property("p")), model("C", property("p")),
      "Class 'C' has been changed from Embedded to TopLevel."),
  ]
}
