extension Response {
  /// The head of the response, as it is sent.
  ///
  /// - Parameters:
  ///   - common: The headers that every response has.
  ///   - keepsConnection: Whether another request may follow on the connection.
  func head(common: [ResponseHeader], keepsConnection: Bool) -> [UInt8] {
    var lines = ["HTTP/1.1 \(status.rawValue) \(status.reason)"]
    for header in headers + common { lines.append("\(header.name): \(header.plainValue)") }
    switch body {
    case .bytes(let bytes): lines.append("Content-Length: \(bytes.count)")
    // A client notices that a stream broke off: its last chunk is missing.
    case .stream: lines.append("Transfer-Encoding: chunked")
    }
    if !keepsConnection { lines.append("Connection: close") }
    return Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
  }

  /// A piece of a stream, as it is sent.
  static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
  }

  /// The end of a stream that is whole.
  static let lastChunk = Array("0\r\n\r\n".utf8)
}

extension ResponseHeader {
  /// The value without what would end the line, or is not ASCII.
  fileprivate var plainValue: String {
    let scalars = value.unicodeScalars.map { 0x20...0x7E ~= $0.value ? $0 : "?" }
    return String(String.UnicodeScalarView(scalars))
  }
}
