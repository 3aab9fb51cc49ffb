import StrataSchema
import Testing

@Suite("A name in SQL")
struct SQLNameTests {
  @Test(
    "is quoted",
    arguments: [
      ("order", #""order""#),
      (#"a"b"#, #""a""b""#),
      ("naïve", #""naïve""#),
      ("e\u{301}", "\"e\u{301}\""),
      ("\"\u{301}", "\"\"\"\u{301}\""),
      ("it's", #""it's""#),
      ("", #""""#),
    ])
  func quoted(name: String, expected: String) {
    #expect(Array(SQLName.quote(name).utf8) == Array(expected.utf8))
  }

  @Test("stands in a list with commas")
  func list() {
    #expect(SQLName.list(["a", "b\"", "c"]) == #""a", "b""", "c""#)
    #expect(SQLName.list([]) == "")
  }

  @Test("is folded in its ASCII letters only")
  func folded() {
    #expect(SQLName.folded("AbZ_09Éİ") == "abz_09Éİ")
    #expect(SQLName.folded("@[`{") == "@[`{")
  }

  @Test("is the same only byte for byte, and meets what SQLite or Swift takes for it")
  func comparison() {
    #expect(SQLName.same("a", "a"))
    #expect(!SQLName.same("a", "A"))
    #expect(!SQLName.same("\u{E9}", "e\u{301}"))
    #expect(SQLName.collide("a", "A"))
    #expect(SQLName.collide("\u{E9}", "e\u{301}"))
    #expect(!SQLName.collide("É", "é"))
    #expect(!SQLName.collide("a", "b"))
  }

  @Test("comes before another in byte order")
  func order() {
    #expect(SQLName.precedes("B", "a"))
    #expect(SQLName.precedes("a", "aa"))
    #expect(SQLName.precedes("z", "é"))
    #expect(!SQLName.precedes("a", "a"))
  }
}
