import Strata
import StrataSchema
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// Texts with a zero byte, which ends a text in C and in some functions of SQLite.
@Suite struct ZeroTests {
  private let folder: TestFolder
  private let reader: FileReader
  /// Longer than a cell shows, with a zero at its beginning.
  private let text = "a\u{0}" + String(repeating: "ü", count: 300)
  private static let sql = "'a' || char(0) || replace(hex(zeroblob(150)), '0', 'ü')"

  init() throws {
    folder = try Zoo.folder()
    reader = Zoo.reader(folder)
    try folder.execute(
      """
      UPDATE Keeper SET name = \(Self.sql), note = \(Self.sql), note_type = 'string' WHERE _id = 1;
      UPDATE Animal SET name = \(Self.sql) WHERE _id = 2;
      UPDATE Keeper_tags SET value = \(Self.sql);
      UPDATE Keeper_scores SET key = \(Self.sql)
      """)
  }

  private func cut(_ count: Int) -> JSONValue {
    ["text": .text(String(text.prefix(count))), "length": 302]
  }

  private func values(_ json: JSONValue?) -> [String: JSONValue] {
    let names = json?["columns"]?.array?.compactMap(\.text) ?? []
    return Dictionary(uniqueKeysWithValues: zip(names, json?["values"]?.array ?? []))
  }

  @Test func `A cell has the start of the text, and its length`() async throws {
    let cells = try await reader.read { db, schema in
      let table = try schema.objectSchema("Keeper")
      let row = try RowReader(schema, db, table).json([1]).array?.first
      return ["columns": .texts(table.properties.map(\.name)), "values": row?["values"] ?? .null]
        as JSONValue
    }
    let found = values(cells)
    expectEqual(found["name"], cut(200))
    expectEqual(found["note"], ["type": "string", "value": cut(200)])
    expectEqual(found["favourite"], ["id": 2, "label": .text(String(text.prefix(80)))])
  }

  @Test func `The page of an object has all of the text`() async throws {
    let object = try await reader.read { db, schema in
      try ObjectReader(schema: schema, db: db).json(ObjectLink(className: "Keeper", identity: 1))
    }
    let found = values(object)
    expectEqual(object["label"], .text(String(text.prefix(80))))
    expectEqual(found["name"], .text(text))
    expectEqual(found["note"], ["type": "string", "value": .text(text)])
    expectEqual(found["tags"]?["first"], [["value": cut(200)]])
    expectEqual(found["scores"]?["first"], [["key": .text(text), "value": 7]])
  }

  @Test func `The most frequent values have their lengths`() async throws {
    let column = try await reader.read { db, schema in
      try ColumnReader(schema: schema, db: db).json(
        schema.property("name", of: "Keeper"), of: Question("Keeper"))
    }
    let texts = column["frequent"]?.array?.compactMap { $0["value"] } ?? []
    expectTrue(texts.contains(cut(200)))
    expectEqual(column["max"], .text(String(text.prefix(200))))
  }

  @Test func `A value is completed from behind the zero`() async throws {
    for (typed, count) in [("a", 1), ("a\u{0}ü", 1), ("a\u{0}b", 0)] {
      let items = try await reader.read { db, schema in
        let condition = "name == '\(typed)"
        return try CompletionReader(schema: schema, db: db).json(
          Question("Keeper", where: condition), at: condition.utf16.count)
      }
      let found = items["items"]?.array?.filter { $0["kind"] == "value" } ?? []
      expectEqual(found.count, count, "\(typed)")
    }
  }

  @Test func `A long text is changed as the page has it`() async throws {
    let file = try EditingFile()
    try file.folder.execute("UPDATE Item SET name = \(Self.sql)")
    func set(was: JSONValue) async throws {
      _ = try await file.editor.change([
        "changes": [
          ["set": ["class": "Item", "id": 1, "property": "name", "was": was, "to": "b"]]
        ]
      ])
    }
    await #expect(throws: RequestFailure.self) { try await set(was: "a") }
    try await set(was: cut(200))
  }
}
