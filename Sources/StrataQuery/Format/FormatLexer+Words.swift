extension FormatLexer {
  mutating func skipWhiteSpace() {
    while let byte = byte(at: offset) {
      switch byte {
      case UInt8(ascii: " "), 0x09...0x0D: offset += 1
      case 0x80...:
        let (scalar, length) = scalar(at: offset)
        guard scalar.properties.isWhitespace else { return }
        offset += length
      default: return
      }
    }
  }

  /// Goes on behind the name at the offset.
  /// - Throws: Where the first scalar is none of a name.
  mutating func skipName() throws(PredicateProblem) {
    let start = offset
    while let byte = byte(at: offset) {
      if byte < 0x80 {
        guard Self.isNameByte(byte) else { break }
        offset += 1
        continue
      }
      let (scalar, length) = scalar(at: offset)
      guard Self.isNameScalar(scalar) else { break }
      offset += length
    }
    if offset == start { throw unknownSign() }
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// Whether an ASCII byte may be a part of a name.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Whether a scalar outside of ASCII may be a part of a name, as it may in Swift's.
  private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return properties.isXIDContinue || properties.isEmoji || properties.isVariationSelector
      || properties.isJoinControl
  }

  /// Whether a name can be written as it is.
  static func isName(_ name: String) -> Bool {
    var lexer = FormatLexer(name)
    guard let first = lexer.bytes.first, !isDigit(first) else { return false }
    do throws(PredicateProblem) { try lexer.skipName() } catch { return false }
    return lexer.offset == lexer.bytes.count
  }
}
