/// A decimal number of IEEE 754-2008 with 34 digits, in its binary integer encoding.
///
/// Two numbers are equal if their bits are equal: `1E1` differs from `10E0`.
public struct RealmDecimal: Sendable, Hashable {
  /// The sign, the exponent and the first bits of the coefficient.
  public var high: UInt64
  /// The last 64 bits of the coefficient.
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  private static let bias = 6176
  private static let largestCoefficient: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999

  public var isNegative: Bool { high >> 63 == 1 }
  public var isNaN: Bool { high >> 58 & 31 == 31 }
  public var isInfinite: Bool { high >> 58 & 31 == 30 }
  public var isFinite: Bool { !isNaN && !isInfinite }

  /// Whether both bits after the sign are set. Coefficients of this form would be too large, so
  /// such numbers are zero.
  private var isLargeForm: Bool { high >> 61 & 3 == 3 }

  /// The power of ten of a finite number.
  public var exponent: Int {
    Int(isLargeForm ? high >> 47 & 0x3FFF : high >> 49 & 0x3FFF) - Self.bias
  }

  /// The digits of a finite number, without its sign.
  public var coefficient: UInt128 {
    guard !isLargeForm else { return 0 }
    let digits = UInt128(high & (1 << 49 - 1)) << 64 | UInt128(low)
    return digits <= Self.largestCoefficient ? digits : 0
  }
}

extension RealmDecimal {
  /// Converts a decimal32 of 4 bytes.
  init(decimal32 bits: UInt32) {
    let isLarge = bits >> 29 & 3 == 3
    self.init(
      sign: UInt64(bits >> 31), special: UInt64(bits >> 26 & 31),
      exponent: Int(isLarge ? bits >> 21 & 0xFF : bits >> 23 & 0xFF) - 101,
      coefficient: UInt64(isLarge ? 0x80_0000 | bits & (1 << 21 - 1) : bits & (1 << 23 - 1)),
      largest: 9_999_999)
  }

  /// Converts a decimal64 of 8 bytes.
  init(decimal64 bits: UInt64) {
    let isLarge = bits >> 61 & 3 == 3
    self.init(
      sign: bits >> 63, special: bits >> 58 & 31,
      exponent: Int(isLarge ? bits >> 51 & 0x3FF : bits >> 53 & 0x3FF) - 398,
      coefficient: isLarge ? 0x20_0000_0000_0000 | bits & (1 << 51 - 1) : bits & (1 << 53 - 1),
      largest: 9_999_999_999_999_999)
  }

  /// Converts to the same number with 34 digits. The five bits after the sign indicate NaN and
  /// infinity.
  private init(sign: UInt64, special: UInt64, exponent: Int, coefficient: UInt64, largest: UInt64) {
    guard special < 30 else {
      self.init(high: sign << 63 | special << 58, low: 0)
      return
    }
    self.init(
      high: sign << 63 | UInt64(exponent + Self.bias) << 49,
      low: coefficient <= largest ? coefficient : 0)
  }
}

extension RealmDecimal: CustomStringConvertible {
  /// The coefficient and the exponent, such as `-123E-2`; `NaN`, `Infinity` or `-Infinity`.
  public var description: String {
    if isNaN { return "NaN" }
    let sign = isNegative ? "-" : ""
    return sign + (isInfinite ? "Infinity" : "\(coefficient)E\(exponent)")
  }
}
