import StrataSchema

/// The order of values of different types: Boolean values, numbers, strings, data, dates, object
/// ids, UUIDs, objects, and then lists and dictionaries by their texts. Nil is before all of them.
enum AnyValueOrder {
  /// Returns bytes that sort in the order of the values.
  static func key(_ value: StoredValue, typeName: String) -> [UInt8] {
    switch (PropertyType(rawValue: typeName), value) {
    case (.bool?, .integer(let value)): return [1, value == 0 ? 0 : 1]
    case (.string?, .text(let text)): return [3] + text.utf8
    case (.data?, .blob(let bytes)): return [4] + bytes
    case (.date?, .text(let text)): return [5] + text.utf8
    case (.objectId?, .text(let text)): return [6] + text.utf8
    case (.UUID?, .text(let text)): return [7] + text.utf8
    case (_, .integer(let row)) where typeName.hasPrefix("<"):
      let ordered = UInt64(bitPattern: row) ^ (1 << 63)
      return [8] + typeName.utf8 + [0]
        + (0..<8).map { UInt8(truncatingIfNeeded: ordered >> (56 - 8 * UInt64($0))) }
    case (_, .text(let text)) where NestedKind(rawValue: typeName) != nil:
      return [typeName == NestedKind.list.rawValue ? 10 : 11] + text.utf8
    default:
      return Decimal128(value, typeName: typeName).map { [2] + key($0) } ?? [9]
    }
  }

  /// Returns the sign, the exponent and the digits of a number. For a negative number, all but the
  /// sign are inverted.
  private static func key(_ number: Decimal128) -> [UInt8] {
    if number.isNaN { return [0] }
    if number.isInfinite { return [number.isSignMinus ? 1 : 5] }
    let parts = DecimalDigits(number)
    guard let first = parts.digits.first, first != 0 else { return [3] }
    let exponent = UInt16(clamping: parts.exponent + 0x8000)
    // Each digit plus one is never zero, so the end of a number sorts before a further digit.
    var key = [UInt8(exponent >> 8), UInt8(exponent & 0xFF)] + parts.digits.map { $0 + 1 } + [0]
    if number.isSignMinus { key = key.map { ~$0 } }
    return [number.isSignMinus ? 2 : 4] + key
  }
}

/// The digits of a finite number without leading and trailing zeros, and the power of ten of the
/// first digit.
private struct DecimalDigits {
  var digits: [UInt8] = []
  var exponent = 0

  init(_ number: Decimal128) {
    let text = number.exactText
    let mantissa = text.prefix { $0 != "E" }
    let power = text.drop { $0 != "E" }.dropFirst()
    var point: Int?
    for byte in mantissa.utf8 {
      if byte == UInt8(ascii: ".") { point = digits.count }
      if (0x30...0x39).contains(byte) { digits.append(byte - 0x30) }
    }
    exponent = (point ?? digits.count) - 1 + (Int(power) ?? 0)
    let zeros = digits.prefix { $0 == 0 }.count
    digits.removeFirst(zeros)
    exponent -= zeros
    while digits.last == 0 { digits.removeLast() }
  }
}
