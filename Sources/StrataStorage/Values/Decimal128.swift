/// A decimal floating-point number in the format decimal128 of IEEE 754-2008.
///
/// A number has up to 34 significant digits and magnitudes from 1E-6176 to 9.99…E+6144, so decimal
/// fractions such as 0.1 are exact, for example for prices. Results that need more digits are
/// rounded to the nearest number, ties to the even one. Values that are too large become infinite.
///
/// A number keeps the number of digits that it was written with, also in files: "1.50" and "1.5"
/// are equal, and have the same hash and the same ``stringValue``, but
/// ``isTotallyOrdered(belowOrEqualTo:)`` distinguishes them. There is one NaN, without sign and
/// payload.
public struct Decimal128: Sendable {
  // The binary encoding of the standard: a bit for the sign, 14 bits for the exponent + 6176, and
  // 113 bits for the coefficient. Two words instead of a `UInt128`, which would align objects to 16
  // bytes.
  private let high: UInt64
  private let low: UInt64

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Zero.
  public init() {
    self.init(Parts(isNegative: false, coefficient: 0, exponent: 0))
  }
}

extension Decimal128 {
  /// A finite number: `coefficient` × 10^`exponent`, negated or not.
  ///
  /// A number's coefficient has at most 34 digits, and its exponent is in -6176...6111.
  package struct Parts {
    package var isNegative: Bool
    package var coefficient: UInt128
    package var exponent: Int

    package init(isNegative: Bool, coefficient: UInt128, exponent: Int) {
      self.isNegative = isNegative
      self.coefficient = coefficient
      self.exponent = exponent
    }
  }

  /// The greatest number of digits of a coefficient.
  static let precision = 34
  /// The least exponent of a coefficient's last digit.
  package static let leastExponent = -6176
  /// The greatest exponent of a coefficient's last digit.
  package static let greatestExponent = 6111

  /// Creates the number with these parts, which must be within the bounds.
  package init(_ parts: Parts) {
    let exponent = UInt64(parts.exponent - Self.leastExponent)
    let sign: UInt64 = parts.isNegative ? Self.signBit : 0
    high = sign | exponent << 49 | UInt64(truncatingIfNeeded: parts.coefficient >> 64)
    low = UInt64(truncatingIfNeeded: parts.coefficient)
  }

  /// The parts of a finite number; nil for infinities and NaN.
  package var parts: Parts? {
    let exponent = (high & ~Self.signBit) >> 49
    guard exponent < 0x3000 else { return nil }
    return Parts(
      isNegative: isSignMinus,
      coefficient: UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low),
      exponent: Int(exponent) + Self.leastExponent)
  }

  private static let signBit: UInt64 = 1 << 63
}

extension Decimal128 {
  /// Not a number: the result of 0 / 0, which is unequal to every value, including itself.
  public static let nan = Decimal128(high: 0x7C00_0000_0000_0000, low: 0)

  /// The positive infinity, which is greater than all numbers.
  public static let infinity = Decimal128(high: 0x7800_0000_0000_0000, low: 0)

  /// The greatest finite number, 9.999999999999999999999999999999999E+6144.
  public static let max = Decimal128(
    Parts(
      isNegative: false, coefficient: PowersOfTen[precision] - 1, exponent: greatestExponent))

  /// The least finite number, -9.999999999999999999999999999999999E+6144.
  public static let min = -max

  /// Whether the value is not a number.
  public var isNaN: Bool { high & ~Self.signBit == Self.nan.high }

  /// The same as ``isNaN``: there is one NaN.
  public var isSignaling: Bool { isNaN }

  /// The same as ``isNaN``: there is one NaN.
  public var isSignalingNaN: Bool { isNaN }

  /// Whether the value is the positive or the negative infinity.
  public var isInfinite: Bool { high & ~Self.signBit == Self.infinity.high }

  /// Whether the value is neither infinite nor NaN.
  public var isFinite: Bool { (high & ~Self.signBit) >> 49 < 0x3000 }

  /// Whether the value is 0 or -0.
  public var isZero: Bool { isFinite && high & 0x1_FFFF_FFFF_FFFF == 0 && low == 0 }

  /// Whether the value has a minus sign, as -0 and the negative infinity have.
  public var isSignMinus: Bool { high & Self.signBit != 0 }

  /// The value without its sign.
  public var magnitude: Decimal128 { Decimal128(high: high & ~Self.signBit, low: low) }

  /// The value with the opposite sign; NaN for NaN.
  public static prefix func - (operand: Decimal128) -> Decimal128 {
    operand.isNaN ? operand : Decimal128(high: operand.high ^ signBit, low: operand.low)
  }

  package static func infinity(isNegative: Bool) -> Decimal128 { isNegative ? -infinity : infinity }
}

// Compares like IEEE 754: NaN is unequal to everything and neither less nor greater; -0 equals 0;
// the number of digits makes no difference.

extension Decimal128: Comparable {
  public static func == (lhs: Decimal128, rhs: Decimal128) -> Bool { order(lhs, rhs) == 0 }
  public static func < (lhs: Decimal128, rhs: Decimal128) -> Bool { order(lhs, rhs) == -1 }
  public static func > (lhs: Decimal128, rhs: Decimal128) -> Bool { order(lhs, rhs) == 1 }
  public static func <= (lhs: Decimal128, rhs: Decimal128) -> Bool {
    order(lhs, rhs).map { $0 <= 0 } ?? false
  }
  public static func >= (lhs: Decimal128, rhs: Decimal128) -> Bool {
    order(lhs, rhs).map { $0 >= 0 } ?? false
  }

  /// Returns -1 if the first value is less, 0 if they are equal, 1 if it is greater; nil for NaN.
  private static func order(_ lhs: Decimal128, _ rhs: Decimal128) -> Int? {
    if lhs.isNaN || rhs.isNaN { return nil }
    // Infinite ±2, finite ±1, zero 0.
    func rank(_ value: Decimal128) -> Int {
      if value.isZero { return 0 }
      return (value.isInfinite ? 2 : 1) * (value.isSignMinus ? -1 : 1)
    }
    let rank = (rank(lhs), rank(rhs))
    guard rank.0 == rank.1 else { return rank.0 < rank.1 ? -1 : 1 }
    guard rank.0.magnitude == 1, let left = lhs.parts, let right = rhs.parts else { return 0 }
    let order = orderOfMagnitudes(left, right)
    return left.isNegative ? -order : order
  }

  /// Compares the magnitudes of two finite numbers other than zero.
  private static func orderOfMagnitudes(_ lhs: Parts, _ rhs: Parts) -> Int {
    let digits = (
      PowersOfTen.digitCount(lhs.coefficient), PowersOfTen.digitCount(rhs.coefficient)
    )
    let places = (digits.0 + lhs.exponent, digits.1 + rhs.exponent)
    guard places.0 == places.1 else { return places.0 < places.1 ? -1 : 1 }
    // With the same number of digits, the coefficients can be compared.
    let left = lhs.coefficient * PowersOfTen[precision - digits.0]
    let right = rhs.coefficient * PowersOfTen[precision - digits.1]
    return left == right ? 0 : left < right ? -1 : 1
  }

  /// Whether the value precedes or equals the other one, in an order of all values.
  ///
  /// The order is the order of `<=`, and in addition: -0 is before 0, and infinity before NaN. Of
  /// two equal positive numbers, the one with more digits is first; of two negative ones, it is
  /// last.
  public func isTotallyOrdered(belowOrEqualTo other: Decimal128) -> Bool {
    if isNaN || other.isNaN { return other.isNaN }
    if self != other { return self < other }
    guard isSignMinus == other.isSignMinus else { return isSignMinus }
    guard let exponent = parts?.exponent, let otherExponent = other.parts?.exponent else {
      return true
    }
    return isSignMinus ? exponent >= otherExponent : exponent <= otherExponent
  }

  /// Returns the lesser value. If one value is NaN, returns the other one.
  public static func minimum(_ x: Decimal128, _ y: Decimal128) -> Decimal128 {
    if x.isNaN || y.isNaN { return x.isNaN ? y : x }
    return x.isTotallyOrdered(belowOrEqualTo: y) ? x : y
  }

  /// Returns the greater value. If one value is NaN, returns the other one.
  public static func maximum(_ x: Decimal128, _ y: Decimal128) -> Decimal128 {
    if x.isNaN || y.isNaN { return x.isNaN ? y : x }
    return x.isTotallyOrdered(belowOrEqualTo: y) ? y : x
  }
}

extension Decimal128: Hashable {
  /// Equal numbers have the same hash, whatever the number of their digits.
  public func hash(into hasher: inout Hasher) {
    guard let parts, parts.coefficient != 0 else {
      hasher.combine(isNaN ? 2 : isInfinite ? 1 : 0)
      hasher.combine(isInfinite && isSignMinus)
      return
    }
    let shortest = Self.reduce(parts, upTo: .max)
    hasher.combine(shortest.isNegative)
    hasher.combine(shortest.coefficient)
    hasher.combine(shortest.exponent)
  }
}

/// The powers of ten from 10^0 to 10^38, all that fit into a `UInt128`.
enum PowersOfTen {
  private static let values: [UInt128] = {
    var values: [UInt128] = [1]
    for _ in 1...38 { values.append(values[values.count - 1] * 10) }
    return values
  }()

  static subscript(_ exponent: Int) -> UInt128 { values[exponent] }

  /// Returns the number of decimal digits of a number; 0 for 0.
  static func digitCount(_ number: UInt128) -> Int {
    // 1233 / 4096 approximates log10(2), precisely enough for 128 bits.
    let estimate = ((128 - number.leadingZeroBitCount) * 1233) >> 12
    return number < values[estimate] ? estimate : estimate + 1
  }
}

extension Decimal128 {
  /// A number, and whether it is exact.
  package struct Rounded {
    package var value: Decimal128
    package var isExact: Bool
  }

  /// Returns the number nearest to `parts`, ties to even, with the nearest possible exponent.
  ///
  /// - Parameters:
  ///   - parts: A coefficient and an exponent without bounds.
  ///   - isMore: Whether the exact magnitude is above `parts`, by less than one in the last digit.
  ///     The coefficient must have at least 35 digits then.
  package static func round(_ parts: Parts, isMore: Bool = false) -> Rounded {
    var parts = parts
    var isExact = !isMore
    let excess = PowersOfTen.digitCount(parts.coefficient) - precision
    let dropped = Swift.max(excess, leastExponent - parts.exponent, 0)
    if dropped > 0 {
      isExact = drop(dropped, of: &parts, isMore: isMore) && isExact
      if parts.coefficient == PowersOfTen[precision] {
        parts.coefficient = PowersOfTen[precision - 1]
        parts.exponent += 1
      }
    }
    if parts.exponent > greatestExponent {
      // Zeros at the end of the coefficient may reduce the exponent.
      let missing = parts.exponent - greatestExponent
      let room = precision - PowersOfTen.digitCount(parts.coefficient)
      guard parts.coefficient == 0 || missing <= room else {
        return Rounded(value: infinity(isNegative: parts.isNegative), isExact: false)
      }
      if parts.coefficient != 0 { parts.coefficient *= PowersOfTen[missing] }
      parts.exponent = greatestExponent
    }
    return Rounded(value: Decimal128(parts), isExact: isExact)
  }

  /// Rounds off the last digits of a coefficient. Returns whether they were zeros.
  ///
  /// - Parameter isMore: Whether further digits, not all zero, follow the coefficient.
  package static func drop(_ count: Int, of parts: inout Parts, isMore: Bool = false) -> Bool {
    parts.exponent += count
    // A coefficient has at most 39 digits, so it is less than half of 10^40.
    guard count <= 39 else {
      defer { parts.coefficient = 0 }
      return parts.coefficient == 0
    }
    // 10^39 doesn't fit: the last digit is cut off first, and treated as a following digit.
    let isLong = count == 39
    let lastDigit = isLong ? parts.coefficient % 10 : 0
    if isLong { parts.coefficient /= 10 }
    let isMore = isMore || lastDigit != 0
    let divisor = PowersOfTen[isLong ? 38 : count]
    let (quotient, rest) = parts.coefficient.quotientAndRemainder(dividingBy: divisor)
    let half = divisor / 2
    let isUp = rest > half || (rest == half && (isMore || quotient & 1 == 1))
    parts.coefficient = isUp ? quotient + 1 : quotient
    return rest == 0 && !isMore
  }

  /// Returns the same number with fewer zeros at the end of its coefficient, and an exponent up to
  /// `limit`.
  package static func reduce(_ parts: Parts, upTo limit: Int) -> Parts {
    var parts = parts
    guard parts.coefficient != 0 else {
      parts.exponent = Swift.max(parts.exponent, limit)
      return parts
    }
    while parts.exponent < limit {
      let (quotient, rest) = parts.coefficient.quotientAndRemainder(dividingBy: 10)
      guard rest == 0 else { break }
      parts.coefficient = quotient
      parts.exponent += 1
    }
    return parts
  }
}
