/// A problem in JSON.
package struct JSONProblem: Error, Sendable, Hashable {
  /// The expected item.
  package let expected: String
  /// The position of the byte at which reading stopped.
  package let offset: Int

  package init(expected: String, offset: Int) {
    self.expected = expected
    self.offset = offset
  }
}

/// A scanner of the parts of JSON as in RFC 8259.
///
/// The scanner refuses numbers and texts without one clear meaning, such as `01` and half of a
/// surrogate pair.
package struct JSONScanner {
  private let bytes: [UInt8]
  /// The position of the next byte.
  package private(set) var offset = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func problem(_ expected: String) -> JSONProblem {
    JSONProblem(expected: expected, offset: offset)
  }

  private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Skips spaces, and returns the next byte; nil at the end.
  package mutating func next() -> UInt8? {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    return byte
  }

  /// Skips spaces, and a character if it follows. Returns whether it does.
  package mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next() == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  package mutating func require(_ character: Unicode.Scalar) throws(JSONProblem) {
    guard take(character) else { throw problem("'\(character)'") }
  }

  /// Skips a character that ends a collection: no comma follows, so no further element.
  package mutating func requireEnd(_ character: Unicode.Scalar) throws(JSONProblem) {
    guard take(character) else { throw problem("',' or '\(character)'") }
  }

  package mutating func requireEnd() throws(JSONProblem) {
    guard next() == nil else { throw problem("the end") }
  }

  package mutating func require(word: StaticString) throws(JSONProblem) {
    guard skip(word) else { throw problem("a value") }
  }

  private mutating func skip(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard offset + count <= bytes.count else { return false }
    for index in 0..<count where bytes[offset + index] != word.utf8Start[index] { return false }
    offset += count
    return true
  }

  // MARK: Numbers

  /// Reads a number, which is an integer if it has neither a fraction nor an exponent.
  package mutating func number() throws(JSONProblem) -> (text: String, isInteger: Bool) {
    let isNegative = take("-")
    let start = offset
    try skipDigits()
    guard offset == start + 1 || bytes[start] != UInt8(ascii: "0") else {
      throw problem("no zero before a number")
    }
    var isInteger = true
    if skip(".") {
      isInteger = false
      try skipDigits()
    }
    if skip("e") || skip("E") {
      isInteger = false
      if !skip("+") { _ = skip("-") }
      try skipDigits()
    }
    let range = (isNegative ? start - 1 : start)..<offset
    return (String(decoding: bytes[range], as: UTF8.self), isInteger)
  }

  private mutating func skipDigits() throws(JSONProblem) {
    let start = offset
    while let byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
    guard offset > start else { throw problem("a digit") }
  }

  // MARK: Texts

  package mutating func text() throws(JSONProblem) -> String {
    try require("\"")
    let start = offset
    var text: [UInt8] = []
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        guard let text = String(validating: text, as: UTF8.self) else {
          throw JSONProblem(expected: "a text in UTF-8", offset: start)
        }
        return text
      case UInt8(ascii: "\\"):
        offset += 1
        text += String(try escaped()).utf8
      case ..<0x20: throw problem("'\\u00\(String(byte, radix: 16))' for a control character")
      default:
        offset += 1
        text.append(byte)
      }
    }
    throw problem("'\"' at the end of a text")
  }

  private mutating func escaped() throws(JSONProblem) -> Unicode.Scalar {
    guard let byte else { throw problem("a character after '\\'") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try scalar()
    default:
      offset -= 1
      throw problem("one of the characters that follow '\\' in JSON")
    }
  }

  private mutating func scalar() throws(JSONProblem) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // The first half of a surrogate pair; the second half must follow.
    guard first < 0xDC00, skip("\\u") else { throw problem("the second half of a surrogate pair") }
    let second = try codeUnit()
    guard 0xDC00..<0xE000 ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw problem("the second half of a surrogate pair") }
    return scalar
  }

  private mutating func codeUnit() throws(JSONProblem) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = byte.flatMap(hexValue) else { throw problem("four hexadecimal digits") }
      unit = unit << 4 | UInt32(digit)
      offset += 1
    }
    return unit
  }
}

/// Texts as JSON.
package enum JSONText {
  /// Appends a text in quotation marks, with escapes only where JSON asks for them.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices {
        let byte = utf8[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        bytes.append(contentsOf: utf8[start..<index])
        start = index + 1
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        case 0..<0x20: bytes += "u00\(hexDigits(of: [byte]))".utf8
        default: bytes.append(byte)
        }
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
