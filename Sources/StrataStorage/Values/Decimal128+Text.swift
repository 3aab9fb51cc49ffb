extension Decimal128 {
  /// Creates the number of a text, such as "-1.50", "1E+3", ".5", "NaN" or "Infinity".
  ///
  /// A text is a sign, digits with or without a point, and an exponent after "E"; or a sign and
  /// "Infinity", "Inf" or "NaN". Only the digits or the word are required. Case is ignored.
  ///
  /// - Throws: ``RealmError`` with code `fail` for any other text, and for a number that would have
  ///   to be rounded.
  public init(string: String) throws {
    let reason: String
    switch Self.parse(string) {
    case let number? where number.isExact:
      self = number.value
      return
    case .some:
      reason = "it has more than 34 significant digits, or lies outside 1E-6176 to 9.99…E+6144"
    case nil: reason = "write digits with a point and an exponent, as in -1.50 or 2E+3"
    }
    throw RealmError(
      .fail, "'\(string)' is not a Decimal128: \(reason).",
      logged: "The text is not a Decimal128: \(reason).")
  }

  /// Returns the number nearest to the number in a text; nil if it contains none.
  package static func parse(_ text: String) -> Rounded? {
    var text = text
    return text.withUTF8 { parse($0) }
  }

  /// Returns the number nearest to the number in UTF-8; nil if it contains none.
  package static func parse(_ utf8: UnsafeBufferPointer<UInt8>) -> Rounded? {
    var rest = utf8[...]
    var isNegative = false
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      rest = rest.dropFirst()
    }
    guard let first = rest.first else { return nil }
    guard first == UInt8(ascii: ".") || digit(first) != nil else {
      return special(rest, isNegative: isNegative).map { Rounded(value: $0, isExact: true) }
    }
    var number = Parts(isNegative: isNegative, coefficient: 0, exponent: 0)
    var isMore = false
    guard let end = significand(rest, into: &number, isMore: &isMore) else { return nil }
    if end < rest.endIndex {
      guard let exponent = exponent(rest[end...]) else { return nil }
      number.exponent += exponent
    }
    return round(number, isMore: isMore)
  }

  /// Reads digits and at most one point from the start of a text. Returns the index of their end.
  ///
  /// Returns nil if there are no digits. Keeps 38 digits; `isMore` is set if any digit other than 0
  /// follows.
  private static func significand(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, into number: inout Parts, isMore: inout Bool
  ) -> Int? {
    var hasPoint = false
    var hasDigits = false
    for index in text.indices {
      if text[index] == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
        continue
      }
      guard let digit = digit(text[index]) else { return hasDigits ? index : nil }
      hasDigits = true
      if number.coefficient < PowersOfTen[37] {
        number.coefficient = number.coefficient * 10 + UInt128(digit)
        if hasPoint { number.exponent -= 1 }
      } else {
        isMore = isMore || digit != 0
        if !hasPoint { number.exponent += 1 }
      }
    }
    return hasDigits ? text.endIndex : nil
  }

  /// Returns the exponent after "E", with or without a sign; nil for anything else.
  private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard let letter = text.first, letter | 0x20 == UInt8(ascii: "e") else { return nil }
    var rest = text.dropFirst()
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    var exponent = 0
    for byte in rest {
      guard let digit = digit(byte) else { return nil }
      // No text is long enough for its digits to compensate for more than this.
      if exponent < 1 << 56 { exponent = exponent * 10 + digit }
    }
    return isNegative ? -exponent : exponent
  }

  /// Returns the value of a word; nil for any other word. NaN may have digits after it.
  private static func special(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, isNegative: Bool
  ) -> Decimal128? {
    let word = String(decoding: text, as: UTF8.self).lowercased()
    if word == "infinity" || word == "inf" { return infinity(isNegative: isNegative) }
    for name in ["nan", "snan"] where word.hasPrefix(name) {
      return word.utf8.dropFirst(name.utf8.count).allSatisfy { digit($0) != nil } ? nan : nil
    }
    return nil
  }

  private static func digit(_ byte: UInt8) -> Int? {
    let digit = Int(byte) - 48
    return digit >= 0 && digit < 10 ? digit : nil
  }
}

extension Decimal128 {
  /// The number as text, without zeros at the end of a fraction: "1.5", "-1", "1.5E2", "NaN".
  ///
  /// Integers that were written in full, and fractions of at least 0.000001, have no "E": 1500 is
  /// "1500", while "1.5e3" is "1.5E3".
  public var stringValue: String {
    guard let parts else { return exactText }
    // Removes zeros after the point, as in 1.50 and 1.50E3, but not in 1500.
    var shortest = parts
    if parts.exponent < 0 {
      shortest = Self.reduce(parts, upTo: 0)
    } else if parts.exponent > 0 {
      shortest = Self.reduce(parts, upTo: .max)
    }
    return shortest.coefficient == 0
      ? (parts.isNegative ? "-0" : "0") : Self.text(shortest, plus: "")
  }

  /// The shortest text that reads back the same, with the same number of digits: "1.50", "-0",
  /// "1E+3", "NaN".
  ///
  /// Numbers without a positive exponent, and of at least 0.000001, are written without "E".
  package var exactText: String {
    guard let parts else { return isNaN ? "NaN" : isSignMinus ? "-Infinity" : "Infinity" }
    return Self.text(parts, plus: "+")
  }

  /// The exact texts of all values that equal this one: "1.5", "1.50" and so on, at most 34. Nil
  /// for zero, which has thousands.
  package var equalTexts: [String]? {
    guard let parts else { return [exactText] }
    guard parts.coefficient != 0 else { return nil }
    var texts: [String] = []
    var next = Self.reduce(parts, upTo: .max)
    while true {
      if next.exponent <= Self.greatestExponent { texts.append(Decimal128(next).exactText) }
      guard next.exponent > Self.leastExponent, next.coefficient < PowersOfTen[Self.precision - 1]
      else { return texts }
      next.coefficient *= 10
      next.exponent -= 1
    }
  }

  /// - Parameter plus: The sign in front of positive exponents.
  private static func text(_ parts: Parts, plus: String) -> String {
    let digits = String(parts.coefficient)
    let sign = parts.isNegative ? "-" : ""
    let places = digits.utf8.count + parts.exponent
    if parts.exponent == 0 { return sign + digits }
    guard parts.exponent > 0 || places <= -6 else {
      if places <= 0 { return sign + "0." + String(repeating: "0", count: -places) + digits }
      return sign + digits.prefix(places) + "." + digits.dropFirst(places)
    }
    let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
    let exponent = places - 1
    return sign + digits.prefix(1) + fraction + "E" + (exponent < 0 ? "" : plus) + String(exponent)
  }
}

extension Decimal128: LosslessStringConvertible {
  /// Creates the number of a text; nil for another text, or if rounding would be needed.
  public init?(_ description: String) {
    guard let number = Self.parse(description), number.isExact else { return nil }
    self = number.value
  }

  public var description: String { stringValue }
}

extension Decimal128: Codable {
  /// Decodes a text or a number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      do {
        try self.init(string: text)
      } catch let error as RealmError {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
      }
    } else if let integer = try? container.decode(Int64.self) {
      self.init(value: integer)
    } else {
      self.init(value: try container.decode(Double.self))
    }
  }

  /// Encodes a text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
