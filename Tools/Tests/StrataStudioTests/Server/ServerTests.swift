import FlyingSocks
import Foundation
import TestKit
import Testing

@testable import StrataStudio

/// Requests over real sockets, several on one connection.
@Suite struct ServerTests {
  private let echo = TestHandler.responding { head in
    .json(["method": .text(head.method), "path": .array(head.target.path.map { .text($0) })])
  }

  @Test func `Requests of one connection are answered in their order`() async throws {
    try await withServer(echo) { port, _ in
      let client = try TestClient(port: port)
      for number in 0..<3 {
        try await client.ask("GET /\(number)")
        let answer = try await client.response()
        expectEqual(answer.status, 200)
        expectEqual(answer.body, #"{"method":"GET","path":["\#(number)"]}"#)
        expectNil(answer.headers["Connection"])
        expectEqual(answer.headers["X-Content-Type-Options"], "nosniff")
      }
      // All at once, the last one in two parts.
      try await client.send(
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\nGET /c HTT")
      try await expectTrue(client.response().body.contains(#"["a"]"#))
      try await expectTrue(client.response().body.contains(#"["b"]"#))
      try await client.send("P/1.1\r\nHost: a\r\n\r\n")
      try await expectTrue(client.response().body.contains(#"["c"]"#))
    }
  }

  @Test func `A client may end the connection with its request`() async throws {
    try await withServer(echo) { port, _ in
      let client = try TestClient(port: port)
      try await client.ask("GET /", "Connection: close")
      try await expectEqual(client.response().headers["Connection"], "close")
      try await expectEqual(client.rest(), "")
    }
  }

  @Test func `HEAD gets no body`() async throws {
    try await withServer(echo) { port, _ in
      let client = try TestClient(port: port)
      try await client.ask("HEAD /", "Connection: close")
      let text = try await client.rest()
      expectTrue(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
      expectTrue(text.hasSuffix("\r\n\r\n"))
    }
  }

  @Test func `Both addresses of loopback have the port, and no other`() async throws {
    let listeners = try LoopbackListeners()
    let addresses = try listeners.sockets.map { try $0.sockname() }
    let port = UInt16(listeners.port)
    expectTrue(
      addresses == [.ip4("127.0.0.1", port: port), .ip6("::1", port: port)]
        || addresses == [.ip4("127.0.0.1", port: port)])
    let server = StudioServer(listeners, handler: echo)
    try await server.start()
    if addresses.count == 2 {
      let client = try TestClient(port6: listeners.port)
      try await client.ask("GET /6")
      try await expectTrue(client.response().body.contains(#"["6"]"#))
    }
    await server.end()
  }

  @Test func `A port that is in use is an error`() async throws {
    try await withServer(echo) { port, _ in
      #expect(
        throws: ServerFailure(
          reason: .portInUse,
          message: "Port \(port) is in use. Give another one, or leave out '--port'.")
      ) { try LoopbackListeners(port: port) }
    }
    for other in [65_536, -1] {
      #expect(
        throws: ServerFailure(
          reason: .portForbidden,
          message: "\(other) is no port. Give one from 1024 to 65535, or leave out '--port'.")
      ) { try LoopbackListeners(port: other) }
    }
  }

  @Test func `A port can be had again when its server has ended`() async throws {
    let listeners = try LoopbackListeners()
    let server = StudioServer(listeners, handler: echo)
    try await server.start()
    let client = try TestClient(port: listeners.port)
    try await client.ask("GET /")
    try await expectEqual(client.response().status, 200)
    await server.end()
    await server.end()
    let again = StudioServer(try LoopbackListeners(port: listeners.port), handler: echo)
    try await again.start()
    let other = try TestClient(port: listeners.port)
    try await other.ask("GET /again")
    try await expectEqual(other.response().status, 200)
    await again.end()
  }

  @Test func `Many connections after each other are all served`() async throws {
    try await withServer(echo) { port, _ in
      for number in 0..<300 {
        let client = try TestClient(port: port)
        try await client.ask("GET /\(number)")
        try await expectTrue(client.response().body.contains(#"["\#(number)"]"#))
        try await client.close()
      }
    }
  }

  @Test func `Many clients are served at the same time`() async throws {
    try await withServer(echo) { port, _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<32 {
          group.addTask {
            let client = try TestClient(port: port)
            for round in 0..<20 {
              try await client.ask("GET /\(number)/\(round)")
              let body = try await client.response().body
              expectTrue(body.contains(#"["\#(number)","\#(round)"]"#))
            }
            try await client.close()
          }
        }
        try await group.waitForAll()
      }
    }
  }

  // MARK: Refusals

  @Test(arguments: [
    ("GET / HTTP/1.0\r\nHost: a\r\n\r\n", 400), ("POST / HTTP/1.1\r\nHost: a\r\n\r\n", 411),
    ("GET /" + String(repeating: "a", count: 9000), 414),
    ("GET / HTTP/1.1\r\n" + String(repeating: "A: b\r\n", count: 3000), 431),
  ])
  func `A request that can't be read ends the connection`(
    text: String, status: Int
  ) async throws {
    try await withServer(echo) { port, _ in
      let client = try TestClient(port: port)
      try await client.send(text)
      let answer = try await client.response()
      expectEqual(answer.status, status)
      expectEqual(answer.headers["Connection"], "close")
      expectEqual(answer.headers["X-Content-Type-Options"], "nosniff")
      expectTrue(answer.body.hasPrefix(#"{"error":""#))
      try await expectEqual(client.rest(), "")
    }
  }

  @Test func `Half a request is answered with 408 when its time is over`() async throws {
    var limits = StudioLimits()
    limits.headTime = .seconds(1)
    try await withServer(echo, limits: limits) { port, _ in
      let client = try TestClient(port: port)
      let start = ContinuousClock.now
      try await client.send("GET / HTTP/1.1\r\nHost: a\r\n")
      // A byte now and then doesn't make it longer.
      for _ in 0..<3 {
        try await Task.sleep(for: .milliseconds(30))
        try await client.send("A")
      }
      let answer = try await client.response()
      expectEqual(answer.status, 408)
      try await expectEqual(client.rest(), "")
      let time = ContinuousClock.now - start
      expectTrue(time >= .seconds(1))
      expectTrue(time < .seconds(60))
    }
  }

  @Test func `A connection that waits for too long is closed`() async throws {
    var limits = StudioLimits()
    limits.idleTime = .seconds(3)
    try await withServer(echo, limits: limits) { port, _ in
      let silent = try TestClient(port: port)
      let start = ContinuousClock.now
      try await expectEqual(silent.rest(), "")
      // The server began to wait a little earlier than the client.
      expectTrue(ContinuousClock.now - start >= .milliseconds(2000))
      let client = try TestClient(port: port)
      try await client.ask("GET /")
      try await expectEqual(client.response().status, 200)
      try await expectEqual(client.rest(), "")
    }
  }

  @Test func `The connection that is idle for the longest time makes room`() async throws {
    var limits = StudioLimits()
    limits.connections = 64
    try await withServer(echo, limits: limits) { port, _ in
      var clients: [TestClient] = []
      for _ in 0..<64 {
        let client = try TestClient(port: port)
        try await client.ask("GET /")
        try await expectEqual(client.response().status, 200)
        clients.append(client)
      }
      // The first one asks again, so that the second one is idle for the longest time.
      try await clients[0].ask("GET /")
      try await expectEqual(clients[0].response().status, 200)
      let another = try TestClient(port: port)
      try await another.ask("GET /")
      try await expectEqual(another.response().status, 200)
      try await expectEqual(clients[1].rest(), "")
      for client in [clients[0], clients[2], clients[63]] {
        try await client.ask("GET /")
        try await expectEqual(client.response().status, 200)
      }
    }
  }

  @Test func `Half requests keep nobody out`() async throws {
    var limits = StudioLimits()
    limits.connections = 4
    limits.headTime = .seconds(600)
    try await withServer(echo, limits: limits) { port, _ in
      var halves: [TestClient] = []
      for _ in 0..<4 {
        let client = try TestClient(port: port)
        try await client.send("GET / HTTP/1.1\r\nHost:")
        halves.append(client)
      }
      for number in 0..<6 {
        let client = try TestClient(port: port)
        try await client.ask("GET /\(number)")
        try await expectEqual(client.response().status, 200)
      }
      for client in halves { try await client.close() }
    }
  }

  @Test func `When all connections are at work, another one is told so`() async throws {
    var limits = StudioLimits()
    limits.connections = 3
    let mayEnd = TestEvent()
    let began = TestEvent()
    let handler = TestHandler.responding { _ in
      await began.happen()
      do { try await mayEnd.wait() } catch {}
      return .json("done")
    }
    try await withServer(handler, limits: limits) { port, _ in
      var clients: [TestClient] = []
      for _ in 0..<3 {
        let client = try TestClient(port: port)
        try await client.ask("GET /")
        clients.append(client)
      }
      try await began.wait(times: 3)
      let another = try TestClient(port: port)
      let answer = try await another.response()
      expectEqual(answer.status, 503)
      expectTrue(answer.body.contains("The studio has 3 connections at work."))
      try await expectEqual(another.rest(), "")
      await mayEnd.happen()
      for client in clients { try await expectEqual(client.response().body, #""done""#) }
    }
  }
}
