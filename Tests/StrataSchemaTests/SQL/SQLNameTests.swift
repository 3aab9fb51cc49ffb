import StrataSchema
import Testing

@Suite("A name in SQL")
struct SQLNameTests {
  @Test(
    arguments: [
      ("order", #""order""#),
      (#"a"b"#, #""a""b""#),
      ("naïve", #""naïve""#),
      ("e\u{301}", "\"e\u{301}\""),
      ("\"\u{301}", "\"\"\"\u{301}\""),
      ("it's", #""it's""#),
      ("", #""""#),
    ])
  func `A name is quoted`(name: String, expected: String) {
    #expect(Array(SQLName.quote(name).utf8) == Array(expected.utf8))
  }

  @Test func `A text ends where its last mark stands`() {
    #expect("it's \\ '' ;".quoted("'") == "'it''s \\ '''' ;'")
    // To Swift a mark with an accent behind it is another character.
    #expect("'\u{301}; DROP".quoted("'").utf8.elementsEqual("'''\u{301}; DROP'".utf8))
  }

  @Test func `Names stand in a list with commas`() {
    #expect(SQLName.list(["a", "b\"", "c"]) == #""a", "b""", "c""#)
    #expect(SQLName.list([]) == "")
  }

  @Test func `Only the ASCII letters of a name are folded`() {
    #expect(SQLName.folded("AbZ_09Éİ") == "abz_09Éİ")
    #expect(SQLName.folded("@[`{") == "@[`{")
  }

  @Test
  func `A name equals only the same bytes, and collides with what SQLite or Swift takes for it`() {
    #expect(SQLName.same("a", "a"))
    #expect(!SQLName.same("a", "A"))
    #expect(!SQLName.same("\u{E9}", "e\u{301}"))
    #expect(SQLName.collide("a", "A"))
    #expect(SQLName.collide("\u{E9}", "e\u{301}"))
    #expect(!SQLName.collide("É", "é"))
    #expect(!SQLName.collide("a", "b"))
  }

  @Test func `Names are in byte order`() {
    #expect(SQLName.precedes("B", "a"))
    #expect(SQLName.precedes("a", "aa"))
    #expect(SQLName.precedes("z", "é"))
    #expect(!SQLName.precedes("a", "a"))
  }
}
