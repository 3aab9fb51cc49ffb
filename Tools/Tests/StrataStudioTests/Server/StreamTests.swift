import Foundation
import Synchronization
import TestKit
import Testing

@testable import StrataStudio

/// Streamed responses, clients that disconnect, and the end of the server.
@Suite struct StreamTests {
  @Test func `A stream comes in pieces, and the connection goes on`() async throws {
    let handler = TestHandler.responding { _ in
      .download(named: "all.csv", type: "text/csv") { stream in
        for number in 0..<100 { try await stream.write("\(number)\n") }
        try await stream.write([])
        try await stream.write(String(repeating: "x", count: 300_000))
      }
    }
    try await withServer(handler) { port, _ in
      let client = try TestClient(port: port)
      for _ in 0..<2 {
        try await client.ask("GET /")
        let answer = try await client.response()
        expectEqual(answer.headers["Transfer-Encoding"], "chunked")
        expectEqual(answer.headers["Content-Disposition"], "attachment; filename*=UTF-8''all.csv")
        expectTrue(answer.body.hasPrefix("0\n1\n2\n"))
        expectEqual(answer.body.utf8.count, 290 + 300_000)
      }
    }
  }

  @Test func `Events arrive when they are sent`() async throws {
    let second = TestEvent()
    let handler = TestHandler.responding { _ in
      .events { stream in
        try await stream.event("progress", ["done": 0.5])
        try await second.wait()
        try await stream.event("done", ["text": "a\nb"])
      }
    }
    try await withServer(handler) { port, _ in
      let client = try TestClient(port: port)
      try await client.ask("GET /")
      try await expectTrue(
        client.text(until: "\r\n\r\n").contains("Content-Type: text/event-stream\r\n"))
      _ = try await client.text(until: "\r\n")
      try await expectEqual(
        client.text(until: "\n\n\r\n"), "event: progress\ndata: {\"done\":0.5}\n\n\r\n")
      await second.happen()
      _ = try await client.text(until: "\r\n")
      try await expectEqual(
        client.text(until: "\n\n\r\n"), "event: done\ndata: {\"text\":\"a\\nb\"}\n\n\r\n")
      try await expectEqual(client.text(until: "\r\n\r\n"), "0\r\n\r\n")
    }
  }

  @Test func `A stream that fails is seen not to be whole`() async throws {
    struct Failure: Error {}
    let handler = TestHandler.responding { _ in
      .download(named: "a", type: "text/csv") { stream in
        try await stream.write("a")
        throw Failure()
      }
    }
    try await withServer(handler) { port, _ in
      let client = try TestClient(port: port)
      try await client.ask("GET /")
      let text = try await client.rest()
      expectTrue(text.hasSuffix("\r\n\r\n1\r\na\r\n"))
    }
  }

  /// Sleeps until the task is cancelled, and says so.
  private static func waitUntilCancelled(_ event: TestEvent) async {
    do {
      try await Task.sleep(for: .seconds(60))
    } catch {
      await event.happen()
    }
  }

  @Test func `A client that goes away ends the making of its response`() async throws {
    let began = TestEvent()
    let ended = TestEvent()
    let handler = TestHandler.responding { _ in
      await began.happen()
      await Self.waitUntilCancelled(ended)
      return .json(.null)
    }
    try await withServer(handler) { port, _ in
      let client = try TestClient(port: port)
      try await client.ask("GET /")
      try await began.wait()
      await expectEqual(ended.count, 0)
      try await client.close()
      try await ended.wait()
    }
  }

  @Test func `A client that goes away ends its stream`() async throws {
    let ended = TestEvent()
    let handler = TestHandler.responding { _ in
      .events { stream in
        try await stream.event("first", .null)
        await Self.waitUntilCancelled(ended)
      }
    }
    try await withServer(handler) { port, _ in
      let client = try TestClient(port: port)
      try await client.ask("GET /")
      _ = try await client.text(until: "first")
      try await client.close()
      try await ended.wait()
    }
  }

  @Test func `A client that takes nothing makes the stream wait, and then ends it`() async throws {
    var limits = StudioLimits()
    // Long enough for the request to come, on a busy machine.
    limits.idleTime = .seconds(5)
    let written = Mutex(0)
    let ended = TestEvent()
    let handler = TestHandler.responding { _ in
      .events { stream in
        do {
          while true {
            try await stream.write(String(repeating: "x", count: 65_536))
            written.withLock { $0 += 65_536 }
          }
        } catch {
          // Either the write has waited for too long, or the connection was found to.
          await ended.happen()
          throw error
        }
      }
    }
    try await withServer(handler, limits: limits) { port, _ in
      let client = try TestClient(port: port)
      try await client.ask("GET /")
      try await ended.wait()
      // The system's buffers of a connection, and no more.
      expectTrue(written.withLock { $0 } < 32 << 20)
      try await client.close()
    }
  }

  // MARK: The end

  @Test func `The end closes connections that wait, and streams`() async throws {
    let ended = TestEvent()
    let handler = TestHandler { head in
      head.target.path.isEmpty
        ? .respond(.json("here"))
        : .respond(
          .events { stream in
            try await stream.event("first", .null)
            await Self.waitUntilCancelled(ended)
            try Task.checkCancellation()
          })
    }
    try await withServer(handler) { port, server in
      let silent = try TestClient(port: port)
      let idle = try TestClient(port: port)
      try await idle.ask("GET /")
      try await expectEqual(idle.response().body, #""here""#)
      let stream = try TestClient(port: port)
      try await stream.ask("GET /events")
      _ = try await stream.text(until: "first")
      let time = await ContinuousClock().measure { await server.end() }
      // A second, and what a busy machine takes.
      expectTrue(time < .seconds(30))
      await expectEqual(ended.count, 1)
      try await expectEqual(silent.rest(), "")
      try await expectEqual(idle.rest(), "")
      // Not '0': the stream has no end.
      try await expectFalse(stream.rest().contains("0\r\n\r\n"))
      #expect(throws: (any Error).self) { try TestClient(port: port) }
    }
  }

  @Test func `A request that is at work has time for its response`() async throws {
    var limits = StudioLimits()
    limits.endTime = .seconds(20)
    let began = TestEvent()
    let mayEnd = TestEvent()
    let handler = TestHandler.responding { _ in
      await began.happen()
      do { try await mayEnd.wait() } catch { return .json("cancelled") }
      return .json("whole")
    }
    try await withServer(handler, limits: limits) { port, server in
      let client = try TestClient(port: port)
      try await client.ask("GET /")
      try await began.wait()
      async let end: Void = server.end()
      // The server refuses connections after `end()` has begun.
      while true {
        do {
          try await TestClient(port: port).close()
        } catch {
          break
        }
        try await Task.sleep(for: .milliseconds(2))
      }
      await mayEnd.happen()
      await end
      let answer = try await client.response()
      expectEqual(answer.body, #""whole""#)
      expectEqual(answer.headers["Connection"], "close")
      try await expectEqual(client.rest(), "")
    }
  }

  @Test func `A request that doesn't end can't keep the server`() async throws {
    let began = TestEvent()
    let cancelled = TestEvent()
    let mayEnd = TestEvent()
    let handler = TestHandler.responding { _ in
      await began.happen()
      await Self.waitUntilCancelled(cancelled)
      // As work that can't be cancelled.
      await Task { do { try await mayEnd.wait() } catch {} }.value
      return .json(.null)
    }
    try await withServer(handler) { port, server in
      let client = try TestClient(port: port)
      try await client.ask("GET /")
      try await began.wait()
      let time = await ContinuousClock().measure { await server.end() }
      expectTrue(time >= .milliseconds(500))
      expectTrue(time < .seconds(30))
      await expectEqual(cancelled.count, 1)
      await mayEnd.happen()
      // The response came too late to be sent.
      try await expectEqual(client.rest(), "")
    }
  }
}
