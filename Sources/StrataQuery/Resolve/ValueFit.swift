package import StrataSchema

/// The fit of a constant with the values that it is compared with, and its form in the file.
enum ValueFit {
  /// Returns the constant as a value of a type; nil if it has another type.
  static func fit(_ value: QueryValue, _ type: PropertyType) -> ResolvedConstant? {
    switch (type, value) {
    case (_, .null): return .null
    case (.int, _): return integer(value).map { .value(.integer($0), .int) }
    case (.bool, .bool(let value)): return .value(.integer(value ? 1 : 0), .bool)
    case (.bool, .int(let value)) where value == 0 || value == 1:
      return .value(.integer(value), .bool)
    case (.float, _):
      // The column holds a `Float`: 1.7 means the nearest `Float`.
      guard let number = double(value) else { return nil }
      let narrow = Float(number)
      guard narrow.isFinite || !number.isFinite else { return nil }
      return .value(.real(Double(narrow)), .float)
    case (.double, _): return double(value).map { .value(.real($0), .double) }
    case (.decimal128, _): return decimal(value).map { .value(.text($0), .decimal128) }
    case (.string, .string(let text)): return .value(.text(text), .string)
    case (.data, .data(let bytes)): return .value(.blob(bytes), .data)
    case (.date, .date(let text)): return .value(.text(text), .date)
    case (.UUID, .uuid(let text)): return .value(.text(text), .UUID)
    case (.objectId, .objectId(let text)): return .value(.text(text), .objectId)
    case (.object, .object(let object)): return .object(object)
    case (.any, .nested(let text)): return .value(.text(text), .any)
    case (.any, _): return own(value)
    default: return nil
    }
  }

  /// Returns the constant as a value of its own type; nil for types that no property can have.
  static func own(_ value: QueryValue) -> ResolvedConstant? {
    value.type.flatMap { fit(value, $0) }
  }

  /// Returns an integer; nil for a fraction, and for values that are no number.
  private static func integer(_ value: QueryValue) -> Int64? {
    switch value {
    case .int(let value): value
    case .float(let value): Int64(exactly: value)
    case .double(let value): Int64(exactly: value)
    case .decimal(let text): DecimalText.integer(text)
    default: nil
    }
  }

  private static func double(_ value: QueryValue) -> Double? {
    switch value {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal(let text): Double(text)
    default: nil
    }
  }

  private static func decimal(_ value: QueryValue) -> String? {
    switch value {
    case .int(let value): "\(value)"
    case .float(let value): DecimalText.of(Double(value))
    case .double(let value): DecimalText.of(value)
    case .decimal(let text): text
    case .string(let text): DecimalText.isNumber(text) ? text : nil
    default: nil
    }
  }
}

extension ResolvedConstant {
  /// Creates a constant as a value of a type; nil if it has another type.
  package init?(_ value: QueryValue, _ type: PropertyType) {
    guard let constant = ValueFit.fit(value, type) else { return nil }
    self = constant
  }
}

/// Numbers with a base of ten as text, such as `-12.5E+3`, `NaN` and `Infinity`.
enum DecimalText {
  /// Returns the shortest text of this number.
  static func of(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    return "\(number)"
  }

  /// Returns the number, if it is an integer that fits into 64 bits.
  static func integer(_ text: String) -> Int64? {
    guard let parts = Parts(text) else { return nil }
    var digits = parts.digits
    var exponent = parts.exponent
    while exponent < 0, digits.last == 0x30 {
      digits.removeLast()
      exponent += 1
    }
    if digits.allSatisfy({ $0 == 0x30 }) { return 0 }
    guard (0...19).contains(exponent) else { return nil }
    digits += Array(repeating: 0x30, count: exponent)
    return Int64((parts.isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
  }

  /// Whether the text is a number that `Decimal128(_:)` accepts.
  static func isNumber(_ text: String) -> Bool { Parts(text) != nil }

  private struct Parts {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0

    init?(_ text: String) {
      var rest = Substring(text).utf8[...]
      if let sign = rest.first, sign == 0x2D || sign == 0x2B {
        isNegative = sign == 0x2D
        rest.removeFirst()
      }
      var hasPoint = false
      while let byte = rest.first, (0x30...0x39).contains(byte) || (byte == 0x2E && !hasPoint) {
        if byte == 0x2E { hasPoint = true } else { digits.append(byte) }
        if hasPoint, byte != 0x2E { exponent -= 1 }
        rest.removeFirst()
      }
      guard !digits.isEmpty else { return nil }
      if let byte = rest.first, byte | 0x20 == 0x65 {
        guard let power = Int(Substring(rest.dropFirst())), power.magnitude < 100_000 else {
          return nil
        }
        exponent += power
        rest = rest.prefix(0)
      }
      guard rest.isEmpty else { return nil }
    }
  }
}

extension PropertyType {
  /// Whether the values are numbers, which can be compared with numbers of other types.
  package var isNumeric: Bool {
    switch self {
    case .int, .float, .double, .decimal128: true
    default: false
    }
  }

  /// Whether one value may be less than another.
  var isOrdered: Bool {
    switch self {
    case .int, .float, .double, .decimal128, .date, .string, .data, .any: true
    case .bool, .UUID, .objectId, .object, .linkingObjects: false
    }
  }
}
