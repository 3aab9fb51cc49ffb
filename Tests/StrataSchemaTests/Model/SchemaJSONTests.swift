import CustomDump
import Foundation
import StrataSchema
import TestKit
import Testing

@Suite("The JSON of a schema")
struct SchemaJSONTests {
  @Test func `The same schema has the same JSON, and it is this text`() throws {
    let schema = Schema(
      model(
        "Person", key: "id",
        property("id", .objectId, column: "_id"),
        property("name", .string, optional: true, indexed: true),
        property("scores", .double, .map),
        link("home", to: "Address"),
        linkingObjects("friends", from: "Person", "home")),
      model("Address", embedded: true, property("a\"b/é", .any)))
    expectNoDifference(
      try text(of: schema),
      #"{"classes":[{"embedded":true,"name":"Address","properties":"#
        + #"[{"name":"a\"b/é","type":"mixed"}]},"#
        + #"{"name":"Person","primaryKey":"_id","properties":"#
        + #"[{"name":"_id","type":"object id"},"#
        + #"{"indexed":true,"name":"name","optional":true,"type":"string"},"#
        + #"{"collection":"map","name":"scores","type":"double"},"#
        + #"{"name":"home","optional":true,"target":"Address","type":"object"}]}],"format":1}"#)
  }

  @Test(arguments: 0..<50)
  func `The JSON gives the stored schema back`(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let schema = RandomSchema.make(using: &generator)
    expectFalse(schema.objectSchema.isEmpty)
    let json = try text(of: schema)
    let decoded = try decode(json)
    expectNoDifference(decoded, schema.stored)
    try expectEqual(text(of: decoded), json)
  }

  @Test func `The JSON keeps every type and every kind of collection`() throws {
    let kinds: [CollectionKind?] = [nil, .list, .set, .map]
    let properties = kinds.flatMap { kind in
      PropertyType.allCases.filter { $0 != .linkingObjects }
        .map { property("\($0)-\(String(describing: kind))", $0, to: "T", kind) }
    }
    expectEqual(properties.count, 48)
    let schema = Schema([ObjectSchema(className: "C", properties: properties)])
    expectNoDifference(try decode(try text(of: schema)), schema)
  }

  @Test func `JSON of a later version may have unknown keys`() throws {
    let json = #"""
      {"format": 1, "later": 5, "classes": [
        {"name": "A", "color": "red", "properties": [
          {"name": "a", "type": "int", "compressed": true}]}]}
      """#
    try expectEqual(decode(json), Schema(model("A", property("a"))))
  }

  @Test(
    arguments: [
      #"{"format": 2, "classes": []}"#,
      #"{"classes": []}"#,
      #"{"format": 1}"#,
      #"{"format": 1, "classes": [{"properties": []}]}"#,
      #"{"format": 1, "classes": [{"name": "A"}]}"#,
      #"{"format": 1, "classes": [{"name": "A", "properties": [{"name": "a"}]}]}"#,
      #"{"format": 1, "classes": [{"name": "A", "properties": [{"name": "a", "type": "i"}]}]}"#,
    ])
  func `JSON of another format, or incomplete JSON, is refused`(json: String) {
    #expect(throws: DecodingError.self) { try decode(json) }
  }

  @Test func `JSON of another format is refused with both numbers`() {
    let error = #expect(throws: DecodingError.self) {
      try decode(#"{"format": 7, "classes": []}"#)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("The error is \(String(describing: error)).")
      return
    }
    expectEqual(
      context.debugDescription, "The schema is stored in format 7, and only format 1 is known.")
  }

  private func text(of schema: Schema) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(schema), as: UTF8.self)
  }

  private func decode(_ json: String) throws -> Schema {
    try JSONDecoder().decode(Schema.self, from: Data(json.utf8))
  }
}
