public import Foundation

extension Decimal128 {
  /// Creates the integer, rounded if it has more than 34 digits.
  public init(value: some BinaryInteger) {
    self = Self.integer(value).value
  }

  /// Creates the number with the fewest digits that converts back to the same `Double`: 0.1 for
  /// `0.1`.
  public init(value: Double) {
    self = Self.reduced(value.description)
  }

  /// Creates the number with the fewest digits that converts back to the same `Float`.
  public init(value: Float) {
    self = Self.reduced(value.description)
  }

  /// Converts Foundation's `Decimal`, rounded if it has more than 34 digits.
  public init(value: Decimal) {
    // The significand has no exponent: its description is digits only.
    guard !value.isNaN, let digits = UInt128(value.significand.magnitude.description) else {
      self = .nan
      return
    }
    let isNegative = value.sign == .minus && digits != 0
    self =
      Self.round(
        Parts(isNegative: isNegative, coefficient: digits, exponent: value.exponent)
      ).value
  }

  /// Converts an `NSNumber`: an integer or an `NSDecimalNumber` exactly, a `Float` or a `Double` to
  /// the shortest number that converts back to it.
  public init(number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      self.init(value: decimal.decimalValue)
      return
    }
    switch String(cString: number.objCType) {
    case "d": self.init(value: number.doubleValue)
    case "f": self.init(value: number.floatValue)
    case "Q": self.init(value: number.uint64Value)
    default: self.init(value: number.int64Value)
    }
  }

  /// Creates the number of a literal. An invalid literal stops the process.
  ///
  /// Use ``init(string:)`` for texts that are not literals.
  public init(value: StaticString) {
    do {
      try self.init(string: "\(value)")
    } catch {
      stopForProgrammerError("\(error)")
    }
  }

  /// Creates the integer; nil if it has more than 34 digits, not counting zeros at its end.
  public init?(exactly source: some BinaryInteger) {
    let number = Self.integer(source)
    guard number.isExact else { return nil }
    self = number.value
  }

  /// The nearest `Double`; infinite if the number is too large for a `Double`.
  public var doubleValue: Double {
    Double(stringValue) ?? (isNaN ? .nan : isSignMinus ? -.infinity : .infinity)
  }

  /// The number as Foundation's `Decimal`, which has exponents of -128 to 127 only.
  ///
  /// Digits below 1E-128 are rounded off. The result is NaN for numbers that are too large, and for
  /// infinities.
  public var decimalValue: Decimal {
    guard var parts else { return .nan }
    if parts.exponent < -128 { _ = Self.drop(-128 - parts.exponent, of: &parts) }
    // `Decimal` itself stores zeros at the end in the exponent.
    parts = Self.reduce(parts, upTo: .max)
    if parts.coefficient == 0 { return 0 }
    guard parts.exponent <= 127, let significand = Decimal(string: String(parts.coefficient)) else {
      return .nan
    }
    return Decimal(
      sign: parts.isNegative ? .minus : .plus, exponent: parts.exponent, significand: significand)
  }

  private static func integer(_ value: some BinaryInteger) -> Rounded {
    guard let coefficient = UInt128(exactly: value.magnitude) else {
      return parse(String(value)) ?? Rounded(value: nan, isExact: false)
    }
    return round(Parts(isNegative: value < 0, coefficient: coefficient, exponent: 0))
  }

  /// Returns the number in the description of a binary number, without zeros after the point.
  private static func reduced(_ text: String) -> Decimal128 {
    guard let value = parse(text)?.value, let parts = value.parts else {
      return parse(text)?.value ?? nan
    }
    return parts.exponent < 0 ? Decimal128(reduce(parts, upTo: 0)) : value
  }
}

extension Decimal128: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) {
    self.init(value: value)
  }
}

extension Decimal128: ExpressibleByFloatLiteral {
  /// Creates the number with the fewest digits that converts to the same `Double` as the literal.
  ///
  /// A literal with more than 15 digits is better written as a string.
  public init(floatLiteral value: Double) {
    self.init(value: value)
  }
}

extension Decimal128: ExpressibleByStringLiteral {
  /// Creates the number of a literal. An invalid literal stops the process.
  public init(stringLiteral value: StaticString) {
    self.init(value: value)
  }
}
