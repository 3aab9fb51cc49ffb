import Foundation
import Strata
import StrataSchema
import TestKit
import Testing

@testable import StrataCommand

/// The sources that `strata schema --format swift` prints. `GeneratedClasses.swift` is one of them,
/// and is compiled.
@Suite struct SwiftSourceTests {
  /// Each type, and names that Swift doesn't take.
  private static let schema = Schema([
    ObjectSchema(
      className: "Everything",
      properties: PropertyType.values.flatMap { type in
        let name = type.rawValue.replacingOccurrences(of: " ", with: "")
        return [
          Property(name: name + "One", type: type, isOptional: type == .any),
          Property(name: name + "Perhaps", type: type, isOptional: true),
          Property(name: name + "List", type: type, collection: .list, isOptional: type == .any),
          Property(name: name + "Set", type: type, collection: .set, isOptional: true),
          Property(name: name + "Map", type: type, collection: .map, isOptional: type == .any),
        ]
      }),
    ObjectSchema(
      className: "odd \"name\"",
      properties: [
        Property(name: "class", type: .string, isIndexed: true, hasTextIndex: true),
        Property(name: "a b", type: .int, isIndexed: true),
        Property(name: "c\\d\u{1B}", type: .int),
        Property(name: "description", type: .string),
        Property(name: "größe", type: .double),
        Property(name: "_id", type: .objectId),
        Property(name: "_partition", type: .string),
        Property(name: "id", type: .string),
        Property(name: "self", type: .object, objectClassName: "odd \"name\"", isOptional: true),
      ], primaryKey: "_id"),
    ObjectSchema(
      className: "Data",
      properties: [
        Property(name: "id", type: .string, hasTextIndex: true),
        Property(name: "parts", type: .object, objectClassName: "Part", collection: .list),
        Property(
          name: "roles", type: .object, objectClassName: "Part", collection: .map, isOptional: true),
        Property(
          name: "others", type: .object, objectClassName: "odd \"name\"", collection: .set),
      ], primaryKey: "id"),
    ObjectSchema(
      className: "Part", properties: [Property(name: "bytes", type: .data)], isEmbedded: true),
    ObjectSchema(
      className: "Keyed",
      properties: [Property(name: "number", type: .int, isOptional: true, isIndexed: true)],
      primaryKey: "number"),
  ])

  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try FrozenFile.create(
      at: folder.url("everything.sqlite"), FrozenSchema(version: 4, schema: Self.schema)
    ) { _ in }
  }

  @Test func `The compiled source is what the program prints`() throws {
    let outcome = try Tool.run(["schema", "everything.sqlite", "--format", "swift"], in: folder)
    expectEqual(outcome.status, 0)
    let file = CommandFolder.repository.appendingPathComponent(
      "Tools/Tests/StrataCommandTests/Generated/GeneratedClasses.swift")
    try expectEqual(outcome.output, String(contentsOf: file, encoding: .utf8))
  }

  @Test func `The file opens with the compiled classes, and nothing changes`() throws {
    let url = folder.url("everything.sqlite")
    let before = try Realm.inspection(at: url)
    let configuration = Realm.Configuration(
      fileURL: url, schemaVersion: 4,
      objectTypes: [
        Everything.self, Class1.self, DataObject.self, Part.self, Keyed.self,
      ])
    try expectEqual(Realm.migrationForecast(for: configuration).outcome, .nothing)
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.create(DataObject.self, value: ["id": "1", "parts": [["bytes": Data([1])]]])
      realm.create(Class1.self, value: ["property1": 7])
    }
    expectEqual(realm.objects(Class1.self).first?.property1, 7)
    let after = try Realm.inspection(at: url)
    expectEqual(after.schema, before.schema)
    expectEqual(after.history, before.history)
  }

  @Test func `A class that Strata has none of is named`() {
    var document = SchemaDocument(path: "a.realm", version: nil, schema: Schema([]))
    document.schema = Schema([ObjectSchema(className: "Event", properties: [])])
    document.asymmetric = ["Event"]
    expectEqual(
      SwiftSource.lines(document),
      [
        "// The classes of 'a.realm', which is at no schema version.", "", "import Foundation",
        "import Strata", "",
        "// 'Event' is an asymmetric class, a kind that Strata doesn't have.",
      ])
  }
}

extension PropertyType {
  fileprivate static let values = allCases.filter { $0 != .object && $0 != .linkingObjects }
}
