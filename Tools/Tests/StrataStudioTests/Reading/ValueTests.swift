import Foundation
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Values in the form that the page receives.
@Suite struct ValueTests {
  private let folder: TestFolder
  private let reader: FileReader

  init() throws {
    folder = try Zoo.folder()
    reader = Zoo.reader(folder)
  }

  private func values(_ className: String, _ identity: Int64) async throws -> [String: JSONValue] {
    try await reader.read { db, schema in
      let table = try schema.objectSchema(className)
      let rows = try RowReader(schema, db, table).json([identity])
      let values = rows.array?.first?["values"]?.array ?? []
      return Dictionary(uniqueKeysWithValues: zip(table.properties.map(\.name), values))
    }
  }

  @Test func `Each type has its form`() async throws {
    let values = try await values("Keeper", 1)
    expectEqual(values["id"], 7)
    expectEqual(values["name"], "Ada")
    expectEqual(values["age"], 36)
    expectEqual(values["weight"], .number(61.5))
    expectEqual(values["share"], .number(Double(Float(0.1))))
    expectEqual(values["isHere"], true)
    expectEqual(values["born"], "1970-01-01 00:00:00.000000000")
    expectEqual(values["badge"], .text(Zoo.uuid.uuidString))
    expectEqual(values["code"], "6058f12b957ba06156586a7c")
    expectEqual(values["salary"], "1.50")
    expectEqual(values["photo"], ["bytes": 6, "start": "89504e470001"])
    expectEqual(
      values["note"], ["type": "object", "value": ["class": "Animal", "id": 1, "label": "Rex"]])
    expectEqual(values["favourite"], ["id": 2, "label": "Max"])
    expectEqual(values["animals"], ["count": 3])
    expectEqual(values["tags"], ["count": 1])
    expectEqual(values["scores"], ["count": 1])
    expectEqual(values["home"], ["id": 1, "label": "Main"])
  }

  @Test func `Nothing is null, and an empty collection has no elements`() async throws {
    let values = try await values("Keeper", 2)
    for name in ["age", "share", "born", "badge", "code", "salary", "photo", "note", "favourite"] {
      expectEqual(values[name], .null, "\(name)")
    }
    expectEqual(values["animals"], ["count": 0])
  }

  @Test func `Long texts are cut, and say how long they are`() async throws {
    try folder.execute("UPDATE Keeper SET name = printf('%.*c', 90210, 'x') WHERE _id = 1")
    let name = try await values("Keeper", 1)["name"]
    expectEqual(name, ["text": .text(String(repeating: "x", count: 200)), "length": 90_210])
  }

  @Test func `No bytes are no nil, and a zero is a part of a text`() async throws {
    try folder.execute(
      "UPDATE Keeper SET photo = x'', name = 'a' || char(0) || 'b', note = x'', note_type = 'data'")
    let values = try await values("Keeper", 1)
    expectEqual(values["photo"], ["bytes": 0, "start": ""])
    expectEqual(values["note"], ["type": "data", "value": ["bytes": 0, "start": ""]])
    expectEqual(values["name"], "a\u{0}b")
  }

  @Test func `A value that can't be one says what it is`() async throws {
    folder.isDamaged = true
    try folder.execute(
      """
      PRAGMA foreign_keys = OFF;
      UPDATE Keeper SET born = 'yesterday', badge = 'none', isHere = 5, note_type = 'int', note = 'x',
        favourite = 99 WHERE _id = 1
      """)
    let values = try await values("Keeper", 1)
    expectEqual(values["born"]?["invalid"], "yesterday")
    expectEqual(values["badge"]?["invalid"], "none")
    expectEqual(values["isHere"]?["invalid"], 5)
    expectEqual(values["note"]?["invalid"], "x")
    expectEqual(values["favourite"]?["invalid"], 99)
    expectEqual(values["favourite"]?["problem"]?.text?.hasPrefix("There is no object 99"), true)
  }

  @Test func `Values in a value have their types`() async throws {
    for (sql, value) in [
      ("5, note_type = 'int'", ["type": "int", "value": 5] as JSONValue),
      ("'a', note_type = 'string'", ["type": "string", "value": "a"]),
      ("x'01', note_type = 'data'", ["type": "data", "value": ["bytes": 1, "start": "01"]]),
      ("'[1,2]', note_type = 'list'", ["type": "list", "value": "[1,2]"]),
      ("1, note_type = 'bool'", ["type": "bool", "value": true]),
    ] {
      try folder.execute("UPDATE Keeper SET note = \(sql) WHERE _id = 1")
      try await expectEqual(values("Keeper", 1)["note"], value)
    }
  }

  @Test func `Values in a value are different by their types`() async throws {
    try folder.execute(
      "UPDATE Keeper SET note = 1, note_type = iif(id = 7, 'int', 'bool')")
    let column = try await reader.read { db, schema in
      try ColumnReader(schema: schema, db: db).json(
        schema.property("note", of: "Keeper"), of: Question("Keeper"))
    }
    expectEqual(column["distinct"], 2)
    expectEqual(column["frequent"]?.array?.count, 2)
    try folder.execute(
      "UPDATE Keeper SET note = iif(id = 7, 0.1 + 0.2, 0.3), note_type = 'double'")
    let doubles = try await reader.read { db, schema in
      try ColumnReader(schema: schema, db: db).json(
        schema.property("note", of: "Keeper"), of: Question("Keeper"))
    }
    expectEqual(doubles["distinct"], 2)
  }

  @Test func `Numbers beyond those of JavaScript are texts`() async throws {
    try folder.execute("UPDATE Keeper SET age = 9007199254740993 WHERE _id = 1")
    try await expectEqual(values("Keeper", 1)["age"]?.description, "\"9007199254740993\"")
  }

  // MARK: Objects

  private func object(_ className: String, _ identity: Int64) async throws -> JSONValue {
    try await reader.read { db, schema in
      try ObjectReader(schema: schema, db: db).json(
        ObjectLink(className: className, identity: identity))
    }
  }

  @Test func `An object has what is inside of it, and what leads to it`() async throws {
    let ada = try await object("Keeper", 1)
    expectEqual(ada["label"], "Ada")
    expectEqual(ada["embedded"], false)
    let names = ada["columns"]?.array?.compactMap(\.text) ?? []
    let values = Dictionary(uniqueKeysWithValues: zip(names, ada["values"]?.array ?? []))
    expectEqual(
      values["animals"],
      [
        "count": 3,
        "first": [
          ["at": 0, "value": ["id": 1, "label": "Rex"]],
          ["at": 1, "value": ["id": 2, "label": "Max"]],
          ["at": 2, "value": ["id": 1, "label": "Rex"]],
        ],
      ])
    expectEqual(values["tags"], ["count": 1, "first": [["value": "go"]]])
    expectEqual(values["scores"], ["count": 1, "first": [["key": "chess", "value": 7]]])
    expectEqual(values["home"]?["object"]?["columns"], ["street", "rooms"])
    let room = values["home"]?["object"]?["values"]?.array?.last?["first"]?.array?.first
    expectEqual(room?["value"]?["object"]?["values"], [12])
    let rex = try await object("Animal", 1)
    let incoming = rex["incoming"]?.array ?? []
    expectEqual(
      incoming.map {
        "\($0["class"]?.text ?? "").\($0["property"]?.text ?? "") \($0["count"] ?? 0)"
      },
      [
        "Animal.mother 1", "Keeper.favourite 0", "Keeper.animals 1", "Keeper.note 1",
      ])
    expectEqual(incoming[2]["first"], [["id": 1, "label": "Ada"]])
  }

  @Test func `An embedded object leads to its parent`() async throws {
    let home = try await object("Home", 1)
    expectEqual(home["embedded"], true)
    expectEqual(home["incoming"]?.array?.first?["class"], "Keeper")
  }

  @Test func `What isn't there is said`() async throws {
    await #expect(throws: RequestFailure.goneObject("Keeper", 99)) {
      try await object("Keeper", 99)
    }
    do {
      _ = try await object("Nobody", 1)
      Issue.record("It was there.")
    } catch let failure as RequestFailure {
      expectEqual(
        failure.message, "The file has no class 'Nobody'. It has: Animal, Home, Keeper, Room.")
    }
  }

  @Test func `Elements come in parts`() async throws {
    let parts = try await reader.read { db, schema in
      let property = try schema.property("animals", of: "Keeper")
      let table = try #require(CollectionTable(className: "Keeper", property: property))
      let reader = ElementReader(schema, db, table)
      let first = try reader.json(of: 1, after: nil, limit: 2)
      let second = try reader.json(of: 1, after: first.last, limit: 2)
      return [
        first.list, .optional(first.last) { .int($0) }, second.list,
        .optional(second.last) { .int($0) },
      ]
    }
    expectEqual(parts[0].array?.count, 2)
    expectEqual(parts[1], 2)
    expectEqual(parts[2], [["at": 2, "value": ["id": 1, "label": "Rex"]]])
    expectEqual(parts[3], .null)
  }

  @Test func `Bytes come in full`() async throws {
    let bytes = try await reader.read { db, schema in
      try DataReader(schema: schema, db: db).bytes(
        of: "photo", ObjectLink(className: "Keeper", identity: 1)
      ).bytes
    }
    expectEqual(bytes, [0x89, 0x50, 0x4E, 0x47, 0, 1])
  }

  @Test func `An element comes in full by its place`() async throws {
    try folder.execute(
      "INSERT INTO Keeper_tags (owner, value) VALUES (1, printf('%.*c', 500, 'x'))")
    let link = ObjectLink(className: "Keeper", identity: 1)
    let found = try await reader.read { db, schema in
      let reader = DataReader(schema: schema, db: db)
      return try [0, 1].map { try reader.bytes(of: "tags", link, at: $0).bytes }
    }
    expectEqual(found, [Array("go".utf8), Array(repeating: UInt8(ascii: "x"), count: 500)])
    for (name, position) in [("tags", 2), ("tags", nil), ("name", 0)] as [(String, Int64?)] {
      await #expect(throws: RequestFailure.self, "\(name)") {
        try await reader.read { db, schema in
          try DataReader(schema: schema, db: db).bytes(of: name, link, at: position).bytes
        }
      }
    }
  }
}
