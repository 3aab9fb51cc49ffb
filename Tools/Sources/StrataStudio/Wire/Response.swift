/// The response to a request.
///
/// ```swift
/// Response.json(["count": 6463])
/// Response.events { stream in try await stream.event("progress", ["done": 0.5]) }
/// ```
package struct Response: Sendable {
  package var status: ResponseStatus
  /// The headers, without `Content-Length` and the common headers of all responses.
  package var headers: [Header]
  package var body: Body
  /// Whether the connection closes after the response.
  var endsConnection = false

  /// The body of a response, complete or as a stream.
  package enum Body: Sendable {
    case bytes([UInt8])
    /// The body as a closure that writes to a stream. The closure's task is cancelled if the client
    /// disconnects or the studio ends.
    case stream(@Sendable (ResponseStream) async throws -> Void)
  }

  package init(_ status: ResponseStatus, headers: [Header] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// A header of a request or a response.
package struct Header: Sendable, Hashable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The writer of a streamed response.
///
/// Each write waits until the client has accepted the previous one, so that memory is bounded.
package struct ResponseStream: Sendable {
  private let send: @Sendable ([UInt8]) async throws -> Void

  package init(_ send: @escaping @Sendable ([UInt8]) async throws -> Void) { self.send = send }

  /// - Throws: `CancellationError` or an error of the socket if the client has disconnected. The
  ///   closure should pass the error on.
  package func write(_ bytes: [UInt8]) async throws {
    if !bytes.isEmpty { try await send(bytes) }
  }

  package func write(_ text: String) async throws { try await write(Array(text.utf8)) }

  /// Sends an event in the format `text/event-stream`.
  package func event(_ name: String, _ value: JSONValue) async throws {
    // JSON without spaces has no line breaks, which would begin another field.
    try await write(Array("event: \(name)\ndata: ".utf8) + value.bytes + Array("\n\n".utf8))
  }
}

extension Response {
  package static func json(_ value: JSONValue, _ status: ResponseStatus = .ok) -> Response {
    Response(
      status, headers: [Header("Content-Type", "application/json")],
      body: .bytes(value.bytes))
  }

  package init(_ failure: RequestFailure) {
    self = .json(failure.json, failure.status)
    endsConnection = failure.endsConnection
  }

  /// A file of the page, or an image.
  package static func file(_ bytes: [UInt8], type: String) -> Response {
    Response(.ok, headers: [Header("Content-Type", type)], body: .bytes(bytes))
  }

  /// Events, for as long as the closure runs.
  package static func events(
    _ write: @escaping @Sendable (ResponseStream) async throws -> Void
  ) -> Response {
    Response(
      .ok, headers: [Header("Content-Type", "text/event-stream")], body: .stream(write))
  }

  /// A file for the browser to save, which is made while it is sent.
  ///
  /// If the closure throws, the client notices that the file is incomplete.
  ///
  /// - Parameter name: The file name that the browser proposes; any text.
  package static func download(
    named name: String, type: String,
    _ write: @escaping @Sendable (ResponseStream) async throws -> Void
  ) -> Response {
    Response(
      .ok,
      headers: [
        Header("Content-Type", type),
        Header(
          "Content-Disposition", "attachment; filename*=UTF-8''\(PercentEncoding.encode(name))"),
      ],
      body: .stream(write))
  }
}

extension Response {
  /// The head of the response as bytes.
  ///
  /// - Parameters:
  ///   - common: The headers that every response has.
  ///   - keepsConnection: Whether the connection stays open.
  func head(common: [Header], keepsConnection: Bool) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status.rawValue) \(status.reason)"]
    for header in headers + common { lines.append("\(header.name): \(header.plainValue)") }
    switch body {
    case .bytes(let bytes): lines.append("Content-Length: \(bytes.count)")
    // With chunks, a client notices a broken stream: the last chunk is missing.
    case .stream: lines.append("Transfer-Encoding: chunked")
    }
    if !keepsConnection { lines.append("Connection: close") }
    return Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
  }

  /// A chunk of a stream as bytes.
  static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
  }

  /// The last chunk of a complete stream.
  static let lastChunk = Array("0\r\n\r\n".utf8)
}

extension Header {
  /// The value with line breaks and non-ASCII characters replaced by `?`.
  fileprivate var plainValue: String {
    let scalars = value.unicodeScalars.map { 0x20...0x7E ~= $0.value ? $0 : "?" }
    return String(String.UnicodeScalarView(scalars))
  }
}
