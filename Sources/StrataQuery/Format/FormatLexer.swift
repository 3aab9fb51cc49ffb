/// A lexer that divides a format string into tokens, in one pass over its bytes.
struct FormatLexer {
  let format: String
  let bytes: [UInt8]
  /// The offset of the next token, or of the white space before it.
  var offset = 0

  init(_ format: String) {
    self.format = format
    bytes = Array(format.utf8)
  }

  /// Returns the next token. After the last one, always returns the end.
  mutating func next() throws(PredicateProblem) -> FormatToken {
    skipWhiteSpace()
    let start = offset
    guard let byte = byte(at: start) else { return token(.end, from: start) }
    if beginsNumber() {
      try skipNumber()
      return token(.number, from: start)
    }
    if Self.isNameByte(byte) || byte >= 0x80 {
      try skipName()
      return token(.word(FormatKeyword(bytes[start..<offset])), from: start)
    }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return try text(byte)
    case UInt8(ascii: "%"): return try placeholder()
    case UInt8(ascii: "$"): return try word(.variable)
    case UInt8(ascii: "@"): return try word(.operation)
    case UInt8(ascii: "#"): return try word(.escapedWord)
    default: break
    }
    guard let (sign, length) = sign(at: start) else { throw unknownSign() }
    offset += length
    return token(.sign(sign), from: start)
  }

  /// Reads a word after a sign.
  private mutating func word(_ kind: FormatToken.Kind) throws(PredicateProblem) -> FormatToken {
    let start = offset
    offset += 1
    guard let first = byte(at: offset), Self.isNameByte(first) || first >= 0x80 else {
      throw problem("A name is missing after '\(string(start..<offset))'", at: offset)
    }
    try skipName()
    return token(kind, from: start)
  }

  // MARK: - Bytes

  func byte(at offset: Int) -> UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }

  func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  func token(_ kind: FormatToken.Kind, from start: Int) -> FormatToken {
    FormatToken(kind: kind, start: start, end: offset)
  }

  /// Moves past all bytes for which a condition is true.
  mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while let byte = byte(at: offset), isSkipped(byte) { offset += 1 }
  }

  /// Returns the scalar at an offset, which has at most four bytes, and its length in bytes.
  func scalar(at offset: Int) -> (Unicode.Scalar, Int) {
    let scalar = string(offset..<min(offset + 4, bytes.count)).unicodeScalars.first ?? "\u{FFFD}"
    return (scalar, UTF8.width(scalar))
  }

  // MARK: - Signs

  /// Returns the sign at an offset, and its length: of two signs, the longer one.
  private func sign(at offset: Int) -> (FormatSign, Int)? {
    for end in [offset + 2, offset + 1] where end <= bytes.count {
      if let sign = FormatSign(rawValue: string(offset..<end)) { return (sign, end - offset) }
    }
    return nil
  }

  /// Returns the problem of an unsupported sign at the offset.
  func unknownSign() -> PredicateProblem {
    let scalar = scalar(at: offset).0
    switch scalar {
    case "“", "”", "„", "‘", "’", "‚", "«", "»", "`", "´":
      return problem("\(scalar) is no quotation mark here", at: offset, repair: "Use ' or \".")
    case "\u{0}"..<" ", "\u{7F}"..."\u{9F}":
      return problem("The sign U+\(scalar.hexadecimal) has no meaning", at: offset)
    default: return problem("The sign '\(scalar)' has no meaning", at: offset)
    }
  }
}

extension Unicode.Scalar {
  /// The number of the scalar, in at least four hexadecimal digits.
  var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension FormatLexer {
  mutating func placeholder() throws(PredicateProblem) -> FormatToken {
    let start = offset
    offset += 1
    skip { Self.isDigit($0) || Self.flags.contains($0) }
    skip { Self.lengths.contains($0) }
    let letter = byte(at: offset).map { Unicode.Scalar($0) }
    if offset < bytes.count { offset += 1 }
    switch letter {
    case "@" where offset == start + 2: return token(.placeholder(.any), from: start)
    case "K" where offset == start + 2: return token(.placeholder(.name), from: start)
    case "d", "D", "i", "u", "U", "x", "X", "o", "O", "c", "C", "f", "F", "e", "E", "g", "G", "a",
      "A":
      return token(.placeholder(.number), from: start)
    case "s", "S": return token(.placeholder(.text), from: start)
    case "%":
      throw problem("'%%' has no meaning", at: start, repair: "Write the sign as a text: '%'.")
    case "$":
      throw problem(
        "Placeholders have no positions", at: start, repair: "Give an argument for each.")
    default:
      throw problem("'%' begins no placeholder here", at: start, repair: "Use '%@' for a value.")
    }
  }

  private static let flags = Array(" #+-.".utf8)
  /// The letters for the size of a number, which are ignored.
  private static let lengths = Array("hlqLjzt".utf8)

  /// Whether a text literal contains a placeholder, which has no effect there.
  static func hasPlaceholderInText(_ format: String) -> Bool {
    var lexer = FormatLexer(format)
    while true {
      do throws(PredicateProblem) {
        let token = try lexer.next()
        switch token.kind {
        case .end: return false
        case .text:
          let text = lexer.bytes[token.start..<token.end]
          if text.contains(UInt8(ascii: "%")) { return true }
        default: break
        }
      } catch {
        return false
      }
    }
  }
}

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

  /// Moves past the name at the offset.
  /// - Throws: A problem if the first scalar can't begin a name.
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

  /// Whether a scalar outside of ASCII may be a part of a name, as in Swift.
  private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return properties.isXIDContinue || properties.isEmoji || properties.isVariationSelector
      || properties.isJoinControl
  }

  /// Whether a name needs no escape.
  static func isName(_ name: String) -> Bool {
    var lexer = FormatLexer(name)
    guard let first = lexer.bytes.first, !isDigit(first) else { return false }
    do throws(PredicateProblem) { try lexer.skipName() } catch { return false }
    return lexer.offset == lexer.bytes.count
  }
}
