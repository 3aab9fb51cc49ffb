/// The head of a request: everything before its body.
package struct RequestHead: Sendable, Hashable {
  package let method: String
  package let target: RequestTarget
  package let headers: RequestHeaders
  /// The length of the body in bytes.
  package let contentLength: Int
  /// Whether the client wants to reuse the connection.
  var keepsConnection: Bool {
    !headers.values(of: "connection").contains { $0.lowercased().contains("close") }
  }

  /// Whether the client waits for `100 Continue` before it sends the body.
  var expectsContinue: Bool { headers["expect"]?.lowercased() == "100-continue" }
}

extension RequestHead {
  /// The headers that must occur only once: of two, one parser would use the first and another the
  /// last.
  private static let single = [
    "Host", "Content-Length", "Content-Type", "Cookie", "Expect", "Origin", "Sec-Fetch-Mode",
    "Sec-Fetch-Site", "Strata-Key",
  ]

  /// - Throws: ``RequestFailure`` with status 400, 411 or 413 for inconsistent headers.
  init(
    method: String, target: RequestTarget, headers: RequestHeaders
  ) throws(RequestFailure) {
    for name in Self.single where headers.values(of: name.lowercased()).count > 1 {
      throw .twice(header: name)
    }
    guard headers["host"] != nil else { throw .noHost }
    guard headers["transfer-encoding"] == nil else { throw .transferEncoding }
    self.method = method
    self.target = target
    self.headers = headers
    if let text = headers["content-length"] {
      guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
      else { throw .badLength }
      guard let length = Int(text) else { throw .bodyTooLarge(Int.max) }
      guard length == 0 || method != "GET" else { throw .bodyOfGet }
      contentLength = length
    } else {
      guard !["POST", "PUT", "PATCH"].contains(method) else { throw .lengthRequired }
      contentLength = 0
    }
  }
}

/// The headers of a request, by name in lower case.
package struct RequestHeaders: Sendable, Hashable {
  private var fields: [Header] = []

  /// - Parameter name: The name in lower case.
  mutating func append(_ name: String, _ value: String) { fields.append(Header(name, value)) }

  package var count: Int { fields.count }

  /// The value of a header; nil if it is missing.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  func values(of name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
