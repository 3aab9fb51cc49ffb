import StrataSchema
import TestKit
import Testing

/// The table of docs/two-releases.md, as a function of values.
@Suite struct CompatibilityTests {
  /// A change of a file, and what a program of version 1 may do then.
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let file: Schema
    var perObject: [String: Set<String>] = [:]
    var reading: [String] = []
    var inserting: [String] = []
    var testDescription: String { name }
  }

  /// The classes of the program.
  private static let program = Schema(
    model(
      "P", key: "id", indexes: [["a", "b"]], property("id"), property("a", indexed: true),
      property("b", .string, optional: true), property("t", .string, fullText: true),
      property("list", .string, .list), link("to", to: "Q")),
    model("Q", embedded: true, property("x")))

  private static func file(_ change: (inout ObjectSchema) -> Void) -> Schema {
    var schema = program
    guard var object = schema["P"] else { return schema }
    change(&object)
    schema.update(object)
    return schema
  }

  private static func changing(
    _ column: String, _ change: @escaping (inout Property) -> Void
  ) -> Schema {
    file { object in
      for index in object.properties.indices where object.properties[index].name == column {
        change(&object.properties[index])
      }
    }
  }

  static let rows: [Row] = [
    Row(name: "nothing", file: program),
    Row(
      name: "a new class",
      file: Schema(program.objectSchema + [model("R", property("x"), link("p", to: "P"))])),
    Row(
      name: "new optional properties and collections",
      file: file {
        $0.properties += [
          property("n", .date, optional: true), property("s", .int, .set),
          property("m", .string, .map), link("l", to: "P"), property("any", .any),
        ]
      }),
    Row(name: "a new property with a default", file: file { $0.properties.append(property("d")) }),
    Row(
      name: "a new property without a default",
      file: file { $0.properties.append(property("n")) },
      inserting: [
        "Property 'P.n' has been added in version 2, is required, and has no default in the file that is "
          + "right for each new object."
      ]),
    Row(
      name: "a default that differs for each object",
      file: file { $0.properties.append(property("d")) }, perObject: ["P": ["d"]],
      inserting: [
        "Property 'P.d' has been added in version 2, is required, and has no default in the file that is "
          + "right for each new object."
      ]),
    Row(name: "other indexes", file: changing("a") { $0.wantsIndex = false }),
    Row(name: "no compound index", file: file { $0.compoundIndexes = [] }),
    Row(name: "a new full-text index", file: changing("b") { $0.wantsTextIndex = true }),
    Row(
      name: "no full-text index", file: changing("t") { $0.wantsTextIndex = false },
      reading: ["Property 'P.t' has lost its full-text index in version 2."]),
    Row(name: "became optional", file: changing("a") { $0.allowsNil = true }),
    Row(name: "became required", file: changing("b") { $0.allowsNil = false }),
    Row(
      name: "elements became optional", file: changing("list") { $0.allowsNil = true },
      reading: ["Property 'P.list' has been made optional in version 2."]),
    Row(
      name: "the key became optional", file: changing("id") { $0.allowsNil = true },
      reading: ["Property 'P.id' has been made optional in version 2."]),
    Row(
      name: "another type", file: changing("a") { $0.type = .string },
      reading: ["Property 'P.a' has been changed from 'int' to 'string' in version 2."]),
    Row(
      name: "another collection", file: changing("list") { $0.collection = .set },
      reading: [
        "Property 'P.list' has been changed from 'array<string>' to 'set<string>' in version 2."
      ]),
    Row(
      name: "another target", file: changing("to") { $0.objectClassName = "P" },
      reading: ["Property 'P.to' has been changed from '<Q>' to '<P>' in version 2."]),
    Row(
      name: "another key", file: file { $0.primaryKey = "t" },
      reading: ["Primary Key for class 'P' has changed from 'id' to 't' in version 2."]),
    Row(
      name: "no key", file: file { $0.primaryKey = nil },
      reading: ["Primary Key for class 'P' has been removed in version 2."]),
    Row(
      name: "an embedded class", file: file { $0.isEmbedded = true },
      reading: ["Class 'P' has been changed from TopLevel to Embedded in version 2."]),
    Row(
      name: "removed", file: file { $0.properties.removeAll { $0.name == "b" } },
      reading: ["Property 'P.b' has been removed in version 2."]),
    Row(
      name: "a class is gone", file: Schema(program.objectSchema.filter { $0.className == "P" }),
      reading: ["Class 'Q' has been removed in version 2."]),
  ]

  private func recorded(_ row: Row) -> RecordedFile {
    var record = SchemaRecord(row.file)
    record.perObject = row.perObject
    return RecordedFile(
      [.init(1, SchemaRecord(Self.program)), .init(2, record)],
      defaults: ["p": ["id", "a", "t", "d"], "q": ["x"]])
  }

  @Test(arguments: rows)
  func `Each change has its rights`(_ row: Row) {
    let decision = Compatibility.of(program: Self.program, version: 1, with: recorded(row))
    expectEqual(decision.obstacles(to: .reading).map(\.text), row.reading)
    expectEqual(decision.obstacles(to: .changing).map(\.text), row.reading)
    expectEqual(decision.insertions["P", default: []].map(\.text), row.inserting)
  }

  @Test func `A removed property that is retired is no obstacle`() {
    var record = SchemaRecord(Self.file { $0.properties.removeAll { $0.name == "b" } })
    record.retired = [
      RetiredProperty(
        className: "P", property: property("b", .string, optional: true), since: 2)
    ]
    let file = RecordedFile(
      [.init(1, SchemaRecord(Self.program)), .init(2, record)], defaults: ["p": ["a", "t"]])
    expectEqual(
      Compatibility.of(program: Self.program, version: 1, with: file).obstacles, [])
  }

  @Test func `Names are followed through all versions, and the first version of a change is named`()
  {
    var second = SchemaRecord(Self.file { $0.properties[1].name = "c" })
    second.names.renameProperty("a", of: "P", to: "c")
    var third = SchemaRecord(
      Schema(
        model("N", key: "id", property("id"), property("d", .string)),
        model("Q", embedded: true, property("x"))))
    third.names.renameClass("P", to: "N")
    third.names.renameProperty("c", of: "N", to: "d")
    let file = RecordedFile(
      [.init(1, SchemaRecord(Self.program)), .init(2, second), .init(3, third)],
      defaults: ["n": ["id", "d"]])
    let decision = Compatibility.of(program: Self.program, version: 1, with: file)
    expectEqual(decision.names.classes, ["P": "N"])
    expectEqual(decision.names.columns, ["P": ["a": "d"]])
    expectTrue(
      decision.obstacles.map(\.text).contains(
        "Property 'N.d' has been changed from 'int' to 'string' in version 3 (this program calls it 'P.a')."
      ), "\(decision.obstacles)")
  }

  @Test func `A column that differs for each object is known by its name after an operation`() {
    var record = SchemaRecord(Self.program)
    record.perObject = ["P": ["a", "b"]]
    var file = RecordedFile([.init(1, record)], defaults: [:])
    file.apply(
      [
        .renameColumn(table: "P", from: "a", to: "A"), .dropColumn(table: "P", column: "b"),
        .addColumn(table: "P", property("d", .date), .perRow),
      ], to: Self.program, tableDefaults: { _ in nil })
    expectEqual(file.versions.last?.record.perObject, ["P": ["A", "d"]])
  }

  @Test func `Limits only forbid`() {
    var entry = RecordedFile.Entry(
      3, SchemaRecord(Self.program), oldestReader: 2, oldestWriter: 3)
    func decision(_ version: UInt64) -> Compatibility {
      Compatibility.of(
        program: Self.program, version: version, with: RecordedFile([entry], defaults: [:]))
    }
    expectEqual(decision(1).obstacles(to: .reading).count, 1)
    expectEqual(decision(2).obstacles(to: .reading).count, 0)
    expectEqual(
      decision(2).obstacles(to: .changing).map(\.text),
      ["Version 3 may be written to by programs from version 3 on."])
    entry.oldestReader = nil
    entry.oldestWriter = nil
    expectEqual(decision(1).obstacles, [])
  }
}
