import StrataSchema
import TestKit
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
    expectEqual(Array(SQLName.quote(name).utf8), Array(expected.utf8))
  }

  @Test func `A text ends where its last mark stands`() {
    expectEqual("it's \\ '' ;".quoted("'"), "'it''s \\ '''' ;'")
    // To Swift a mark with an accent behind it is another character.
    expectTrue("'\u{301}; DROP".quoted("'").utf8.elementsEqual("'''\u{301}; DROP'".utf8))
  }

  @Test func `Names stand in a list with commas`() {
    expectEqual(SQLName.list(["a", "b\"", "c"]), #""a", "b""", "c""#)
    expectEqual(SQLName.list([]), "")
  }

  @Test func `Only the ASCII letters of a name are folded`() {
    expectEqual(SQLName.folded("AbZ_09Éİ"), "abz_09Éİ")
    expectEqual(SQLName.folded("@[`{"), "@[`{")
  }

  @Test
  func `A name equals only the same bytes, and collides with what SQLite or Swift takes for it`() {
    expectTrue(SQLName.same("a", "a"))
    expectFalse(SQLName.same("a", "A"))
    expectFalse(SQLName.same("\u{E9}", "e\u{301}"))
    expectTrue(SQLName.collide("a", "A"))
    expectTrue(SQLName.collide("\u{E9}", "e\u{301}"))
    expectFalse(SQLName.collide("É", "é"))
    expectFalse(SQLName.collide("a", "b"))
  }

  @Test func `Names are in byte order`() {
    expectTrue(SQLName.precedes("B", "a"))
    expectTrue(SQLName.precedes("a", "aa"))
    expectTrue(SQLName.precedes("z", "é"))
    expectFalse(SQLName.precedes("a", "a"))
  }
}
