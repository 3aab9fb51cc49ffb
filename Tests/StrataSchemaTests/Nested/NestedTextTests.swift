import StrataSchema
import TestKit
import Testing

@Suite("The text of a list or a dictionary in an AnyRealmValue")
struct NestedTextTests {
  private static func value(_ stored: StoredValue, _ type: PropertyType) -> NestedValue {
    .value(stored, type)
  }

  private static let singles: [(NestedValue, String)] = [
    (.null, "null"),
    (value(.integer(1), .bool), "true"),
    (value(.integer(0), .bool), "false"),
    (value(.integer(0), .int), "0"),
    (value(.integer(.max), .int), "9223372036854775807"),
    (value(.integer(.min), .int), "-9223372036854775808"),
    (value(.real(1), .double), "1.0"),
    (value(.real(-0.0), .double), "-0.0"),
    (value(.real(1e100), .double), "1e+100"),
    (value(.real(.leastNonzeroMagnitude), .double), "5e-324"),
    (value(.real(.infinity), .double), #"{"$numberDouble":"Infinity"}"#),
    (value(.real(-.infinity), .float), #"{"$numberFloat":"-Infinity"}"#),
    (value(.real(Double(Float(0.1))), .float), #"{"$numberFloat":"0.1"}"#),
    (value(.text("1.50"), .decimal128), #"{"$numberDecimal":"1.50"}"#),
    (value(.text("a\"\\\n\u{1}é😀"), .string), "\"a\\\"\\\\\\n\\u0001é😀\""),
    (value(.text("\0"), .string), #""\u0000""#),
    (
      value(.text("2024-02-29 12:00:00.000000000"), .date),
      #"{"$date":"2024-02-29 12:00:00.000000000"}"#
    ),
    (
      value(.text("507f1f77bcf86cd799439011"), .objectId),
      #"{"$oid":"507f1f77bcf86cd799439011"}"#
    ),
    (
      value(.text("00000000-0000-0000-0000-000000000001"), .UUID),
      #"{"$uuid":"00000000-0000-0000-0000-000000000001"}"#
    ),
    (value(.blob([]), .data), #"{"$binary":{"base64":"","subType":"00"}}"#),
    (value(.blob([0, 1]), .data), #"{"$binary":{"base64":"AAE=","subType":"00"}}"#),
    (.link(className: "Per\"son", row: 5), #"{"$ref":"Per\"son","$id":5}"#),
    (.list([]), "[]"),
    (.dictionary([]), "{}"),
  ]

  @Test(arguments: singles)
  func `Each value has one text, and is read from it`(value: NestedValue, text: String) throws {
    expectEqual(NestedValue.list([value]).text, "[\(text)]")
    try expectEqual(NestedValue(text: "[\(text)]"), .list([value]))
    let dictionary = NestedValue.dictionary([NestedEntry(key: "a", value: value)])
    expectEqual(dictionary.text, "{\"a\":\(text)}")
    try expectEqual(NestedValue(text: " { \"a\" :\n\(text) } "), dictionary)
  }

  @Test func `A number that is none is written, and read as none`() throws {
    let list = NestedValue.list([.value(.real(.nan), .double)])
    expectEqual(list.text, #"[{"$numberDouble":"NaN"}]"#)
    guard case .list(let items) = try NestedValue(text: list.text),
      case .value(.real(let number), .double)? = items.first
    else {
      Issue.record("The list has no number.")
      return
    }
    expectTrue(number.isNaN)
  }

  @Test(arguments: 0...8)
  func `Bytes of each length are read as they were`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ 200) }
    let list = NestedValue.list([.value(.blob(bytes), .data)])
    try expectEqual(NestedValue(text: list.text), list)
  }

  @Test(arguments: ["A", "====", "A===", "A=AA", "AA=A", "AA==AAAA", "A AA"])
  func `Bytes that are cut off, or go on after their end, are refused`(text: String) {
    expectNil(Base64.decode(text.utf8))
  }

  @Test func `Keys are written in their order, and those with a dollar sign can't be mistaken`()
    throws
  {
    let value = NestedValue.dictionary(unordered: [
      NestedEntry(key: "b", value: .null), NestedEntry(key: "$ref", value: .null),
      NestedEntry(key: "a.b", value: .null), NestedEntry(key: "$$", value: .null),
      NestedEntry(key: "", value: .null), NestedEntry(key: "b", value: .list([])),
    ])
    expectEqual(value.text, #"{"":null,"$$$":null,"$$ref":null,"a.b":null,"b":[]}"#)
    try expectEqual(NestedValue(text: value.text), value)
  }

  @Test func `Characters may be escaped in each way of JSON`() throws {
    try expectEqual(
      NestedValue(text: #"["\u00e9\ud83d\ude00\/\b\f\r\t"]"#),
      .list([.value(.text("é😀/\u{8}\u{C}\r\t"), .string)]))
    try expectEqual(
      NestedValue(text: #"[{"$numberLong":"5"}]"#), .list([.value(.integer(5), .int)]))
  }

  @Test(arguments: [
    "", "[", "[1", "[1,]", "[1}", "{\"a\"}", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "[1] 2", "[01x]",
    "[nul]", "[007]", "[1.]", "[.5]", "[+1]", "[1e]",
    "[\"a]", #"["\x"]"#, #"["\ud83d"]"#, #"["\ude00"]"#, #"["\u12"]"#, "[\"\n\"]",
    "[9223372036854775808]", "[1e999]", "[-]", #"{"$what":1}"#, #"{"a":1,"$oid":"x"}"#,
    #"[{"$ref":"A"}]"#, #"[{"$ref":"A","$id":"1"}]"#, #"[{"$ref":"A","$id":1,"b":2}]"#,
    #"[{"$numberFloat":"x"}]"#, #"[{"$binary":{"base64":"A","subType":"00"}}]"#,
    #"[{"$binary":{"base64":"====","subType":"00"}}]"#,
  ])
  func `A damaged text is refused`(text: String) {
    #expect(throws: JSONProblem.self) { try NestedValue(text: text) }
    expectNil(NestedValue(.text(text), typeName: "list"))
  }

  @Test func `A hundred levels are read, and more are refused, however many`() throws {
    func text(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    try expectEqual(NestedValue(text: text(100)).levels, 100)
    #expect(throws: JSONProblem.self) { try NestedValue(text: text(101)) }
    #expect(throws: JSONProblem.self) { try NestedValue(text: text(1_000_000)) }
    let deep = String(repeating: "{\"a\":", count: 101) + "1" + String(repeating: "}", count: 101)
    #expect(throws: JSONProblem.self) { try NestedValue(text: deep) }
  }

  @Test func `An object is named by the key of another one a hundred times at most`() throws {
    func read(_ times: Int) throws -> NestedValue {
      let text =
        String(repeating: #"{"$ref":"A","$key":"#, count: times) + "1"
        + String(repeating: "}", count: times)
      return try NestedValue(exchanged: text, maxLevels: 100) { _, _ in 7 }
    }
    try expectEqual(read(100), .link(className: "A", row: 7))
    #expect(throws: JSONProblem.self) { try read(102) }
    #expect(throws: JSONProblem.self) { try read(100_000) }
  }

  @Test func `The column of types must name the collection that the text is`() {
    expectEqual(NestedValue(.text("[]"), typeName: "list"), .list([]))
    expectNil(NestedValue(.text("[]"), typeName: "dictionary"))
    expectNil(NestedValue(.text("1"), typeName: "list"))
    expectNil(NestedValue(.integer(1), typeName: "list"))
    expectNil(NestedValue(.text("[]"), typeName: "string"))
  }

  @Test func `A path leads to one value, to none, or to each of a collection`() throws {
    let value = try NestedValue(text: #"{"a":[1,[2,3]],"b":{"c":4}}"#)
    func texts(_ steps: NestedStep...) -> [String] { value.values(at: steps).map(\.text) }
    expectEqual(texts(.key("a"), .index(0)), ["1"])
    expectEqual(texts(.key("a"), .index(1), .index(1)), ["3"])
    expectEqual(texts(.key("a"), .index(2)), [])
    expectEqual(texts(.index(0)), [])
    expectEqual(texts(.any), ["[1,[2,3]]", #"{"c":4}"#])
    expectEqual(texts(.any, .any), ["1", "[2,3]", "4"])
    let path = NestedPath([.index(3), .key("$a\""), .any])
    expectEqual(NestedPath(text: path.text), path)
    expectNil(NestedPath(text: "{}"))
  }

  @Test func `Links are replaced wherever they are`() throws {
    let value = try NestedValue(text: #"{"a":[{"$ref":"A","$id":1}],"b":{"$ref":"B","$id":2}}"#)
    let renamed = value.mapLinks { name, row in
      name == "A" ? .link(className: "C", row: row) : .null
    }
    expectEqual(renamed.text, #"{"a":[{"$ref":"C","$id":1}],"b":null}"#)
  }
}
