import Foundation
import StrataSchema
import StrataStorage
import TestKit
import Testing

@testable import StrataCommand

/// The values of twins, without a file.
@Suite struct TwinValuesTests {
  private func text(_ text: String, seed: UInt64 = 7) -> String {
    String(decoding: TwinValues.make(seed: seed).text(Array(text.utf8)), as: UTF8.self)
  }

  /// The class of each character, as an image must have it.
  private func shape(_ text: String) -> [String] {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "a"..."z": "lower"
      case "A"..."Z": "upper"
      case "0"..."9": "digit"
      case "\0"..."\u{7F}": "\(scalar)"
      default: "\(scalar.utf8.count) \(scalar.properties.generalCategory)"
      }
    }
  }

  // MARK: Texts

  @Test(arguments: [
    "Ines Duarte", "ines.duarte@example.com", "+351 (21) 555-0142", "7 Quay Street",
    "Žofie Nováková", "Ирина Петровна", "山田太郎", "김철수", "naïve e\u{301}tude", "👩‍👧 family", "ÀÉÎ",
    "tab\there\nline",
    "The quick brown fox jumps over the lazy dog, and over 12 others, again and again.",
  ])
  func `A text keeps its length and the class of each character`(original: String) {
    let image = text(original)
    expectEqual(image.utf8.count, original.utf8.count, "\(image)")
    expectEqual(shape(image), shape(original), "\(image)")
    expectFalse(image.utf8.elementsEqual(original.utf8))
    expectEqual(text(original), image)
    expectFalse(text(original, seed: 8).utf8.elementsEqual(image.utf8))
  }

  @Test(arguments: ["", "a", "ab", "NO", "7", "é", "   ", " \n\t"])
  func `Short texts and spaces stay`(original: String) {
    expectEqual(text(original), original)
  }

  @Test func `Punctuation stays beside letters, and is replaced alone`() {
    expectTrue(text("a-b!c").wholeMatch(of: /[a-z]-[a-z]![a-z]/) != nil)
    let image = text("-?-!")
    expectEqual(image.utf8.count, 4)
    expectTrue(image != "-?-!")
    expectTrue(image.unicodeScalars.allSatisfy { !$0.properties.isAlphabetic })
  }

  @Test func `Different texts stay different, and none of them is an image`() {
    var random = SplitMix64(seed: 1)
    var originals: Set<[UInt8]> = []
    while originals.count < 3000 {
      let length = Int.random(in: 3...6, using: &random)
      let alphabet = Array((random.percent(50) ? "abcdefgh" : "ABc19 é").unicodeScalars)
      var text = String.UnicodeScalarView()
      for _ in 0..<length { text.append(alphabet.randomElement(using: &random) ?? "a") }
      originals.insert(Array(String(text).utf8))
    }
    let values = TwinValues.make { values in originals.forEach { _ = values.text($0) } }
    let images = originals.sorted { $0.lexicographicallyPrecedes($1) }.map {
      (original: $0, image: values.text($0))
    }
    expectEqual(Set(images.map(\.image)).count, originals.count)
    for (original, image) in images {
      expectEqual(image.count, original.count)
      expectEqual(
        shape(String(decoding: image, as: UTF8.self)),
        shape(String(decoding: original, as: UTF8.self)))
      let canChange = original.contains { $0 > 0x2F }
      expectTrue(image != original || !canChange, "\(original)")
    }
    // Half of all texts of three letters would be there; all others find a free image.
    let found = images.filter { originals.contains($0.image) && $0.original != $0.image }
    expectTrue(found.count < 100, "\(found.count)")
    expectTrue(found.allSatisfy { $0.image.count <= 4 })
  }

  @Test func `Where a class has room, no image is an original`() {
    let originals = (0..<4000).map { Array("\(["Ann", "Bob", "Cas"][$0 % 3])\($0 * 7)x".utf8) }
    let values = TwinValues.make { values in originals.forEach { _ = values.text($0) } }
    let images = originals.map { values.text($0) }
    expectEqual(Set(images).count, Set(originals).count)
    expectTrue(Set(images).isDisjoint(with: originals))
  }

  @Test func `Bytes that aren't UTF-8 stay, and stop nothing`() {
    var random = SplitMix64(seed: 2)
    let values = TwinValues.make()
    expectEqual(values.text([0xFF, 0x61, 0xC3, 0x62, 0x00, 0x63]).count, 6)
    expectEqual(values.text([0xFF, 0xFE, 0xFD]), [0xFF, 0xFE, 0xFD])
    let types = PropertyType.allCases.map(Optional.some) + [nil]
    for _ in 0..<3000 {
      let count = Int.random(in: 0..<40, using: &random)
      let bytes = (0..<count).map { _ in
        random.percent(50) ? UInt8.random(in: 0x20...0x7E, using: &random) : random.next()
      }
      let type = types.randomElement(using: &random) ?? nil
      guard case .text(let image) = values.value(.text(bytes), type) else {
        Issue.record("\(bytes)")
        continue
      }
      expectEqual(image.count, bytes.count)
      _ = values.any(.text(bytes), typeName: type?.rawValue ?? "list")
      guard case .blob(let data) = values.value(.blob(bytes), type) else {
        Issue.record("\(bytes)")
        continue
      }
      expectEqual(data.count, bytes.count)
      expectTrue(data != bytes || count <= 2)
    }
  }

  @Test func `Data stay different`() {
    let originals = (0..<2000).map { [UInt8($0 & 0xFF), UInt8($0 >> 8), 9] }
    let values = TwinValues.make { values in originals.forEach { _ = values.data($0) } }
    let images = Set(originals.map(values.data))
    expectEqual(images.count, originals.count)
    expectTrue(images.isDisjoint(with: originals))
    expectEqual(values.data([]), [])
    expectEqual(values.data([1, 2]), [1, 2])
    expectEqual(values.data([UInt8](repeating: 0, count: 1001)).count, 1001)
  }

  // MARK: Identifiers and dates

  @Test func `A UUID keeps its version, its variant and its case`() {
    for _ in 0..<200 {
      let original = UUID().uuidString
      let image = String(
        decoding: TwinValues.make().uuid(Array(original.utf8)) ?? [], as: UTF8.self)
      expectTrue(UUID(uuidString: image) != nil)
      expectTrue(image != original)
      expectEqual(image, image.uppercased())
      expectEqual(Array(image)[14], "4")
      expectTrue("89AB".contains(Array(image)[19]))
      // In a property of texts, it is the same one.
      expectEqual(text(original), image)
      expectEqual(text(original.lowercased()), image.lowercased())
    }
    let zero = "00000000-0000-0000-0000-000000000000"
    expectEqual(TwinValues.make().uuid(Array(zero.utf8)), Array(zero.utf8))
    expectNil(TwinValues.make().uuid(Array("no UUID".utf8)))
  }

  @Test func `The times of object ids keep their order`() {
    let originals = (0..<100).map { "\(String(0x6500_0000 + $0 * 50, radix: 16))00112233aabbccdd" }
    let images = originals.map {
      String(decoding: TwinValues.make().objectId(Array($0.utf8)) ?? [], as: UTF8.self)
    }
    expectEqual(images.sorted(), images)
    expectTrue(Set(images).isDisjoint(with: originals))
    expectTrue(images.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{24}/) != nil })
    expectEqual(text(originals[3]), images[3])
  }

  @Test func `All dates move by one distance, and keep their form`() throws {
    let values = TwinValues.make()
    func moved(_ text: String) -> String? {
      values.date(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
    let distance = Double(values.dateDistance)
    expectTrue((31_536_000..<290_000_000).contains(values.dateDistance))
    expectTrue(values.dateDistance % 60 != 0)
    var random = SplitMix64(seed: 3)
    for _ in 0..<2000 {
      // After 2018, each moved date has a text of its own that reads back equal.
      let date = Date(
        timeIntervalSinceReferenceDate: Double.random(in: 536_870_912..<1e9, using: &random))
      let text = try #require(DateText.encode(date))
      let image = try #require(moved(text))
      expectEqual(image.utf8.count, text.utf8.count)
      let result = try #require(DateText.decode(image))
      expectEqual(result.timeIntervalSince(date), -distance)
      expectEqual(DateText.encode(result), image)
    }
    for text in ["2024-02-29", "2024-02-29 12:30", "2024-02-29T12:30:05Z", "2024-02-29 12:30:05.5"]
    {
      let image = try #require(moved(text))
      expectEqual(image.map { $0.isNumber }, text.map { $0.isNumber })
      expectTrue(DateText.decode(image) != nil, "\(image)")
      expectTrue(image != text)
    }
    for text in [
      "1970-01-01 00:00:00.000000000", "0000-12-30 00:00:00.000000000",
      "4001-01-01 00:00:00.000000000",
    ] { expectEqual(moved(text), text) }
    // The years are a circle.
    try expectTrue(#require(moved("0000-01-01 00:00:00.000000000")).hasPrefix("999"))
    expectNil(moved("yesterday"))
    expectNil(moved("2024-13-01"))
  }
}
