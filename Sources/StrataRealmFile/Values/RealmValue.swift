public import Foundation

/// The value of a property, or of an element of a collection, as stored in the file.
public enum RealmValue: Sendable, Hashable {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(RealmDate)
  case decimal(RealmDecimal)
  case objectId(RealmObjectId)
  case uuid(UUID)
  /// A link to an object, or to an embedded one.
  case object(RealmLink)
  case list([RealmValue])
  /// The elements of a set, in the order of the file.
  case set([RealmValue])
  /// The entries of a dictionary, in the order of the file.
  ///
  /// Keys differ if their bytes do. Two such keys can be equal as `String`, so this is no
  /// `Dictionary`.
  case dictionary([RealmEntry])
}

/// A date as Realm stores it: exact to the nanosecond, with seconds of 64 bits.
public struct RealmDate: Sendable, Hashable {
  /// Seconds since 1970-01-01 00:00 UTC.
  public var seconds: Int64
  /// Nanoseconds to add, from -999,999,999 to 999,999,999. Their sign never differs from the
  /// seconds'.
  public var nanoseconds: Int32

  public init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The nearest `Date`, which is exact to about 100 nanoseconds in this century.
  public var date: Date {
    // Each part is exact as a `Double`, up to 2⁵³ seconds.
    let sinceReference = Double(seconds) - Date.timeIntervalBetween1970AndReferenceDate
    return Date(timeIntervalSinceReferenceDate: sinceReference + Double(nanoseconds) / 1e9)
  }
}

/// A key and a value of a dictionary.
public struct RealmEntry: Sendable, Hashable {
  public var key: String
  public var value: RealmValue

  public init(key: String, value: RealmValue) {
    self.key = key
    self.value = value
  }
}

/// The content of a link: the class of an object, and its key.
public struct RealmLink: Sendable, Hashable {
  public var className: String
  /// The key of the object, which is unique in its class.
  public var objectKey: Int64

  public init(className: String, objectKey: Int64) {
    self.className = className
    self.objectKey = objectKey
  }
}

/// The 12 bytes of an `ObjectId`.
public struct RealmObjectId: Sendable, Hashable {
  private let high: UInt64
  private let low: UInt32

  /// Reads 12 bytes.
  init(_ bytes: UnsafeRawPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
  }

  /// The bytes, in the order of printing.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: high.bigEndian, Array.init) + withUnsafeBytes(of: low.bigEndian, Array.init)
  }
}

extension RealmObjectId: CustomStringConvertible {
  /// The bytes as 24 hexadecimal digits.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

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
  init(decimal32 bits: UInt32) {
    let isLarge = bits >> 29 & 3 == 3
    self.init(
      sign: UInt64(bits >> 31), special: UInt64(bits >> 26 & 31),
      exponent: Int(isLarge ? bits >> 21 & 0xFF : bits >> 23 & 0xFF) - 101,
      coefficient: UInt64(isLarge ? 0x80_0000 | bits & (1 << 21 - 1) : bits & (1 << 23 - 1)),
      largest: 9_999_999)
  }

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
