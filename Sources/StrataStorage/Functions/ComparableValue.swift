package import StrataSchema

/// A value of a file with its type, for comparing values of any type.
package enum ComparableValue {
  case integer(Int64)
  case real(Double)
  case decimal(Decimal128)
  case text(String)
  case data([UInt8])
  case date(String)
  /// A value that can be equal to another one, but neither less nor greater.
  case other(typeName: String, StoredValue)

  /// - Parameters:
  ///   - value: The value, not NULL.
  ///   - typeName: The type's name in the file; `<Dog>` for an object.
  package init(_ value: StoredValue, typeName: String) {
    switch (PropertyType(rawValue: typeName), value) {
    case (.int?, .integer(let number)): self = .integer(number)
    case (.float?, .real(let number)), (.double?, .real(let number)): self = .real(number)
    case (.decimal128?, .text(let text)):
      self = .decimal(Decimal128(text) ?? .nan)
    case (.string?, .text(let text)): self = .text(text)
    case (.data?, .blob(let bytes)): self = .data(bytes)
    case (.date?, .text(let text)): self = .date(text)
    default: self = .other(typeName: typeName, value)
    }
  }

  /// Returns -1, 0 or 1; nil for values that can't be compared, and for different values without an
  /// order.
  package func order(to other: ComparableValue) -> Int64? {
    switch (self, other) {
    case (.integer(let one), .integer(let two)): Self.order(one, two)
    case (.integer(let one), .real(let two)): Self.order(one, two)
    case (.real(let one), .integer(let two)): Self.order(two, one).map { -$0 }
    case (.real(let one), .real(let two)): Self.order(one, two)
    case (.text(let one), .text(let two)), (.date(let one), .date(let two)):
      Self.order(Array(one.utf8), Array(two.utf8))
    case (.data(let one), .data(let two)): Self.order(one, two)
    case (.other(let type, let one), .other(let otherType, let two)):
      type == otherType && one == two ? 0 : nil
    default:
      if let one = decimal, let two = other.decimal { Self.order(one, two) } else { nil }
    }
  }

  private var decimal: Decimal128? {
    switch self {
    case .integer(let number): Decimal128(value: number)
    case .real(let number): Decimal128(value: number)
    case .decimal(let number): number
    default: nil
    }
  }

  private static func order<Value: Comparable>(_ one: Value, _ two: Value) -> Int64? {
    one < two ? -1 : one > two ? 1 : one == two ? 0 : nil
  }

  private static func order(_ one: [UInt8], _ two: [UInt8]) -> Int64? {
    one == two ? 0 : one.lexicographicallyPrecedes(two) ? -1 : 1
  }

  /// Compares an integer and a floating-point number by their exact values.
  private static func order(_ one: Int64, _ two: Double) -> Int64? {
    if two.isNaN { return nil }
    // Beyond these limits a floating-point number is outside the range of integers.
    guard two < 0x1p63 else { return -1 }
    guard two >= -0x1p63 else { return 1 }
    let whole = two.rounded(.down)
    let integer = Int64(whole)
    return one < integer ? -1 : one > integer ? 1 : whole == two ? 0 : -1
  }
}

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
    guard let parts = number.parts else { return [number.isSignMinus ? 1 : 5] }
    guard parts.coefficient != 0 else { return [3] }
    let shortest = Decimal128.reduce(parts, upTo: .max)
    let digits = String(shortest.coefficient).utf8
    // The power of ten of the first digit.
    let exponent = UInt16(clamping: shortest.exponent + digits.count - 1 + 0x8000)
    // Each digit plus one is never zero, so the end of a number sorts before a further digit.
    var key =
      [UInt8(exponent >> 8), UInt8(exponent & 0xFF)] + digits.map { $0 - UInt8(ascii: "0") + 1 }
      + [0]
    if number.isSignMinus { key = key.map { ~$0 } }
    return [number.isSignMinus ? 2 : 4] + key
  }
}
