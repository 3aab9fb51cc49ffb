#if os(Linux)
  import Foundation
  import GRDB
  import Strata
  import TestKit
  import Testing

  @testable import StrataStudio

  /// Requests of the page while the disk is full. The response is 507 with advice, nothing is lost,
  /// and a retry with free space succeeds.
  @Suite(.enabled(if: SmallDisk.canBeMade)) struct FullDiskRequestTests {
    private let disk: SmallDisk
    private let url: URL
    private let studio = TestStudio()

    init() throws {
      disk = try SmallDisk(kilobytes: 3000)
      url = disk.url.appendingPathComponent("a.sqlite")
      let realm = try Realm(
        configuration: Realm.Configuration(fileURL: url, objectTypes: EditingFile.types))
      try realm.write {
        for key in 1...3 {
          realm.create(EditingFile.Item.self, value: ["key": key, "name": "Ada"])
        }
      }
    }

    private func change(_ kind: String, _ body: JSONValue) -> JSONValue {
      ["changes": [.object([.init(kind, body)])]]
    }

    private var requests: [(line: String, json: JSONValue, body: RequestBody?)] {
      let csv = RequestBody.bytes(Array("key,name\n7,New\n8,New\n".utf8))
      let place: JSONValue.Member = .init("class", "Item")
      return [
        (
          "POST /api/changes",
          change(
            "set",
            .object([
              place, .init("id", 1), .init("property", "name"), .init("was", "Ada"),
              .init("to", "Bob"),
            ])), nil
        ),
        (
          "POST /api/changes",
          change("create", .object([place, .init("values", ["key": 9, "name": "New"])])), nil
        ),
        (
          "POST /api/changes",
          change("delete", .object([place, .init("id", 2), .init("was", [:])])), nil
        ),
        (
          "POST /api/changes",
          change(
            "insert",
            .object([
              place, .init("id", 3), .init("property", "names"), .init("at", 0),
              .init("value", "x"),
            ])), nil
        ),
        ("PUT /api/data/Item/1/bytes", .null, .bytes([1, 2, 3])),
        ("POST /api/import/Item?format=csv&dry=false", .null, csv),
        ("POST /api/undo", [:], nil),
      ]
    }

    /// Everything that is in the file, and what is wrong with it.
    private func content() throws -> [String] {
      let queue = try DatabaseQueue(path: url.path)
      defer {
        do { try queue.close() } catch { Issue.record("The file can't be closed: \(error)") }
      }
      return try queue.writeWithoutTransaction { db in
        // The next change needs room for each of its pages.
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        return try String.fetchAll(
          db,
          sql: """
            SELECT _id || key || name || quote(bytes) FROM Item UNION ALL \
            SELECT owner || value FROM Item_names UNION ALL \
            SELECT integrity_check FROM pragma_integrity_check
            """)
      }
    }

    @Test func `Each request that writes is refused, and nothing is lost`() async throws {
      try await studio.with(url) { file, ask in
        for (line, json, body) in requests {
          let before = try content()
          let steps = try #require(await file.editor?.state)
          try disk.fill()
          let refused = try await ask(line, json, body)
          expectEqual(refused.status, .insufficientStorage, "\(line) \(json)")
          expectEqual(refused.json["code"], "room")
          let sentence = refused.json["error"]?.text ?? ""
          expectTrue(sentence.contains("disk"), "\(sentence)")
          expectTrue(sentence.contains("Nothing was changed"), "\(sentence)")
          // Reading still works.
          try await expectEqual(ask("GET /api/objects/Item", .null, nil).status, .ok)
          try await expectEqual(ask("GET /api/counts", .null, nil).status, .ok)
          disk.empty()
          try expectEqual(content(), before)
          await expectEqual(file.editor?.state, steps, "\(line)")
          let made = try await ask(line, json, body)
          expectEqual(made.status, .ok, "\(line) \(made.json)")
          try expectTrue(content() != before)
        }
      }
    }

    @Test func `Without room for the copy nothing is changed, and with room it is`() async throws {
      try await studio.with(url, makesBackup: true) { file, ask in
        let (line, json, body) = requests[0]
        // Opened before, as by a page that shows it.
        try await expectEqual(ask(line, [:], nil).status, .badRequest)
        let before = try content()
        try disk.fill()
        let refused = try await ask(line, json, body)
        expectEqual(refused.status, .insufficientStorage)
        expectEqual(refused.json["code"], "room")
        expectTrue(refused.json["error"]?.text?.contains("Nothing was changed") == true)
        await expectEqual(file.editor?.state, FileEditor.State())
        disk.empty()
        try expectEqual(content(), before)
        try await expectEqual(ask(line, json, body).status, .ok)
        try expectTrue(content() != before)
        await expectTrue(file.editor?.state.backup != nil)
      }
    }

    @Test func `A body that has no room isn't kept`() throws {
      let upload = try UploadFile(inFolder: disk.url.path)
      try upload.write(Array(repeating: 1, count: 1000)[...])
      try disk.fill()
      #expect {
        try upload.write(Array(repeating: 1, count: 100_000)[...])
      } throws: { error in
        let failure = error as? RequestFailure
        return failure?.status == .insufficientStorage && failure?.code == "noRoom"
      }
      try upload.close()
      UploadFile.remove(upload.path)
    }

    @Test func `Reading that has no room says so`() throws {
      let failure = try #require(
        StudioFailure.explain(DatabaseError(resultCode: .SQLITE_FULL, message: "full")))
      expectEqual(failure.status, .insufficientStorage)
      expectEqual(
        failure.message,
        "There is not enough disk space for the temporary data of this query. Free some space and "
          + "try again."
      )
    }
  }
#endif
