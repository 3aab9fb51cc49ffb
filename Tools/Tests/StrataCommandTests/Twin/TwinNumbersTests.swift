import StrataSchema
import TestKit
import Testing

@testable import StrataCommand

/// The numbers of twins, without a file.
@Suite struct TwinNumbersTests {
  @Test func `Integers keep sign, first digit and number of digits`() {
    var random = SplitMix64(seed: 1)
    let originals = Set(
      (0..<4000).map { _ in
        Int64(bitPattern: random.next()) >> Int64.random(in: 0..<57, using: &random)
      })
    let values = TwinValues.make { values in originals.forEach { _ = values.int($0) } }
    var images: Set<Int64> = []
    for original in originals.sorted() {
      let image = values.int(original)
      images.insert(image)
      expectEqual(String(image).utf8.count, String(original).utf8.count)
      let start = original < 0 ? 2 : 1
      expectEqual(String(image).prefix(start), String(original).prefix(start))
      expectEqual(image == original, original.magnitude < 100, "\(original)")
      expectEqual(values.int(0 &- original), 0 &- image)
    }
    expectEqual(images.count, originals.count)
  }

  @Test func `Short and extreme integers stay`() {
    for number: Int64 in [0, 1, -1, 99, -99, .max, .min] {
      expectEqual(TwinValues.make().int(number), number)
    }
    for number: Int64 in [100, -100, .max - 1000, .min + 1000] {
      expectTrue(TwinValues.make().int(number) != number)
    }
    // None is beyond the range.
    for number in 0..<2000 {
      let original = Int64.max - Int64(number) * 1_000_003_000_000
      expectTrue(TwinValues.make().int(original) > 7_000_000_000_000_000_000)
    }
  }

  @Test func `Where all numbers of a class are there, they are permuted`() {
    let originals = Array(Int64(100)...999)
    let values = TwinValues.make { values in originals.forEach { _ = values.int($0) } }
    let images = originals.map(values.int)
    expectEqual(Set(images), Set(originals))
    for (original, image) in zip(originals, images) {
      expectTrue(original != image)
      expectEqual(original / 100, image / 100)
    }
  }

  @Test func `Where there is room, no number is an original`() {
    let originals = (0..<3000).map { Int64(100_000 + $0 * 300) }
    let values = TwinValues.make { values in originals.forEach { _ = values.int($0) } }
    let images = originals.map(values.int)
    expectEqual(Set(images).count, originals.count)
    expectTrue(Set(images).isDisjoint(with: originals))
  }

  @Test func `Prices stay prices`() {
    let originals = (100..<9000).map { Double($0) / 100 }
    let values = TwinValues.make { values in originals.forEach { _ = values.double($0) } }
    for original in originals {
      let image = values.double(original)
      expectEqual(image.description.count, original.description.count, "\(original) \(image)")
      expectEqual(image.description.first, original.description.first)
    }
    expectEqual(Set(originals.map(values.double)).count, originals.count)
    expectEqual(values.double(-19.99), -values.double(19.99))
    expectTrue(values.double(100) != 100)
    expectEqual(values.double(250).rounded(), values.double(250))
  }

  @Test func `Short, extreme and infinite numbers with a point stay, or are in range`() {
    let values = TwinValues.make()
    for number: Double in [0.0, 2.5, -0.1, 40, 1e20, .infinity, -.infinity, .leastNonzeroMagnitude]
    {
      expectEqual(values.double(number), number)
    }
    expectEqual(values.double(-0.0).sign, .minus)
    expectTrue(values.double(.nan).isNaN)
    let greatest = Double.greatestFiniteMagnitude
    for number: Double in [greatest, -greatest, 1 / 3, .pi * 1e100] {
      let image = values.double(number)
      expectTrue(image.isFinite && image != number)
      expectEqual(image.exponent, number.exponent)
    }
    expectTrue(values.float(.greatestFiniteMagnitude).isFinite)
    expectEqual(values.float(-.infinity), -.infinity)
  }

  @Test func `Different numbers of any bits stay different`() {
    var random = SplitMix64(seed: 2)
    var doubles: Set<Double> = []
    var floats: Set<Float> = []
    while floats.count < 2000 {
      let double = Double(bitPattern: random.next())
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()) >> 4 | 0x3F00_0000)
      if double.isFinite { doubles.insert(double) }
      doubles.insert(Double(Int.random(in: 0..<1_000_000, using: &random)) / 1000)
      floats.insert(float)
      floats.insert(Float(Int.random(in: 0..<10_000, using: &random)) / 100)
    }
    let values = TwinValues.make { values in
      doubles.forEach { _ = values.double($0) }
      floats.forEach { _ = values.float($0) }
    }
    let (images, singles) = (doubles.map(values.double), floats.map(values.float))
    expectEqual(Set(images).count, doubles.count)
    expectEqual(Set(singles).count, floats.count)
    for (original, image) in zip(doubles, images) where original.isNormal {
      expectTrue(image.isNormal)
      expectEqual(image.sign, original.sign)
    }
    // Values of a float property have single precision.
    for original in floats {
      guard case .real(let image) = values.value(.real(Double(original)), .float) else {
        Issue.record("\(original)")
        continue
      }
      expectEqual(Double(Float(image)), image)
    }
  }

  @Test(arguments: [
    "1.50", "-9.999999999999999999999999999999999E+6144", "1E-6176", "0.001250", "-0", "1E+3",
    "123456", "NaN", "Infinity", "-Infinity", "1234567890.1234567890",
  ])
  func `A decimal number keeps its form`(original: String) throws {
    let values = TwinValues.make()
    let image = String(
      decoding: try #require(values.decimal(Array(original.utf8))), as: UTF8.self)
    expectEqual(image.utf8.count, original.utf8.count)
    let digits = original.prefix { $0 != "E" }.drop { "-0.".contains($0) }.filter(\.isNumber)
    expectEqual(image != original, digits.count > 2, "\(image)")
    expectEqual(image.map(\.isNumber), original.map(\.isNumber))
    expectEqual(image.drop { $0 != "E" }, original.drop { $0 != "E" })
  }

  @Test(arguments: ["", "1.2.3", "1E", "ten", "-", "1e5x", ".5"])
  func `A text that is no number isn't taken for one`(text: String) {
    expectNil(TwinValues.make().decimal(Array(text.utf8)))
  }

  // MARK: Values of any type

  @Test func `JSON keeps its structure, its links and its types`() throws {
    let text =
      #"{"$$ref":[1,1234,true,null,2.5,19.99],"name of it":{"$ref":"Person","$id":1234},"#
      + #""z":{"$date":"2024-02-29 12:00:00.000000000"},"zz":{"$binary":{"base64":"AAECAw==","subType":"00"}}}"#
    guard
      case .text(let bytes) = TwinValues.make().any(.text(Array(text.utf8)), typeName: "dictionary")
    else {
      Issue.record("no text")
      return
    }
    let image = String(decoding: bytes, as: UTF8.self)
    expectEqual(bytes.count, text.utf8.count, "\(image)")
    let value = try NestedValue(text: image)
    guard case .dictionary(let entries) = value else {
      Issue.record("\(image)")
      return
    }
    expectEqual(entries.count, 4)
    let link = entries.first {
      if case .link = $0.value { true } else { false }
    }
    expectEqual(link?.value, .link(className: "Person", row: 1234))
    expectTrue(link?.key != "name of it")
    expectFalse(image.contains("1234,"))
    expectFalse(image.contains("19.99"))
    expectTrue(image.contains(",true,null,2.5,"))
  }

  @Test func `The type of a value decides, unless the value can't have it`() {
    let values = TwinValues.make()
    expectEqual(values.any(.integer(1234), typeName: "<Person>"), .integer(1234))
    expectEqual(values.any(.integer(1234), typeName: "int"), .integer(values.int(1234)))
    expectEqual(values.any(.integer(1), typeName: "bool"), .integer(1))
    expectEqual(values.any(.null, typeName: nil), .null)
    let broken = Array("{not JSON".utf8)
    expectEqual(values.any(.text(broken), typeName: "list"), .text(values.text(broken)))
    expectEqual(values.value(.text(broken), .date), .text(values.text(broken)))
    expectEqual(values.value(.integer(1234), .object), .integer(1234))
    let known = TwinValue.text(Array("<Person>".utf8))
    expectEqual(values.typeName(known, classNames: ["Person"]), known)
    expectTrue(values.typeName(known, classNames: []) != known)
    expectEqual(
      values.typeName(.text(Array("object id".utf8)), classNames: []),
      .text(Array("object id".utf8)))
  }
}
