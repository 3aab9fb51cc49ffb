/// A parser of JSON as in RFC 8259.
///
/// The parser refuses ambiguous JSON: duplicate members, and half of a surrogate pair. Integers
/// within 64 bits keep all their digits.
package struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  /// The maximum nesting: each level needs stack.
  private static let maxDepth = 200

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A mistake at a byte position.
  package struct Mistake: Error, Hashable {
    var position: Int
    var expected: String
  }

  package static func read(_ bytes: [UInt8]) throws(Mistake) -> JSONValue {
    var reader = JSONReader(bytes)
    let value = try reader.value(depth: 0)
    reader.skipSpaces()
    guard reader.position == bytes.count else { throw reader.mistake("the end") }
    return value
  }

  private func mistake(_ expected: String) -> Mistake {
    Mistake(position: position, expected: expected)
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpaces() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(Mistake) -> JSONValue {
    guard depth <= Self.maxDepth else { throw mistake("at most \(Self.maxDepth) levels") }
    skipSpaces()
    switch current {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"): return try number()
    case let byte? where Self.isDigit(byte): return try number()
    default: throw mistake("a value")
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(Mistake) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw mistake("a value") }
    position += word.utf8.count
    return value
  }

  private mutating func array(depth: Int) throws(Mistake) -> JSONValue {
    position += 1
    var values: [JSONValue] = []
    skipSpaces()
    if take(UInt8(ascii: "]")) { return .array(values) }
    while true {
      values.append(try value(depth: depth + 1))
      skipSpaces()
      if take(UInt8(ascii: "]")) { return .array(values) }
      guard take(UInt8(ascii: ",")) else { throw mistake("',' or ']'") }
    }
  }

  private mutating func object(depth: Int) throws(Mistake) -> JSONValue {
    position += 1
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    skipSpaces()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipSpaces()
      guard current == UInt8(ascii: "\"") else { throw mistake("a name") }
      let start = position
      let name = try text()
      guard names.insert(name).inserted else {
        throw Mistake(
          position: start, expected: "another name than '\(name)', which occurs twice")
      }
      skipSpaces()
      guard take(UInt8(ascii: ":")) else { throw mistake("':'") }
      members.append(JSONValue.Member(name, try value(depth: depth + 1)))
      skipSpaces()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw mistake("',' or '}'") }
    }
  }

  // MARK: Numbers

  private mutating func number() throws(Mistake) -> JSONValue {
    let start = position
    _ = take(UInt8(ascii: "-"))
    let isZero = current == UInt8(ascii: "0")
    let digits = try skipDigits()
    guard digits == 1 || !isZero else { throw mistake("no zero before a number") }
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      _ = try skipDigits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      _ = try skipDigits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let number = Int64(text) { return .int(number) }
    guard let number = Double(text), number.isFinite else {
      throw Mistake(position: start, expected: "a number that 64 bits can hold")
    }
    return .number(number)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  private mutating func skipDigits() throws(Mistake) -> Int {
    let start = position
    while let byte = current, Self.isDigit(byte) { position += 1 }
    guard position > start else { throw mistake("a digit") }
    return position - start
  }

  // MARK: Texts

  private mutating func text() throws(Mistake) -> String {
    position += 1
    let start = position
    var utf8: [UInt8] = []
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        guard let text = String(validating: utf8, as: UTF8.self) else {
          throw Mistake(position: start, expected: "a text in UTF-8")
        }
        return text
      case UInt8(ascii: "\\"):
        position += 1
        try appendEscaped(to: &utf8)
      case 0..<0x20: throw mistake("'\\u00\(String(byte, radix: 16))' for a control character")
      default:
        utf8.append(byte)
        position += 1
      }
    }
    throw mistake("'\"' at the end of a text")
  }

  private mutating func appendEscaped(to utf8: inout [UInt8]) throws(Mistake) {
    guard let byte = current else { throw mistake("a character after '\\'") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): utf8.append(byte)
    case UInt8(ascii: "b"): utf8.append(0x08)
    case UInt8(ascii: "f"): utf8.append(0x0C)
    case UInt8(ascii: "n"): utf8.append(0x0A)
    case UInt8(ascii: "r"): utf8.append(0x0D)
    case UInt8(ascii: "t"): utf8.append(0x09)
    case UInt8(ascii: "u"): utf8.append(contentsOf: String(Character(try scalar())).utf8)
    default:
      position -= 1
      throw mistake("one of the characters that follow '\\' in JSON")
    }
  }

  private mutating func scalar() throws(Mistake) -> Unicode.Scalar {
    let first = try fourDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // The first half of a surrogate pair; the second half must follow.
    guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw mistake("the second half of a surrogate pair")
    }
    let second = try fourDigits()
    guard 0xDC00..<0xE000 ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw mistake("the second half of a surrogate pair") }
    return scalar
  }

  private mutating func fourDigits() throws(Mistake) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = hexValue(byte) else {
        throw mistake("four hexadecimal digits")
      }
      number = number << 4 | UInt32(digit)
      position += 1
    }
    return number
  }
}
