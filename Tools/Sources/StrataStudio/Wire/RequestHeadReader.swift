/// An incremental parser of request heads.
///
/// It receives bytes in pieces, and returns the complete head. The parser is stricter than
/// HTTP/1.1: it refuses requests that two parsers could read differently. It stores at most
/// ``StudioLimits/headBytes``.
///
/// ```swift
/// var reader = RequestHeadReader(StudioLimits())
/// if let (head, rest) = try reader.read(bytes[...]) { … }
/// ```
struct RequestHeadReader {
  private let limits: StudioLimits
  private var line: [UInt8] = []
  private var byteCount = 0
  private var request: (method: String, target: RequestTarget)?
  private var headers = RequestHeaders()

  init(_ limits: StudioLimits) { self.limits = limits }

  private static let lineFeed: UInt8 = 0x0A
  private static let carriageReturn: UInt8 = 0x0D
  /// The maximum length of the request line without its target.
  private static let longestRest = 32

  /// Parses bytes up to the end of the head.
  ///
  /// - Returns: The head and the remaining bytes; nil if more bytes are needed.
  /// - Throws: ``RequestFailure`` with status 400, 411, 413, 414 or 431. Nothing can be read
  ///   afterwards.
  mutating func read(
    _ bytes: ArraySlice<UInt8>
  ) throws(RequestFailure) -> (head: RequestHead, rest: ArraySlice<UInt8>)? {
    for index in bytes.indices {
      byteCount += 1
      try checkSize()
      let byte = bytes[index]
      guard byte == Self.lineFeed else {
        guard line.last != Self.carriageReturn else { throw .bareCarriageReturn }
        guard byte != 0 else { throw .zeroByte }
        line.append(byte)
        continue
      }
      guard line.popLast() == Self.carriageReturn else { throw .bareLineFeed }
      if let head = try finishLine() { return (head, bytes[(index + 1)...]) }
      line.removeAll(keepingCapacity: true)
    }
    return nil
  }

  private func checkSize() throws(RequestFailure) {
    if request == nil, line.count > limits.targetBytes + Self.longestRest {
      throw .targetTooLong(limits)
    }
    guard byteCount <= limits.headBytes else { throw .headTooLarge(limits) }
  }

  private mutating func finishLine() throws(RequestFailure) -> RequestHead? {
    guard let request else {
      request = try requestLine()
      return nil
    }
    guard !line.isEmpty else {
      return try RequestHead(method: request.method, target: request.target, headers: headers)
    }
    guard headers.count < limits.headers else { throw .headTooLarge(limits) }
    try readHeader()
    return nil
  }

  private func requestLine() throws(RequestFailure) -> (method: String, target: RequestTarget) {
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3, (1...16).contains(parts[0].count),
      parts[0].allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 })
    else { throw .noRequestLine }
    guard parts[2].elementsEqual("HTTP/1.1".utf8) else {
      throw parts[2].starts(with: "HTTP/".utf8) ? .otherVersion : .noRequestLine
    }
    guard parts[1].count <= limits.targetBytes else { throw .targetTooLong(limits) }
    return (String(decoding: parts[0], as: UTF8.self), try RequestTarget(parts[1]))
  }

  private mutating func readHeader() throws(RequestFailure) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      line[..<colon].allSatisfy(Self.isNameByte)
    else { throw .badHeader }
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var value = line[(colon + 1)...].drop(while: isBlank)
    while let last = value.last, isBlank(last) { value.removeLast() }
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw .badHeader }
    headers.append(
      String(decoding: line[..<colon], as: UTF8.self).lowercased(),
      String(decoding: value, as: UTF8.self))
  }

  /// Whether a byte may occur in the name of a header, which is an HTTP token.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
