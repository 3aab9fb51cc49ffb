extension FormatLexer {
  /// Returns the value of a literal; nil for other tokens.
  func value(of token: FormatToken) throws(PredicateProblem) -> QueryValue? {
    switch token.kind {
    case .text: .string(try value(ofText: token))
    case .number: try value(ofNumber: token)
    case .word(let keyword): keyword?.literal
    default: nil
    }
  }

  // MARK: - Texts

  mutating func text(_ quote: UInt8) throws(PredicateProblem) -> FormatToken {
    let start = offset
    var hasEscapes = false
    offset += 1
    while let byte = byte(at: offset), byte != quote {
      let isEscape = byte == UInt8(ascii: "\\")
      hasEscapes = hasEscapes || isEscape
      offset += isEscape ? 2 : 1
    }
    guard offset < bytes.count else {
      offset = bytes.count
      throw problem(
        "The text has no quotation mark at its end", at: start,
        repair: "Add \(Unicode.Scalar(quote)).")
    }
    offset += 1
    return token(.text(hasEscapes: hasEscapes), from: start)
  }

  func value(ofText token: FormatToken) throws(PredicateProblem) -> String {
    let range = (token.start + 1)..<(token.end - 1)
    guard token.kind == .text(hasEscapes: true) else { return string(range) }
    var result: [UInt8] = []
    var offset = range.lowerBound
    while offset < range.upperBound {
      guard bytes[offset] == UInt8(ascii: "\\") else {
        result.append(bytes[offset])
        offset += 1
        continue
      }
      let (scalar, length) = try escape(at: offset, before: range.upperBound)
      result.append(contentsOf: Array(String(scalar).utf8))
      offset += length
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the scalar of an escape, and the length of the escape.
  private func escape(
    at offset: Int, before end: Int
  ) throws(PredicateProblem) -> (Unicode.Scalar, Int) {
    let letter = bytes[offset + 1]
    switch letter {
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""):
      return (Unicode.Scalar(letter), 2)
    case UInt8(ascii: "n"): return ("\n", 2)
    case UInt8(ascii: "t"): return ("\t", 2)
    case UInt8(ascii: "r"): return ("\r", 2)
    case UInt8(ascii: "u"):
      guard let unit = unit(at: offset, before: end) else { break }
      if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
      // Two escapes represent a scalar with more than 16 bits.
      guard let second = self.unit(at: offset + 6, before: end) else { break }
      if UTF16.isLeadSurrogate(unit), UTF16.isTrailSurrogate(second) {
        let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        return (Unicode.Scalar(value) ?? "\u{FFFD}", 12)
      }
    default: break
    }
    throw problem(
      "This escape has no meaning", at: offset,
      repair: "There are \\\\, \\', \\\", \\n, \\t, \\r and \\uXXXX.")
  }

  /// Returns the number in `\uXXXX`.
  private func unit(at offset: Int, before end: Int) -> UInt16? {
    guard offset + 6 <= end, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u"),
      !bytes[(offset + 2)..<(offset + 6)].contains(UInt8(ascii: "+"))
    else { return nil }
    return UInt16(string((offset + 2)..<(offset + 6)), radix: 16)
  }

  // MARK: - Numbers

  /// Whether a number begins here: a digit, possibly after a minus and a point.
  func beginsNumber() -> Bool {
    var offset = offset
    if byte(at: offset) == UInt8(ascii: "-") { offset += 1 }
    if byte(at: offset) == UInt8(ascii: ".") { offset += 1 }
    return byte(at: offset).map(Self.isDigit) ?? false
  }

  /// Moves past a number and the letters after it. Such letters make the number invalid.
  mutating func skipNumber() throws(PredicateProblem) {
    if byte(at: offset) == UInt8(ascii: "-") { offset += 1 }
    skip(while: Self.isNameByte)
    if byte(at: offset) == UInt8(ascii: "."), byte(at: offset + 1).map(Self.isDigit) ?? false {
      offset += 1
      skip(while: Self.isNameByte)
    }
    let isExponent = bytes[offset - 1] | 0x20 == UInt8(ascii: "e")
    if isExponent, [UInt8(ascii: "-"), UInt8(ascii: "+")].contains(byte(at: offset)),
      byte(at: offset + 1).map(Self.isDigit) ?? false
    {
      offset += 1
      skip(while: Self.isNameByte)
    }
  }

  func value(ofNumber token: FormatToken) throws(PredicateProblem) -> QueryValue {
    let isNegative = bytes[token.start] == UInt8(ascii: "-")
    let digits = bytes[(token.start + (isNegative ? 1 : 0))..<token.end]
    if let integer = Self.integer(digits, isNegative: isNegative) { return .int(integer) }
    let text = string(token.start..<token.end)
    if digits.count > 1, digits.first == UInt8(ascii: "0"), digits.dropFirst().first == 0x78 {
      if let value = UInt64(string((digits.startIndex + 2)..<token.end), radix: 16) {
        return .decimal((isNegative ? "-" : "") + "\(value)")
      }
    } else if digits.allSatisfy(Self.isDigit) {
      let digits = digits.drop { $0 == UInt8(ascii: "0") }
      guard digits.count <= Self.maxDigits else {
        throw problem(
          "The number has more than \(Self.maxDigits) digits, which no property can hold",
          at: token.start)
      }
      return .decimal((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
    } else if !digits.contains(where: { $0 | 0x20 == UInt8(ascii: "x") || $0 | 0x20 == 0x70 }),
      let value = Double(text)
    {
      return .double(value)
    }
    throw problem("'\(text)' is neither a number nor a name", at: token.start)
  }

  /// The greatest number of digits of a decimal.
  private static let maxDigits = 34

  /// Returns a 64-bit integer from decimal digits, or from `0x` and hexadecimal digits.
  private static func integer(_ digits: ArraySlice<UInt8>, isNegative: Bool) -> Int64? {
    let isHexadecimal =
      digits.count > 2 && digits.first == UInt8(ascii: "0")
      && digits[digits.startIndex + 1] | 0x20 == UInt8(ascii: "x")
    let text = String(decoding: isHexadecimal ? digits.dropFirst(2) : digits, as: UTF8.self)
    return Int64((isNegative ? "-" : "") + text, radix: isHexadecimal ? 16 : 10)
  }
}
