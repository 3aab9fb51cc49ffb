public import Foundation

// Each operation computes at least 35 digits and whether nonzero digits follow, and then rounds
// once.

extension Decimal128: SignedNumeric {
  /// The sum; NaN for opposite infinities.
  public static func + (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
    guard let left = lhs.parts, let right = rhs.parts else {
      if lhs.isNaN || rhs.isNaN { return nan }
      if lhs.isInfinite, rhs.isInfinite, lhs.isSignMinus != rhs.isSignMinus { return nan }
      return lhs.isInfinite ? lhs : rhs
    }
    return left.exponent >= right.exponent ? sum(left, right) : sum(right, left)
  }

  /// The difference; NaN for equal infinities.
  public static func - (lhs: Decimal128, rhs: Decimal128) -> Decimal128 { lhs + -rhs }

  /// The product; NaN for zero times infinity.
  public static func * (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
    let isNegative = lhs.isSignMinus != rhs.isSignMinus
    guard let left = lhs.parts, let right = rhs.parts else {
      if lhs.isNaN || rhs.isNaN || lhs.isZero || rhs.isZero { return nan }
      return infinity(isNegative: isNegative)
    }
    let exponent = left.exponent + right.exponent
    let product = left.coefficient.multipliedFullWidth(by: right.coefficient)
    guard product.high != 0 else {
      return round(
        Parts(isNegative: isNegative, coefficient: product.low, exponent: exponent)
      ).value
    }
    // Keeps 36 to 38 of up to 68 digits: 77 / 256 is a little less than log10(2).
    let bits = 256 - product.high.leadingZeroBitCount
    let dropped = (bits * 77) >> 8 - 36
    let (quotient, rest) = PowersOfTen[dropped].dividingFullWidth(product)
    return round(
      Parts(isNegative: isNegative, coefficient: quotient, exponent: exponent + dropped),
      isMore: rest != 0
    ).value
  }

  /// The quotient; infinite for a nonzero number divided by zero, NaN for two zeros or infinities.
  public static func / (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
    let isNegative = lhs.isSignMinus != rhs.isSignMinus
    guard let left = lhs.parts, let right = rhs.parts else {
      if lhs.isNaN || rhs.isNaN || (lhs.isInfinite && rhs.isInfinite) { return nan }
      if lhs.isInfinite { return infinity(isNegative: isNegative) }
      return Decimal128(
        Parts(isNegative: isNegative, coefficient: 0, exponent: leastExponent))
    }
    guard right.coefficient != 0 else {
      return left.coefficient == 0 ? nan : infinity(isNegative: isNegative)
    }
    let ideal = left.exponent - right.exponent
    guard left.coefficient != 0 else {
      return round(Parts(isNegative: isNegative, coefficient: 0, exponent: ideal)).value
    }
    // The dividend is extended to 38 digits, and then by two digits less than the divisor has. So
    // the quotient has 36 to 38 digits.
    let first = 38 - PowersOfTen.digitCount(left.coefficient)
    let second = Swift.max(PowersOfTen.digitCount(right.coefficient) - 2, 0)
    let dividend = (left.coefficient * PowersOfTen[first])
      .multipliedFullWidth(by: PowersOfTen[second])
    let (quotient, rest) = right.coefficient.dividingFullWidth(dividend)
    let parts = Parts(
      isNegative: isNegative, coefficient: quotient, exponent: ideal - first - second)
    guard rest == 0 else { return round(parts, isMore: true).value }
    return round(reduce(parts, upTo: ideal)).value
  }

  public static func *= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs * rhs }

  /// Divides a number by another one, and rounds the quotient to 34 digits.
  public static func /= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs / rhs }

  /// Returns the sum of two finite numbers. The exponent of `upper` is not less than `lower`'s.
  private static func sum(_ upper: Parts, _ lower: Parts) -> Decimal128 {
    guard upper.coefficient != 0 else {
      // The sum is -0 only for two negative zeros.
      let isNegative =
        lower.isNegative && (lower.coefficient != 0 || upper.isNegative)
      return Decimal128(
        Parts(
          isNegative: isNegative, coefficient: lower.coefficient, exponent: lower.exponent))
    }
    // The upper number is extended to up to 37 digits, and the lower number's digits below them are
    // cut off. If any digit is cut off, at least 36 digits remain.
    let distance = upper.exponent - lower.exponent
    let shift = Swift.min(distance, 37 - PowersOfTen.digitCount(upper.coefficient))
    let cut = distance - shift
    let first = upper.coefficient * PowersOfTen[shift]
    let (second, rest) =
      cut <= 38
      ? lower.coefficient.quotientAndRemainder(dividingBy: PowersOfTen[cut])
      : (0, lower.coefficient)
    var parts = Parts(
      isNegative: upper.isNegative, coefficient: 0, exponent: upper.exponent - shift)
    if upper.isNegative == lower.isNegative {
      parts.coefficient = first + second
    } else if first >= second {
      parts.coefficient = first - second - (rest == 0 ? 0 : 1)
      if parts.coefficient == 0 { parts.isNegative = false }
    } else {
      parts.coefficient = second - first
      parts.isNegative = lower.isNegative
    }
    return round(parts, isMore: rest != 0).value
  }
}

extension Decimal128: Strideable {
  /// The other number minus this one.
  public func distance(to other: Decimal128) -> Decimal128 { other - self }

  /// The sum of this number and a distance.
  public func advanced(by distance: Decimal128) -> Decimal128 { self + distance }
}

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
