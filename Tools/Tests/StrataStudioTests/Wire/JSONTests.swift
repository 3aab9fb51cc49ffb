import TestKit
import Testing

@testable import StrataSchema
@testable import StrataStudio

/// JSON that is written with its members in order, and read back unchanged.
@Suite struct JSONTests {
  private func read(_ text: String) throws -> JSONValue { try JSONReader.read(Array(text.utf8)) }

  @Test func `A value is written without spaces, in its order`() {
    let value: JSONValue = [
      "version": 7, "rows": [["id": 15, "values": ["Mia", 99.5, .null, true]]], "a": [:], "b": [],
    ]
    expectEqual(
      value.description,
      #"{"version":7,"rows":[{"id":15,"values":["Mia",99.5,null,true]}],"a":{},"b":[]}"#)
  }

  @Test func `Numbers that a Double changes are texts`() {
    let exact: Int64 = 9_007_199_254_740_992
    expectEqual(JSONValue.int(exact).description, "9007199254740992")
    expectEqual(JSONValue.int(-exact).description, "-9007199254740992")
    expectEqual(JSONValue.int(exact + 1).description, #""9007199254740993""#)
    expectEqual(JSONValue.int(Int64.min).description, #""-9223372036854775808""#)
    expectEqual(JSONValue.int(Int64.max).integer, Int64.max)
    expectEqual(JSONValue.text("-9223372036854775808").integer, Int64.min)
  }

  @Test func `Numbers that JSON lacks are texts, which JavaScript reads`() {
    expectEqual(
      JSONValue.array([.number(.infinity), .number(-.infinity), .number(.nan)]).description,
      #"["Infinity","-Infinity","NaN"]"#)
  }

  @Test func `Texts are escaped where JSON asks for it`() {
    expectEqual(
      JSONValue.text("a\"b\\c\nd\re\tf\u{1}g\u{1F}h</script>ü🐕\u{7F}").description,
      #""a\"b\\c\nd\re\tf\u0001g\u001fh</script>ü🐕"# + "\u{7F}\"")
    expectEqual(JSONValue.text("").description, #""""#)
  }

  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1.5", "-1.5e-300", "1e+20", #""""#, #""ü""#, "[]", "{}",
    "[[],{}]", #"{"a":[1,2,{"b":null}],"":""}"#, "9007199254740993", "-9223372036854775808",
  ])
  func `What is read and written is the same value`(text: String) throws {
    let value = try read(text)
    let again = try JSONReader.read(value.bytes)
    if let integer = value.integer {
      expectEqual(again.integer, integer)
    } else {
      expectEqual(again, value)
    }
  }

  @Test func `Spaces, escapes and pairs of surrogates are read`() throws {
    try expectEqual(
      read(" {\t\"a\" :\r\n[ 1 , \"\\u00fc\\/\\\"\\\\\\b\\f\\n\\r\\t\\uD83D\\uDC15\" ] } "),
      ["a": [1, "ü/\"\\\u{8}\u{C}\n\r\t🐕"]])
    try expectEqual(read("12345678901234567890"), .number(12_345_678_901_234_567_168))
    try expectEqual(read("[1,2]").array, [1, 2])
    // Two forms of one text are two names.
    try expectEqual(read("{\"\u{E9}\":1,\"e\u{301}\":2}").members?.count, 2)
    try expectEqual(read(#"{"a":false}"#)["a"]?.bool, false)
  }

  @Test(arguments: [
    "", " ", "nul", "truefalse", "[1,]", "[1 2]", "{", "[", "{\"a\"}", "{\"a\":1,}", "{a:1}", "01",
    "1.", ".5", "+1", "1e", "--1", "\"a", "\"\n\"", "\"\\x\"", "\"\\u12\"", "\"\\uD83D\"",
    "\"\\uDC15\"", "\"\\uD83D\\u0041\"", "1 2", "1e999", #"{"a":1,"a":2}"#, "NaN", "'a'",
  ])
  func `What is no JSON is refused`(text: String) {
    #expect(throws: JSONProblem.self) { try read(text) }
  }

  @Test func `A text that is no UTF-8 is refused`() {
    #expect(throws: JSONProblem(expected: "a text in UTF-8", offset: 1)) {
      try JSONReader.read([0x22, 0xFF, 0x22])
    }
  }

  @Test func `A number that is too large is told by its start`() {
    let expected = "a number that 64 bits can hold"
    #expect(throws: JSONProblem(expected: expected, offset: 1)) { try read("[1e999]") }
  }

  @Test func `Two hundred levels are read, and no more`() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    try expectEqual(read(nested(200)).array?.count, 1)
    #expect(throws: JSONProblem.self) { try read(nested(202)) }
    #expect(throws: JSONProblem.self) { try read(String(repeating: "[", count: 1_000_000)) }
  }
}
