import Foundation

@testable import Strata
@testable import StrataStorage

/// The values at the edges of a type.
protocol Edged: _Scalar, _OptionalPersistable, RealmCollectionValue, Hashable {
  static var edges: [Self] { get }
  /// Whether two values are the same to the last bit.
  func isIdentical(to other: Self) -> Bool
}

extension Edged {
  func isIdentical(to other: Self) -> Bool { self == other }
}

extension FixedWidthInteger {
  fileprivate static var edgesOfIntegers: [Self] { [.min, .min + 1, 0 &- 1, 0, 1, .max - 1, .max] }
}

extension Int: Edged { static var edges: [Int] { edgesOfIntegers } }
extension Int8: Edged { static var edges: [Int8] { edgesOfIntegers } }
extension Int16: Edged { static var edges: [Int16] { edgesOfIntegers } }
extension Int32: Edged { static var edges: [Int32] { edgesOfIntegers } }
extension Int64: Edged { static var edges: [Int64] { edgesOfIntegers } }
extension Bool: Edged { static var edges: [Bool] { [false, true] } }

extension BinaryFloatingPoint {
  fileprivate static var edgesOfNumbers: [Self] {
    let least = Self.leastNonzeroMagnitude
    let numbers: [Self] = [
      0, 1, 0.1, least, least.nextUp, .leastNormalMagnitude, .leastNormalMagnitude.nextDown,
      .greatestFiniteMagnitude, .infinity, .pi, Self(1) / 3, .ulpOfOne, 9_007_199_254_740_993, 1e15,
      123_456_789.123_456_789,
    ]
    return numbers + numbers.dropFirst().map { -$0 }
  }
}

extension Double: Edged {
  static var edges: [Double] { edgesOfNumbers }
  func isIdentical(to other: Double) -> Bool { bitPattern == other.bitPattern }
}
extension Float: Edged {
  static var edges: [Float] { edgesOfNumbers }
  func isIdentical(to other: Float) -> Bool { bitPattern == other.bitPattern }
}

extension String: Edged {
  static var edges: [String] {
    HostileNames.fixed + [String(repeating: "long 🙂 ", count: 10_000), "\u{0}\u{0}", "a\u{0}"]
  }
  /// To `==` an `é` is an `e` with an accent.
  func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Data: Edged {
  static var edges: [Data] {
    [
      Data(), Data([0]), Data([0, 0, 0]), Data([255]), Data((0...255).map { UInt8($0) }),
      Data("text".utf8), Data(repeating: 7, count: 3_000_000),
    ]
  }
}

extension Date: Edged {
  static var edges: [Date] {
    [
      0, 1, -1, 0.5, -0.5, 1e-9, 978_307_200, 978_307_200.000_000_1, 978_307_199.999_999_9,
      -62_135_596_800, -62_135_769_600, -62_167_219_200, 253_402_300_799, 253_402_300_799.999,
      1e9 + 0.1, -1e9 - 0.1,
      1_700_000_000.123_456_7, 951_782_400, -2_208_988_800,
    ].map { Date(timeIntervalSince1970: $0) } + [Date(timeIntervalSinceReferenceDate: 0.1.ulp)]
  }
}

extension UUID: Edged {
  static var edges: [UUID] {
    [
      UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
      UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
      UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), UUID(),
    ]
  }
}

extension ObjectId: Edged {
  static var edges: [ObjectId] {
    [
      ObjectId("000000000000000000000000"), ObjectId("ffffffffffffffffffffffff"),
      ObjectId("0123456789abcdef01234567"),
    ]
  }
}

extension Decimal128: Edged {
  static var edges: [Decimal128] {
    [
      "0", "-0", "1", "1.0", "1.00", "0E+6111", "0E-6176", "1E+6111", "1E-6176",
      "9.999999999999999999999999999999999E+6144", "-9.999999999999999999999999999999999E+6144",
      "1234567890123456789012345678901234", "-1.234567890123456789012345678901234", "0.1", "1.50",
      "-1E+3", "NaN", "Infinity", "-Infinity",
    ]
  }
  func isIdentical(to other: Decimal128) -> Bool { exactText == other.exactText }
}
