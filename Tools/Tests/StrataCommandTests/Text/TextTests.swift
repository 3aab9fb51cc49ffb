import Foundation
import StrataSchema
import StrataStudio
import TestKit
import Testing

@testable import StrataCommand

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("Ada", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("ｱ", 1), ("Ａ", 2),
    ("👩‍👩‍👧", 2), ("❤️", 2), ("❤", 1), ("🇵🇹", 2), ("\u{200B}", 0), ("→", 1),
  ])
  func `A text takes as many columns as a terminal gives it`(text: String, width: Int) {
    expectEqual(DisplayWidth.of(text), width)
  }
}

@Suite struct PlainTextTests {
  @Test(arguments: [
    ("Ada Lovelace", "Ada Lovelace"), ("naïve 日本 👩‍👩‍👧", "naïve 日本 👩‍👩‍👧"),
    ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("\u{1B}[2J", "\\u{1B}[2J"), ("\u{0}", "\\u{0}"),
    ("\u{9B}31m", "\\u{9B}31m"), ("\u{202E}abc", "\\u{202E}abc"), ("a\u{2028}b", "a\\u{2028}b"),
    ("\u{200B}", "\\u{200B}"),
  ])
  func `What a terminal would act on is shown as Swift writes it`(text: String, shown: String) {
    expectEqual(PlainText.of(text), shown)
  }
}

@Suite struct TextTableTests {
  private func table(_ rows: [[String]]) -> [String] {
    TextTable(columns: [.init("class"), .init("objects", .right), .init("notes")], rows: rows).lines
  }

  @Test func `Columns are as wide as their widest cell, and numbers end below each other`() {
    expectEqual(
      table([["Person", "12", "a"], ["Address", "1,204", "b"]]),
      [
        "class    objects  notes",
        "-------  -------  -----",
        "Person        12  a",
        "Address    1,204  b",
      ])
  }

  @Test func `Wide characters take two columns`() {
    expectEqual(
      table([["日本語", "1", "x"], ["e\u{301}", "2", "y"]]),
      [
        "class   objects  notes", "------  -------  -----", "日本語        1  x",
        "e\u{301}             2  y",
      ])
  }

  @Test func `A long cell moves its own row only, and is never cut`() {
    let long = String(repeating: "x", count: 41)
    expectEqual(
      table([["Dog", "1", "a"], [long, "2", "b"]]),
      [
        "class  objects  notes", "-----  -------  -----", "Dog          1  a",
        "\(long)        2  b",
      ])
  }

  @Test func `A column without text is left out, and no line ends with spaces`() {
    expectEqual(
      table([["Dog", "1", ""], ["Person", "", ""]]),
      [
        "class   objects", "------  -------", "Dog           1", "Person",
      ])
  }

  @Test func `A name with a line break keeps the table in its lines`() {
    expectEqual(table([["a\nb", "1", "c"]]).count, 3)
  }

  @Test func `Facts without a text are left out`() {
    expectEqual(
      FactList.lines([("size", "1 byte"), ("encrypted", nil), ("schema version", "3")]),
      [
        "size            1 byte", "schema version  3",
      ])
  }
}

@Suite struct CellTextTests {
  @Test(
    arguments: [
      ("int", .int(1 << 62), "4611686018427387904"), ("double", .number(.infinity), "inf"),
      ("double", 1.5, "1.5"), ("bool", true, "true"), ("string", "true", "true"),
      ("date", "2024-02-29 12:00:00.500000000", "2024-02-29 12:00:00.5"),
      ("data", ["bytes": 2, "start": "0102"], "2 bytes"),
    ] as [(String, JSONValue, String)])
  func `A value in an AnyRealmValue is shown as in a property of its type`(
    type: String, value: JSONValue, shown: String
  ) throws {
    let property = Property(name: "a", type: try #require(PropertyType(rawValue: type)))
    expectEqual(CellText.of(value, property), shown)
    let mixed: JSONValue = ["type": .text(type), "value": value]
    expectEqual(CellText.of(mixed, Property(name: "a", type: .any)), shown)
  }
}

@Suite struct FiguresTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
    (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func `A count has a comma at each thousand`(number: Int, text: String) {
    expectEqual(Figures.count(number), text)
  }

  @Test func `What is counted follows the count`() {
    expectEqual(Figures.count(1, "class", "classes"), "1 class")
    expectEqual(Figures.count(2, "class", "classes"), "2 classes")
    expectEqual(Figures.count(0, "object"), "0 objects")
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (45_056, "45.1 kB"),
    (999_949, "999.9 kB"), (999_950, "1.0 MB"), (12_345_678_901, "12.3 GB"), (Int.max, "9.2 EB"),
  ])
  func `A size has a unit in which it is short`(number: Int, text: String) {
    expectEqual(Figures.bytes(number), text)
  }

  @Test(arguments: [
    (Duration.zero, "0.0 s"), (.milliseconds(12), "0.012 s"), (.milliseconds(3_440), "3.4 s"),
    (.seconds(125), "2 min 5 s"), (.seconds(1e12), "16,666,666,666 min 40 s"),
  ])
  func `A duration is as exact as it is short`(duration: Duration, text: String) {
    expectEqual(Figures.duration(duration), text)
  }

  @Test func `Times are those of UTC`() {
    let date = Date(timeIntervalSince1970: 1_795_280_400)
    expectEqual(Figures.time(date), "2026-11-21 17:00:00 UTC")
    expectEqual(Figures.iso(date), "2026-11-21T17:00:00Z")
  }
}

@Suite struct JSONValueTests {
  @Test func `Keys keep their order, and nothing depends on the run`() {
    let value: JSONValue = [
      "b": .int(1), "a": .array([.bool(true), .null]), "empty": .array([]), "none": .object([]),
    ]
    expectEqual(
      value.indented,
      """
      {
        "b": 1,
        "a": [
          true,
          null
        ],
        "empty": [],
        "none": {}
      }
      """)
  }

  @Test(arguments: [
    "\"\\/", "a\nb\r\t", "\u{0}\u{1B}\u{7F}\u{9B}", "\u{2028}\u{202E}\u{2066}", "日本 👩‍👩‍👧", "e\u{301}",
  ])
  func `Every text comes back from another reader of JSON`(text: String) throws {
    let json = JSONValue.array([.text(text)]).indented
    let read = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String]
    expectEqual(read?.first.map { Array($0.unicodeScalars) }, Array(text.unicodeScalars))
    expectFalse(json.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
  }

  @Test func `Numbers keep their digits, as texts where programs would round them`() {
    expectEqual(JSONValue.unsigned(.max).indented, "\"18446744073709551615\"")
    expectEqual(JSONValue.int(Int64.min).indented, "\"-9223372036854775808\"")
    expectEqual(JSONValue.int(1 << 53).indented, "9007199254740992")
    expectEqual(JSONValue.number(0.125).indented, "0.125")
    expectEqual(JSONValue.number(.nan).indented, "\"NaN\"")
  }
}
