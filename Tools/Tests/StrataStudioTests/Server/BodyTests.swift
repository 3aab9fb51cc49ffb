import Foundation
import Synchronization
import TestKit
import Testing

@testable import StrataStudio

/// Request bodies: read only for routes that want them, and within limits.
@Suite struct BodyTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("studio-\(UUID().uuidString)").path

  /// Answers with the body, or with what is in its file.
  private func handler(_ kind: RequestBodyKind) -> TestHandler {
    TestHandler { head in
      if head.target.path == ["refused"] {
        return .respond(Response(RequestFailure(.forbidden, "no", "No. Never.")))
      }
      return .read(kind) { body in
        switch body {
        case .none: .json(.null)
        case .bytes(let bytes): .file(bytes, type: "application/json")
        case .file(let path, let count):
          .json([
            "count": .int(count),
            "content": .int(FileManager.default.contents(atPath: path)?.count ?? -1),
          ])
        }
      }
    }
  }

  private func post(_ length: Int, _ body: String = "", to path: String = "/") -> String {
    "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n" + body
  }

  @Test func `A body in pieces is read, and what follows is the next request`() async throws {
    try await withServer(handler(.json)) { port, _ in
      let client = try TestClient(port: port)
      try await client.send(post(10, "01234"))
      try await Task.sleep(for: .milliseconds(20))
      try await client.send("56789" + post(3, "abc") + post(0))
      try await expectEqual(client.response().body, "0123456789")
      try await expectEqual(client.response().body, "abc")
      try await expectEqual(client.response().body, "")
    }
  }

  @Test func `A client that waits for a word is told to go on`() async throws {
    try await withServer(handler(.json)) { port, _ in
      let client = try TestClient(port: port)
      try await client.send(
        "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
      try await expectEqual(client.text(until: "\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n")
      try await client.send("{}")
      try await expectEqual(client.response().body, "{}")
    }
  }

  @Test func `A body that is too long is refused before it comes`() async throws {
    var limits = StudioLimits()
    limits.jsonBytes = 1000
    try await withServer(handler(.json), limits: limits) { port, _ in
      let client = try TestClient(port: port)
      try await client.send(post(1000, String(repeating: "a", count: 1000)))
      try await expectEqual(client.response().status, 200)
      try await client.send(post(1001))
      let answer = try await client.response()
      expectEqual(answer.status, 413)
      expectTrue(answer.body.contains("The body has more than 1000 bytes."))
      try await expectEqual(client.rest(), "")
    }
  }

  @Test func `A body that nobody reads doesn't hide the response`() async throws {
    try await withServer(handler(.json)) { port, _ in
      let client = try TestClient(port: port)
      let body = String(repeating: "a", count: 200_000)
      try await client.send(post(body.utf8.count, body, to: "/refused"))
      let answer = try await client.response()
      expectEqual(answer.status, 403)
      expectEqual(answer.headers["Connection"], "close")
      try await expectEqual(client.rest(), "")
    }
  }

  @Test func `A body that doesn't come is answered with 408`() async throws {
    var limits = StudioLimits()
    limits.bodyTime = .milliseconds(200)
    try await withServer(handler(.json), limits: limits) { port, _ in
      let client = try TestClient(port: port)
      try await client.send(post(10, "01234"))
      try await expectEqual(client.response().status, 408)
      try await expectEqual(client.rest(), "")
    }
  }

  @Test func `A file is there for its response, and gone then`() async throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    defer { rmdir(folder) }
    var limits = StudioLimits()
    limits.fileBytes = 3_000_000
    limits.bodyTime = .seconds(6)
    try await withServer(handler(.file(inFolder: folder)), limits: limits) { port, _ in
      let client = try TestClient(port: port)
      let body = String(repeating: "a", count: 3_000_000)
      for _ in 0..<2 {
        try await client.send(post(body.utf8.count, body))
        try await expectEqual(client.response().body, #"{"count":3000000,"content":3000000}"#)
      }
      try await client.send(post(5, "01234") + post(0))
      try await expectEqual(client.response().body, #"{"count":5,"content":5}"#)
      try await expectEqual(client.response().body, #"{"count":0,"content":0}"#)
      // Two that are not whole: one that is late, and one whose client goes away.
      let late = try TestClient(port: port)
      try await late.send(post(10, "01234"))
      try await expectEqual(late.response().status, 408)
      let left = try TestClient(port: port)
      try await left.send(post(10, "01234"))
      try await left.close()
      try await client.send(post(3_000_001))
      try await expectEqual(client.response().status, 413)
    }
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder), [])
  }

  @Test func `A folder without room is an error with a status`() async throws {
    try await withServer(handler(.file(inFolder: "/nowhere/at/all"))) { port, _ in
      let client = try TestClient(port: port)
      try await client.send(post(3, "abc"))
      let answer = try await client.response()
      expectEqual(answer.status, 507)
      expectTrue(answer.body.contains(#""code":"noRoom""#))
    }
  }
}
