import StrataSchema
import StrataStudio
import TestKit
import Testing

@testable import StrataCommand

/// The facts for older programs, as `schema` and `diff` show them.
@Suite struct SchemaFactsTests {
  private static let schema = Schema([
    ObjectSchema(className: "Being", properties: [Property(name: "years", type: .int)]),
    Examples.dog,
  ])

  /// Three versions, in which a class has had three names.
  private static let versions: [RecordedFile.Entry] = {
    var records = [SchemaRecord](repeating: SchemaRecord(schema), count: 3)
    records[1].names.renameClass("Person", to: "Human")
    records[1].names.renameProperty("age", of: "Human", to: "years")
    records[1].names.renameProperty("title", of: "Dog", to: "name")
    records[2].names.renameClass("Human", to: "Being")
    records[2].retired = [
      RetiredProperty(
        className: "Being", property: Property(name: "notes", type: .string, isOptional: true),
        since: 3)
    ]
    return [
      .init(1, records[0]), .init(2, records[1], oldestReader: 1),
      .init(3, records[2], oldestReader: 1, oldestWriter: 2),
    ]
  }()

  private func document(_ count: Int) -> SchemaDocument {
    var document = SchemaDocument(
      path: "\(count).sqlite", version: UInt64(count), schema: Self.schema)
    document.facts = SchemaFacts(Self.versions.prefix(count))
    return document
  }

  @Test func `The classes are followed by what the file records for older programs`() throws {
    expectEqual(
      SchemaText.lines(document(3)).suffix(9),
      [
        "",
        "for older programs",
        "  Person is called Human from version 2 on",
        "  Dog.title is called name from version 2 on",
        "  Human.age is called years from version 2 on",
        "  Human is called Being from version 3 on",
        "  Being.notes: String? was removed in version 3, and keeps its values",
        "  only programs from version 1 on may read the file",
        "  only programs from version 2 on may write to the file",
      ])
    expectEqual(SchemaText.lines(document(1)).last, "  name      String")
  }

  @Test func `Facts of other classes are left out`() throws {
    try expectEqual(
      document(3).restricted(to: ["Being"]).facts.lines,
      [
        "Person is called Human from version 2 on", "Human.age is called years from version 2 on",
        "Human is called Being from version 3 on",
        "Being.notes: String? was removed in version 3, and keeps its values",
        "only programs from version 1 on may read the file",
        "only programs from version 2 on may write to the file",
      ])
    try expectEqual(
      document(2).restricted(to: ["Dog"]).facts.lines,
      [
        "Dog.title is called name from version 2 on",
        "only programs from version 1 on may read the file",
      ])
  }

  @Test func `A comparison of files shows facts of one of them, which are no differences`() {
    let report = DiffReport(document(3), document(2))
    expectEqual(report.status, .success)
    expectEqual(
      report.lines.suffix(6),
      [
        "The classes are the same.",
        "",
        "~ for older programs",
        "  - Human is called Being from version 3 on",
        "  - Being.notes: String? was removed in version 3, and keeps its values",
        "  - only programs from version 2 on may write to the file",
      ])
    expectEqual(
      DiffReport(document(1), document(2)).lines.last,
      "  + only programs from version 1 on may read the file")
    expectEqual(DiffReport(document(2), document(2)).lines.last, "The classes are the same.")
  }

  @Test func `JSON has each fact, and its keys without facts`() {
    expectEqual(JSONValue(document(1))["renamed"], [])
    expectEqual(JSONValue(document(1))["retired"], [])
    expectEqual(JSONValue(document(1))["oldestReader"], .null)
    let json = JSONValue(document(3))
    expectEqual(
      json["renamed"]?.array?.suffix(2),
      [
        ["class": "Human", "property": "years", "from": "age", "since": .unsigned(2)],
        ["class": "Being", "property": .null, "from": "Human", "since": .unsigned(3)],
      ])
    expectEqual(
      json["retired"]?.array,
      [
        [
          "class": "Being",
          "property": JSONValue(Property(name: "notes", type: .string, isOptional: true)),
          "since": .unsigned(3),
        ]
      ])
    expectEqual(json["oldestReader"], .unsigned(1))
    expectEqual(json["oldestWriter"], .unsigned(2))
    let diff = JSONValue(DiffReport(document(1), document(3)))
    expectEqual(diff["second"]?["oldestWriter"], .unsigned(2))
  }
}
