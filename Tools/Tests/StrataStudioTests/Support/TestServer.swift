import FlyingSocks
import Foundation
import Testing

@testable import StrataStudio

/// A handler that answers with a closure.
struct TestHandler: RequestHandler {
  let decide: @Sendable (RequestHead) async -> RequestDecision

  func decision(on head: RequestHead) async -> RequestDecision { await decide(head) }

  /// A handler that answers each request without its body.
  static func responding(
    _ respond: @escaping @Sendable (RequestHead) async -> Response
  ) -> TestHandler {
    TestHandler { head in .read(.none) { _ in await respond(head) } }
  }
}

/// Runs a closure beside a server, which has ended afterwards.
func withServer(
  _ handler: any RequestHandler, limits: StudioLimits = StudioLimits(),
  _ body: (_ port: Int, _ server: StudioServer) async throws -> Void
) async throws {
  let listeners = try LoopbackListeners()
  let server = StudioServer(listeners, limits: limits, handler: handler)
  try await server.start()
  do {
    try await body(listeners.port, server)
  } catch {
    await server.end()
    throw error
  }
  await server.end()
}

/// A client that writes and reads given bytes.
///
/// It polls, so that the client shares nothing with the server.
actor TestClient {
  private let socket: Socket
  private var isOpen = true
  private var unread: [UInt8] = []
  private var isAtEnd = false

  init(port: Int) throws {
    try self.init(sockaddr_in.inet(ip4: "127.0.0.1", port: UInt16(port)))
  }

  init(port6 port: Int) throws {
    try self.init(sockaddr_in6.inet6(ip6: "::1", port: UInt16(port)))
  }

  private init<Address: SocketAddress>(_ address: Address) throws {
    socket = try Socket(domain: Int32(Address.family), type: .stream)
    do {
      try socket.connect(to: address)
      try socket.setFlags(.nonBlocking)
    } catch {
      try socket.close()
      throw error
    }
  }

  deinit {
    if isOpen { Foundation.close(socket.file.rawValue) }
  }

  func close() throws {
    isOpen = false
    try socket.close()
  }

  private static let pause = Duration.milliseconds(1)

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) async throws {
    let data = Data(bytes)
    var sent = 0
    while sent < data.count {
      do {
        sent = try socket.write(data, from: sent)
      } catch SocketError.blocked {
        try await Task.sleep(for: Self.pause)
      }
    }
  }

  /// Sends a request without a body.
  func ask(_ line: String, _ headers: String...) async throws {
    try await send(
      (["\(line) HTTP/1.1", "Host: a"] + headers + ["", ""]).joined(separator: "\r\n"))
  }

  /// Reads more; false at the end.
  @discardableResult
  func readMore() async throws -> Bool {
    let end = ContinuousClock.now + .seconds(120)
    while !isAtEnd {
      do {
        unread += try socket.read(atMost: 65_536)
        return true
      } catch SocketError.blocked {
        guard ContinuousClock.now < end else { throw DeadlinePassed() }
        try await Task.sleep(for: Self.pause)
      } catch SocketError.disconnected {
        isAtEnd = true
      } catch SocketError.failed(_, ECONNRESET, _) {
        isAtEnd = true
      }
    }
    return false
  }

  /// All that comes until the server closes the connection.
  func rest() async throws -> String {
    while try await readMore() {}
    defer { unread = [] }
    return String(decoding: unread, as: UTF8.self)
  }

  /// Reads until something has come, and takes it.
  func text(until end: String) async throws -> String {
    while true {
      let text = String(decoding: unread, as: UTF8.self)
      if let range = text.range(of: end) {
        let taken = String(text[..<range.upperBound])
        unread.removeFirst(taken.utf8.count)
        return taken
      }
      guard try await readMore() else { throw Ended(text: text) }
    }
  }

  struct Ended: Error { var text: String }

  struct Answer: Equatable {
    var status: Int
    var headers: [String: String]
    var body: String
  }

  /// A response with its body.
  func response() async throws -> Answer {
    let lines = try await text(until: "\r\n\r\n").components(separatedBy: "\r\n").dropLast(2)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.components(separatedBy: ": ")
      headers[parts[0]] = parts.dropFirst().joined(separator: ": ")
    }
    let status = try #require(lines.first.flatMap { Int($0.dropFirst(9).prefix(3)) })
    var body = ""
    if headers["Transfer-Encoding"] == "chunked" {
      while true {
        // The end of a line is one character.
        let line = try await text(until: "\r\n").dropLast()
        let length = try #require(Int(line, radix: 16))
        let chunk = try await bytes(length)
        _ = try await text(until: "\r\n")
        if length == 0 { break }
        body += chunk
      }
    } else {
      body = try await bytes(headers["Content-Length"].flatMap { Int($0) } ?? 0)
    }
    return Answer(status: status, headers: headers, body: body)
  }

  private func bytes(_ count: Int) async throws -> String {
    while unread.count < count {
      guard try await readMore() else {
        throw Ended(text: String(decoding: unread, as: UTF8.self))
      }
    }
    defer { unread.removeFirst(count) }
    return String(decoding: unread.prefix(count), as: UTF8.self)
  }
}

/// An event that a test waits for.
actor TestEvent {
  private(set) var count = 0

  func happen() { count += 1 }

  /// - Throws: ``DeadlinePassed`` if it doesn't happen in time.
  func wait(_ time: Duration = .seconds(120), times: Int = 1) async throws {
    let end = ContinuousClock.now + time
    while count < times {
      guard ContinuousClock.now < end else { throw DeadlinePassed() }
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}
