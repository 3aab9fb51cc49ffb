import Foundation
import StrataSchema
import StrataTestKit
import Testing

@testable import StrataStudio

/// Values as the page gets them.
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
    #expect(values["id"] == 7)
    #expect(values["name"] == "Ada")
    #expect(values["age"] == 36)
    #expect(values["weight"] == .number(61.5))
    #expect(values["share"] == .number(Double(Float(0.1))))
    #expect(values["isHere"] == true)
    #expect(values["born"] == "1970-01-01 00:00:00.000000000")
    #expect(values["badge"] == .text(Zoo.uuid.uuidString))
    #expect(values["code"] == "6058f12b957ba06156586a7c")
    #expect(values["salary"] == "1.50")
    #expect(values["photo"] == ["bytes": 6, "start": "89504e470001"])
    #expect(
      values["note"] == ["type": "object", "value": ["class": "Animal", "id": 1, "label": "Rex"]])
    #expect(values["favourite"] == ["id": 2, "label": "Max"])
    #expect(values["animals"] == ["count": 3])
    #expect(values["tags"] == ["count": 1])
    #expect(values["scores"] == ["count": 1])
    #expect(values["home"] == ["id": 1, "label": "Main"])
  }

  @Test func `Nothing is null, and an empty collection has no elements`() async throws {
    let values = try await values("Keeper", 2)
    for name in ["age", "share", "born", "badge", "code", "salary", "photo", "note", "favourite"] {
      #expect(values[name] == .null, "\(name)")
    }
    #expect(values["animals"] == ["count": 0])
  }

  @Test func `Long texts are cut, and say how long they are`() async throws {
    try folder.execute("UPDATE Keeper SET name = printf('%.*c', 90210, 'x') WHERE _id = 1")
    let name = try await values("Keeper", 1)["name"]
    #expect(name == ["text": .text(String(repeating: "x", count: 200)), "length": 90_210])
  }

  @Test func `No bytes are no nil, and a zero is a part of a text`() async throws {
    try folder.execute(
      "UPDATE Keeper SET photo = x'', name = 'a' || char(0) || 'b', note = x'', note_type = 'data'")
    let values = try await values("Keeper", 1)
    #expect(values["photo"] == ["bytes": 0, "start": ""])
    #expect(values["note"] == ["type": "data", "value": ["bytes": 0, "start": ""]])
    #expect(values["name"] == "a\u{0}b")
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
    #expect(values["born"]?["invalid"] == "yesterday")
    #expect(values["badge"]?["invalid"] == "none")
    #expect(values["isHere"]?["invalid"] == 5)
    #expect(values["note"]?["invalid"] == "x")
    #expect(values["favourite"]?["invalid"] == 99)
    #expect(values["favourite"]?["problem"]?.text?.hasPrefix("There is no object 99") == true)
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
      #expect(try await values("Keeper", 1)["note"] == value)
    }
  }

  @Test func `Numbers beyond those of JavaScript are texts`() async throws {
    try folder.execute("UPDATE Keeper SET age = 9007199254740993 WHERE _id = 1")
    #expect(try await values("Keeper", 1)["age"]?.description == "\"9007199254740993\"")
  }

  // MARK: Objects

  private func object(_ className: String, _ identity: Int64) async throws -> JSONValue {
    try await reader.read { db, schema in
      try ObjectReader(schema, db).json(ObjectLink(className: className, identity: identity))
    }
  }

  @Test func `An object has what is inside of it, and what leads to it`() async throws {
    let ada = try await object("Keeper", 1)
    #expect(ada["label"] == "Ada")
    #expect(ada["embedded"] == false)
    let names = ada["columns"]?.array?.compactMap(\.text) ?? []
    let values = Dictionary(uniqueKeysWithValues: zip(names, ada["values"]?.array ?? []))
    #expect(
      values["animals"] == [
        "count": 3,
        "first": [
          ["at": 0, "value": ["id": 1, "label": "Rex"]],
          ["at": 1, "value": ["id": 2, "label": "Max"]],
          ["at": 2, "value": ["id": 1, "label": "Rex"]],
        ],
      ])
    #expect(values["tags"] == ["count": 1, "first": [["value": "go"]]])
    #expect(values["scores"] == ["count": 1, "first": [["key": "chess", "value": 7]]])
    #expect(values["home"]?["object"]?["columns"] == ["street", "rooms"])
    let room = values["home"]?["object"]?["values"]?.array?.last?["first"]?.array?.first
    #expect(room?["value"]?["object"]?["values"] == [12])
    let rex = try await object("Animal", 1)
    let incoming = rex["incoming"]?.array ?? []
    #expect(
      incoming.map {
        "\($0["class"]?.text ?? "").\($0["property"]?.text ?? "") \($0["count"] ?? 0)"
      }
        == [
          "Animal.mother 1", "Keeper.favourite 0", "Keeper.animals 1", "Keeper.note 1",
        ])
    #expect(incoming[2]["first"] == [["id": 1, "label": "Ada"]])
  }

  @Test func `An embedded object leads to its parent`() async throws {
    let home = try await object("Home", 1)
    #expect(home["embedded"] == true)
    #expect(home["incoming"]?.array?.first?["class"] == "Keeper")
  }

  @Test func `What isn't there is said`() async throws {
    await #expect(throws: RequestFailure.goneObject("Keeper", 99)) {
      try await object("Keeper", 99)
    }
    do {
      _ = try await object("Nobody", 1)
      Issue.record("It was there.")
    } catch let failure as RequestFailure {
      #expect(
        failure.message
          == "The file has no class 'Nobody'. It has: Animal, Home, Keeper, Room.")
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
    #expect(parts[0].array?.count == 2)
    #expect(parts[1] == 2)
    #expect(parts[2] == [["at": 2, "value": ["id": 1, "label": "Rex"]]])
    #expect(parts[3] == .null)
  }

  @Test func `Bytes come in full`() async throws {
    let bytes = try await reader.read { db, schema in
      try DataReader(schema, db).bytes(
        of: "photo", ObjectLink(className: "Keeper", identity: 1)
      ).bytes
    }
    #expect(bytes == [0x89, 0x50, 0x4E, 0x47, 0, 1])
  }

  @Test func `An element comes in full by its place`() async throws {
    try folder.execute(
      "INSERT INTO Keeper_tags (owner, value) VALUES (1, printf('%.*c', 500, 'x'))")
    let link = ObjectLink(className: "Keeper", identity: 1)
    let found = try await reader.read { db, schema in
      let reader = DataReader(schema, db)
      return try [0, 1].map { try reader.bytes(of: "tags", link, at: $0).bytes }
    }
    #expect(found == [Array("go".utf8), Array(repeating: UInt8(ascii: "x"), count: 500)])
    for (name, position) in [("tags", 2), ("tags", nil), ("name", 0)] as [(String, Int64?)] {
      await #expect(throws: RequestFailure.self, "\(name)") {
        try await reader.read { db, schema in
          try DataReader(schema, db).bytes(of: name, link, at: position).bytes
        }
      }
    }
  }
}
