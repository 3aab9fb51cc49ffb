import Foundation
import Strata
import TestKit

@testable import StrataSchema

/// Few values of each type, so that conditions meet them: nil, empty, greatest, almost alike.
struct QueryValuePool {
  private(set) var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  static let texts = [
    "", "a", "A", "ab", "abc", "b", "ä", "Ä", "a\u{308}", "ß", "SS", "ss", "é", "e", "Σ", "ς", "и",
    "И",
    "a*c", "a?c", "[a]", "x\u{0}y", "\u{0}", "日本", "😀", "I", "ı", "i", "abcabc",
  ]
  static let patterns = [
    "a*", "*c", "?", "*", "a?c", "*b*", "??", "[a]", "**", "A*", "x?y", "*\u{0}*", "ä", "", "abc",
  ]

  mutating func int() -> Int {
    chance(85)
      ? number(-3..<6)
      : one(of: [Int.max, .min, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, 100])
  }

  mutating func double() -> Double {
    one(of: [0, -0.0, 1, 1.5, -2, 2.25, 3, .infinity, -.infinity, 0x1p53, 9e18, 0.5])
  }

  mutating func float() -> Float { one(of: [0, 1, 1.5, 1.7, -2, 3, .infinity]) }

  mutating func decimal() -> Decimal128 {
    one(of: [
      0, 1, 2, 3, -2, Decimal128("1.0"), Decimal128("1.00"), Decimal128("1.5"),
      Decimal128("12345678901234567890.5"), Decimal128("1E+40"), Decimal128("-Infinity"),
      Decimal128("NaN"),
    ])
  }

  mutating func data() -> Data {
    one(of: [
      Data(), Data([0]), Data([1, 2]), Data([1, 2, 3]), Data([255]), Data("aB".utf8),
      Data("ab".utf8),
    ])
  }

  mutating func date() -> Date {
    Date(timeIntervalSince1970: one(of: [0, 1, 1.5, -86_400, 1_700_000_000]))
  }

  mutating func uuid() -> UUID {
    one(of: [
      UUID(uuidString: "00000000-0000-0000-0000-000000000001")!,
      UUID(uuidString: "ABCDEF00-0000-0000-0000-000000000001")!,
    ])
  }

  mutating func objectId() -> ObjectId {
    one(of: [ObjectId("000000000000000000000001"), ObjectId("abcdef000000000000000001")])
  }

  /// A value of a type, for a property or a condition.
  mutating func value(of type: PropertyType) -> Any {
    switch type {
    case .int: int()
    case .bool: chance(50)
    case .float: float()
    case .double: double()
    case .string: one(of: Self.texts)
    case .data: data()
    case .date: date()
    case .UUID: uuid()
    case .objectId: objectId()
    case .decimal128: decimal()
    case .any, .object, .linkingObjects:
      value(
        of: one(of: [
          .int, .int, .bool, .float, .double, .string, .string, .data, .date, .UUID, .objectId,
          .decimal128,
        ]))
    }
  }
}
