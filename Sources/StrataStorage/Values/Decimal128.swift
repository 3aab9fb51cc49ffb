/// A decimal floating point number: the format decimal128 of IEEE 754-2008.
///
/// It has up to 34 significant digits and magnitudes from 1E-6176 to 9.99…E+6144, so it holds
/// decimal fractions such as 0.1 exactly, as prices need them. Results that need more digits are
/// rounded to the nearest number, ties to the even one; a value that is too great becomes infinite.
///
/// A number remembers how many digits it was written with, and files keep them: "1.50" and "1.5"
/// are equal, have the same hash and the same ``stringValue``, and differ in
/// ``isTotallyOrdered(belowOrEqualTo:)``. There is one NaN, without sign and payload.
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

  /// The most digits that a coefficient has.
  static let precision = 34
  /// The least exponent of a coefficient's last digit.
  package static let leastExponent = -6176
  /// The greatest exponent of a coefficient's last digit.
  package static let greatestExponent = 6111

  /// The number that consists of these parts, which must be within the bounds.
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
  /// What 0 / 0 is: unequal to everything, also to itself.
  public static let nan = Decimal128(high: 0x7C00_0000_0000_0000, low: 0)

  /// Greater than all numbers.
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

  /// The infinity with this sign.
  package static func infinity(isNegative: Bool) -> Decimal128 { isNegative ? -infinity : infinity }
}
