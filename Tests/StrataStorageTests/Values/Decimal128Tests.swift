import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import StrataStorage

@Suite struct Decimal128Tests {
  // MARK: Texts

  @Test(arguments: [
    "0", "-0", "0.00", "0E+3", "-0E-7", "1", "-1.50", "1E+3", "1.5E+4", "0.000001", "1E-7", "12.5",
    "9.999999999999999999999999999999999E+6144", "1E-6176", "0E+6111", "0E-6176",
    "Infinity", "-Infinity", "NaN",
  ])
  func `A canonical text reads back the same`(text: String) throws {
    let number = try Decimal128(string: text)
    expectEqual(number.exactText, text)
    expectEqual(Decimal128(text)?.exactText, text)
    expectEqual(number.description, number.stringValue)
    // Also the text for people reads back equal.
    expectTrue(number.isNaN || Decimal128(number.stringValue) == number)
  }

  @Test(arguments: [
    "", " ", "1 ", " 1", "+", "-", ".", "-.", "e5", ".e5", "1e", "1e+", "1e5.0", "1..2", "1.2.3",
    "1,5", "--1", "+-1", "0x10", "1_000", "١", "1e5e5", "in", "infinit", "infinityx", "na", "nanx",
    "NaN-1", "1\0",
  ])
  func `A text that is not a number is refused`(text: String) throws {
    expectError(containing: "'\(text)' is not a Decimal128: write digits", code: .fail) {
      try Decimal128(string: text)
    }
    expectNil(Decimal128(text))
  }

  @Test(arguments: [
    "12345678901234567890123456789012345", "1E-6177", "1E+6145", "0.1E-6176",
    "9.9999999999999999999999999999999999E+6144",
  ])
  func `A number that would have to be rounded is refused`(text: String) throws {
    expectError(containing: "34 significant digits") { try Decimal128(string: text) }
    expectNil(Decimal128(text))
  }

  @Test func `Literals are numbers`() {
    expectEqual(Decimal128().stringValue, "0")
    expectEqual((5 as Decimal128).stringValue, "5")
    expectEqual((-2.25 as Decimal128).stringValue, "-2.25")
    expectEqual((3.0 as Decimal128).stringValue, "3")
    expectEqual(("1.50" as Decimal128).exactText, "1.50")
    expectEqual(Decimal128(value: "1.50").exactText, "1.50")
    expectEqual(Decimal128(value: 7).stringValue, "7")
    expectEqual(Decimal128(value: 0.1).stringValue, "0.1")
  }

  @Test(arguments: [
    ("1.50", "1.5"), ("-1.0", "-1"), ("100.00", "100"), ("1500", "1500"), ("0.00", "0"),
    ("-0.0", "-0"), ("1E+3", "1E3"), ("10e2", "1E3"), ("1.5e2", "1.5E2"),
    ("1234567890e123", "1.23456789E132"), ("0.0010", "0.001"), ("1.0E-8", "1E-8"),
  ])
  func `The text for people has no zeros at the end of a fraction`(text: String, shown: String)
    throws
  {
    try expectEqual(Decimal128(string: text).stringValue, shown)
  }

  @Test func `Sums and differences are shown as RealmSwift shows them`() {
    expectEqual((("1.234567" as Decimal128) + "9.876543").description, "11.11111")
    expectEqual((("2.5" as Decimal128) - "3.5").description, "-1")
    expectEqual((("1.0" as Decimal128) - "2.0").description, "-1")
    expectEqual((("1.20" as Decimal128) * "1.5").description, "1.8")
  }

  @Test func `NSNumbers of each kind are accepted`() {
    expectEqual(Decimal128(number: 3.14159), "3.14159")
    expectEqual(Decimal128(number: NSNumber(value: Float(1.1))).description, "1.1")
    expectEqual(Decimal128(number: NSNumber(value: Int8(-5))), -5)
    expectEqual(Decimal128(number: NSNumber(value: Int64.min)), "-9223372036854775808")
    expectEqual(Decimal128(number: NSNumber(value: UInt64.max)), "18446744073709551615")
    expectEqual(Decimal128(number: NSDecimalNumber(string: "1.25")), "1.25")
    expectEqual(Decimal128(number: 7), 7)
  }

  @Test func `Numbers have distances`() {
    expectEqual((-123.321 as Decimal128).advanced(by: -123.321), -246.642)
    expectEqual((10.0 as Decimal128).distance(to: 5), -5)
    expectEqual(Array(stride(from: 1 as Decimal128, to: 2, by: 0.25)), [1, 1.25, 1.5, 1.75])
    var number: Decimal128 = -1.5
    number.negate()
    expectEqual(number, 1.5)
  }

  @Test func `Numbers are coded as texts, and decoded from numbers too`() throws {
    let json = Data(#"["1.50", 3, 0.25, "NaN", -0.1]"#.utf8)
    let numbers = try JSONDecoder().decode([Decimal128].self, from: json)
    expectEqual(numbers.map(\.stringValue), ["1.5", "3", "0.25", "NaN", "-0.1"])
    let text = String(decoding: try JSONEncoder().encode(numbers), as: UTF8.self)
    expectEqual(text, #"["1.5","3","0.25","NaN","-0.1"]"#)
    for wrong in [#"["x"]"#, "[null]", "[true]", #"["1E+9999"]"#] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([Decimal128].self, from: Data(wrong.utf8))
      }
    }
  }

  // MARK: Kinds of values

  @Test func `Values know what they are`() {
    expectTrue(Decimal128.nan.isSignaling && Decimal128.nan.isSignalingNaN)
    expectTrue(!Decimal128.max.isSignaling && !Decimal128.infinity.isSignalingNaN)
    expectTrue(Decimal128.nan.isNaN && !Decimal128.nan.isFinite && !Decimal128.nan.isInfinite)
    expectTrue((-Decimal128.infinity).isInfinite && (-Decimal128.infinity).isSignMinus)
    expectTrue(("-0" as Decimal128).isZero && ("-0" as Decimal128).isSignMinus)
    expectTrue(("0E+5" as Decimal128).isZero && !("1E-6176" as Decimal128).isZero)
    expectEqual(Decimal128.max.exactText, "9.999999999999999999999999999999999E+6144")
    expectEqual(Decimal128.min, -Decimal128.max)
    expectEqual(Decimal128.max + Decimal128.max, .infinity)
    expectTrue(("-1.5" as Decimal128).magnitude.stringValue == "1.5" && abs(-2 as Decimal128) == 2)
  }

  @Test(arguments: [
    ("1", 34), ("1.50", 33), ("-2E+3", 34), ("1E-6176", 1), ("1E+6144", 1), ("2E+6110", 34),
    ("9999999999999999999999999999999999", 1), ("NaN", 1), ("-Infinity", 1),
  ])
  func `All texts of equal values are known`(text: String, count: Int) throws {
    let number = try #require(Decimal128(text))
    let texts = try #require(number.equalTexts)
    expectTrue(Set(texts).count == count && texts.count == count)
    expectTrue(texts.contains(number.exactText))
    for other in texts {
      let value = try #require(Decimal128(other))
      expectTrue(value.exactText == other && (value == number || number.isNaN), "\(other)")
    }
  }

  @Test(arguments: ["0", "-0", "0.00", "0E+6111"])
  func `Zero has too many texts`(text: String) { expectNil(Decimal128(text)?.equalTexts) }

  @Test func `Equal numbers are one member of a set`() {
    let ones: [Decimal128] = ["1", "1.0", "1.000000000000000000000000000000000", "10E-1"]
    expectEqual(Set(ones).count, 1)
    expectEqual(Set(["0", "-0", "0E+6000", "0E-6000"] as [Decimal128]).count, 1)
    expectEqual(Set([.infinity, -.infinity, 1, -1, 10] as [Decimal128]).count, 5)
    expectEqual(("1.50" as Decimal128) - 0.5, 1)
  }

  @Test func `All values have an order`() {
    let sorted: [Decimal128] = [
      "-Infinity", "-10", "-1", "-1.0", "-1E-6176", "-0", "0.0", "0", "1E-6176", "1.0", "1",
      "10", "Infinity", "NaN",
    ]
    let texts = sorted.map(\.exactText)
    let again = sorted.reversed().sorted { !$1.isTotallyOrdered(belowOrEqualTo: $0) }
    expectEqual(again.map(\.exactText), texts)
  }

  @Test func `Assignments and sums work as for other numbers`() {
    var price: Decimal128 = 10
    price += 0.1
    price -= 0.05
    price *= 2
    price /= 3
    expectEqual(price, "6.7")
    expectEqual(([0.1, 0.2, 0.3] as [Decimal128]).reduce(.zero, +).stringValue, "0.6")
  }

  // MARK: Other types

  @Test func `Integers of every width convert exactly, or are rounded`() {
    expectEqual(Decimal128(value: Int8.min).stringValue, "-128")
    expectEqual(Decimal128(value: UInt64.max).stringValue, "18446744073709551615")
    expectEqual(Decimal128(value: UInt128.max), "3.402823669209384634633746074317682E+38")
    expectNil(Decimal128(exactly: UInt128.max))
    expectEqual(Decimal128(exactly: Int.min)?.stringValue, "-9223372036854775808")
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0"), (0.1, "0.1"), (1.0, "1"), (100_000, "100000"), (1e22, "1E22"),
    (1 / 3.0, "0.3333333333333333"), (.leastNonzeroMagnitude, "5E-324"), (.nan, "NaN"),
    (-.infinity, "-Infinity"),
  ])
  func `A Double becomes the shortest number that is equal`(value: Double, text: String) {
    expectEqual(Decimal128(value: value).stringValue, text)
  }

  @Test func `Every Double and Float comes back`() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<20_000 {
      let double = Double(bitPattern: random.next())
      if !double.isNaN { expectEqual(Decimal128(value: double).doubleValue, double) }
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      if !float.isNaN { expectEqual(Float(Decimal128(value: float).doubleValue), float) }
    }
    expectEqual(Decimal128(value: Float(1.1)).stringValue, "1.1")
    expectTrue(Decimal128.nan.doubleValue.isNaN)
    expectTrue(Decimal128.max.doubleValue == .infinity && Decimal128.min.doubleValue == -.infinity)
    expectEqual(("-1E-6176" as Decimal128).doubleValue, 0)
  }

  @Test(arguments: [
    "0", "1", "-1.5", "0.1", "1234567890123456789012345678901234", "1E+127", "-1E+127", "1E-128",
    "9.999999999999999999999999999999999E+160", "1.234E-100",
  ])
  func `A Decimal has the same value`(text: String) throws {
    let number = try Decimal128(string: text)
    let decimal = try #require(Decimal(string: text))
    expectEqual(number.decimalValue, decimal)
    expectEqual(Decimal128(value: decimal), number)
  }

  @Test func `A Decimal has less range and more digits`() throws {
    expectTrue(Decimal128.max.decimalValue.isNaN && Decimal128.infinity.decimalValue.isNaN)
    expectTrue(Decimal128.nan.decimalValue.isNaN && Decimal128(value: Decimal.nan).isNaN)
    expectEqual(("1E-6176" as Decimal128).decimalValue, 0)
    expectEqual(("0E+6000" as Decimal128).decimalValue, 0)
    expectTrue(("1E+128" as Decimal128).decimalValue.isNaN)
    expectTrue(("1000E+125" as Decimal128).decimalValue.isNaN)
    expectEqual(("15E-129" as Decimal128).decimalValue, Decimal(string: "2E-128"))
    let long = try #require(Decimal(string: "-12345678901234567890123456789012345678"))
    expectEqual(Decimal128(value: long).stringValue, "-1.234567890123456789012345678901235E37")
  }
}
