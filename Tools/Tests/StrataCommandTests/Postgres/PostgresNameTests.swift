import Testing

@testable import StrataCommand

/// Names that PostgreSQL can hold.
@Suite struct PostgresNameTests {
  @Test func `A name of 63 bytes stays, and a longer one keeps its beginning`() {
    let longest = String(repeating: "a", count: 63)
    #expect(PostgresName.shortened(longest) == longest)
    let short = PostgresName.shortened(longest + "b")
    #expect(short.utf8.count == 63)
    #expect(short.hasPrefix(String(repeating: "a", count: 54) + "_"))
    #expect(short != PostgresName.shortened(longest + "c"))
  }

  @Test func `No character is cut in two`() {
    let short = PostgresName.shortened(String(repeating: "é", count: 40))
    #expect(short.hasPrefix(String(repeating: "é", count: 27) + "_"))
    #expect(short.utf8.count == 63)
    let wide = PostgresName.shortened(String(repeating: "日", count: 30))
    #expect(wide.utf8.count == 63)
    #expect(!wide.contains("\u{FFFD}"))
    #expect(PostgresName.prefix(of: "日本", bytes: 5) == "日")
  }

  @Test func `Names that are taken get a number, also at the longest`() {
    var names = PostgresNames()
    #expect(names.take("a") == "a")
    #expect(names.take("A") == "A")
    #expect(names.take("a") == "a_2")
    #expect(names.take("a") == "a_3")
    let longest = String(repeating: "x", count: 63)
    #expect(names.take(longest) == longest)
    #expect(names.take(longest) == String(repeating: "x", count: 61) + "_2")
  }

  @Test func `Names that are the same to Swift only stay as they are`() {
    var names = PostgresNames()
    #expect(names.take("\u{E9}").utf8.count == 2)
    #expect(names.take("e\u{301}").utf8.count == 3)
  }

  @Test func `PostgreSQL keeps its own names`() {
    var names = PostgresNames(reserved: PostgresName.systemColumns)
    #expect(names.take("ctid") == "ctid_2")
    #expect(names.take("CTID") == "CTID")
    #expect(names.take("pg_class") == "_pg_class")
    #expect(names.take("_pg_class") == "_pg_class_2")
  }
}
