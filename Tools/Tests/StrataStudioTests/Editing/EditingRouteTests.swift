import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import StrataStudio

/// The routes that change a file, with the requests of the page.
@Suite struct EditingRouteTests {
  private let studio = TestStudio()
  private let folder: TestFolder

  init() throws { folder = try Zoo.folder() }

  private func set(_ was: JSONValue, _ to: JSONValue) -> JSONValue {
    let body: JSONValue = [
      "class": "Keeper", "id": 1, "property": "age", "was": was, "to": to,
    ]
    return ["changes": [["set": body]]]
  }

  @Test func `A change is answered with its version, and can be taken back`() async throws {
    try await studio.with(folder.file) { _, ask in
      let changed = try await ask("POST /api/changes", set(36, 37), nil)
      expectEqual(
        changed.json,
        [
          "version": 2, "created": [:], "undo": 1, "redo": 0, "backup": .null,
        ])
      let undone = try await ask("POST /api/undo", [:], nil)
      expectEqual(
        undone.json,
        [
          "version": 3, "done": "Set Keeper.age of 1 object", "undo": 0, "redo": 1,
          "backup": .null,
        ])
      try await expectEqual(ask("POST /api/redo", [:], nil).json["undo"], 1)
      let conflict = try await ask("POST /api/changes", set(36, 38), nil)
      expectEqual(conflict.status, .conflict)
      expectEqual(conflict.json["now"], 37)
      let wrong = try await ask("POST /api/changes", set(37, "ten"), nil)
      expectEqual(wrong.status, .unprocessable)
      let effect = try await ask(
        "POST /api/effect", ["class": "Keeper", "ids": [1]], nil)
      expectEqual(effect.json["objects"], ["Home": 1, "Room": 1])
    }
  }

  @Test func `Bytes come as a file`() async throws {
    try await studio.with(folder.file) { _, ask in
      let upload = folder.url.appendingPathComponent("upload")
      try Data([1, 2, 3]).write(to: upload)
      let answer = try await ask(
        "PUT /api/data/Keeper/1/photo", [:], .file(path: upload.path, byteCount: 3))
      expectEqual(answer.json["undo"], 1)
      let photo: [UInt8] = try folder.sql { db in
        Array(try Data.fetchOne(db, sql: "SELECT photo FROM Keeper WHERE _id = 1") ?? Data())
      }
      expectEqual(photo, [1, 2, 3])
    }
  }

  @Test func `Bytes that another program has changed aren't overwritten`() async throws {
    try await studio.with(folder.file) { _, ask in
      let upload = folder.url.appendingPathComponent("upload")
      try Data([1, 2, 3]).write(to: upload)
      try folder.execute("UPDATE Keeper SET photo = x'05' WHERE _id = 1")
      let was = "%7B%22bytes%22:6,%22start%22:%2289504e470001%22%7D"
      let answer = try await ask(
        "PUT /api/data/Keeper/1/photo?was=\(was)", [:], .file(path: upload.path, byteCount: 3))
      expectEqual(answer.status, .conflict)
      let now = "%7B%22bytes%22:1,%22start%22:%2205%22%7D"
      let again = try await ask(
        "PUT /api/data/Keeper/1/photo?was=\(now)", [:], .file(path: upload.path, byteCount: 3))
      expectEqual(again.status, .ok)
    }
  }

  @Test func `The first character of an import decides its format, unless the request does`()
    async throws
  {
    try await studio.with(folder.file) { _, ask in
      func ready(_ text: String, _ format: String = "") async throws -> JSONValue? {
        try await ask("POST /api/import/Keeper?\(format)", [:], .bytes(Array(text.utf8)))
          .json["ready"]
      }
      for text in ["id\n9\n", "{\"id\":9}\n", "[{\"id\":9}]"] {
        try await expectEqual(ready(text), 1, "\(text)")
      }
      try await expectTrue(ready("{\"id\":9}\n", "format=csv") != 1)
      let wrong = try await ask("POST /api/import/Keeper?format=xml", [:], .bytes([]))
      expectEqual(wrong.status, .badRequest)
    }
  }

  @Test func `Identities of a part of an answer are told`() async throws {
    try await studio.with(folder.file) { _, ask in
      let all = try await ask(
        "GET /api/identities/Keeper?sort=-id&from=0&to=99999", [:], RequestBody.none)
      expectEqual(all.json["ids"], [2, 1])
      let last = try await ask("GET /api/identities/Keeper?from=1&to=5", [:], RequestBody.none)
      expectEqual(last.json["ids"], [2])
      let found = try await ask(
        "GET /api/identities/Keeper?where=id%3D%3D7&from=0&to=5", [:], RequestBody.none)
      expectEqual(found.json["ids"], [1])
      let more = try await ask("GET /api/identities/Keeper?from=0&to=100000", [:], RequestBody.none)
      expectEqual(more.status, .unprocessable)
      expectEqual(
        more.json["error"], "At most 100000 objects can be selected. Narrow the query.")
    }
  }

  @Test func `A studio that only reads changes no byte`() async throws {
    try folder.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let before = try Data(contentsOf: folder.file)
    try await studio.with(folder.file, isWritable: false) { _, ask in
      for path in ["changes", "undo", "redo"] {
        let answer = try await ask("POST /api/\(path)", set(36, 37), nil)
        expectEqual(answer.status, .forbidden)
        expectEqual(answer.json["code"], "readOnly")
      }
      let data = try await ask("PUT /api/data/Keeper/1/photo", [:], .bytes([1]))
      expectEqual(data.status, .forbidden)
      let effect = try await ask(
        "POST /api/effect", ["class": "Keeper", "ids": [1]], nil)
      expectEqual(effect.status, .ok)
    }
    try expectEqual(Data(contentsOf: folder.file), before)
  }
}
