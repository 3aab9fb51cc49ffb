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

    private struct Answer {
      var status: ResponseStatus
      var json: JSONValue
    }

    private func withStudio(
      _ body: (
        _ file: StudioFile, _ ask: (String, JSONValue, RequestBody?) async throws -> Answer
      ) async throws -> Void
    ) async throws {
      let file = try await StudioFile(url.path, key: nil, isWritable: true, makesBackup: false)
      let site = StudioSite(
        studio.gate, routes: ReadingRoutes.all(file) + EditingRoutes.all(file), isWritable: true)
      let (cookie, key) = try studio.signIn()
      try await body(file) { line, json, body in
        let kind = body == nil ? "json" : "octet-stream"
        let length = [
          "Content-Type: application/\(kind)", "Content-Length: 2",
        ]
        let head = try RequestHead.reading(
          [
            "\(line) HTTP/1.1", TestStudio.host, cookie, key, "Origin: http://127.0.0.1:8080",
          ] + (line.hasPrefix("GET") ? [] : length))
        let response: Response
        switch await site.decision(on: head) {
        case .respond(let given): response = given
        case .read(let kind, let respond):
          response = await respond(kind == .none ? .none : body ?? .bytes(json.bytes))
        }
        guard case .bytes(let bytes) = response.body else { throw CancellationError() }
        return Answer(status: response.status, json: try JSONReader.read(bytes))
      }
      try await file.close("The test has ended.")
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
      try await withStudio { file, ask in
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
