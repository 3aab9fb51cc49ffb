/// A reader of heads of requests, which looks at each byte once.
///
/// It is given the bytes as they come, and says when the head is whole. What it takes is narrower
/// than HTTP/1.1 allows: requests that two readers could read in two ways are refused. It keeps no
/// more than ``StudioLimits/headBytes``.
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
  /// The method, two spaces, the version and the end of the line take no more beside the target.
  private static let longestRest = 32

  /// Reads bytes as far as the head goes.
  ///
  /// - Returns: The head, and the bytes behind it; nil if more bytes are needed.
  /// - Throws: ``RequestFailure`` with status 400, 411, 413, 414 or 431. Nothing can be read then.
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

  /// Whether a name may have the byte: the name of a header is a token of HTTP.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
