import TestKit
import Testing

@testable import StrataCommand

/// Names that PostgreSQL can hold.
@Suite struct PostgresNameTests {
  @Test func `A name of 63 bytes stays, and a longer one keeps its beginning`() {
    let longest = String(repeating: "a", count: 63)
    expectEqual(PostgresName.shortened(longest), longest)
    let short = PostgresName.shortened(longest + "b")
    expectEqual(short.utf8.count, 63)
    expectTrue(short.hasPrefix(String(repeating: "a", count: 54) + "_"))
    expectTrue(short != PostgresName.shortened(longest + "c"))
  }

  @Test func `No character is cut in two`() {
    let short = PostgresName.shortened(String(repeating: "é", count: 40))
    expectTrue(short.hasPrefix(String(repeating: "é", count: 27) + "_"))
    expectEqual(short.utf8.count, 63)
    let wide = PostgresName.shortened(String(repeating: "日", count: 30))
    expectEqual(wide.utf8.count, 63)
    expectFalse(wide.contains("\u{FFFD}"))
    expectEqual(PostgresName.prefix(of: "日本", bytes: 5), "日")
  }

  @Test func `Names that are taken get a number, also at the longest`() {
    var names = PostgresNames()
    expectEqual(names.take("a"), "a")
    expectEqual(names.take("A"), "A")
    expectEqual(names.take("a"), "a_2")
    expectEqual(names.take("a"), "a_3")
    let longest = String(repeating: "x", count: 63)
    expectEqual(names.take(longest), longest)
    expectEqual(names.take(longest), String(repeating: "x", count: 61) + "_2")
  }

  @Test func `Names that are the same to Swift only stay as they are`() {
    var names = PostgresNames()
    expectEqual(names.take("\u{E9}").utf8.count, 2)
    expectEqual(names.take("e\u{301}").utf8.count, 3)
  }

  @Test func `PostgreSQL keeps its own names`() {
    var names = PostgresNames(reserved: PostgresName.systemColumns)
    expectEqual(names.take("ctid"), "ctid_2")
    expectEqual(names.take("CTID"), "CTID")
    expectEqual(names.take("pg_class"), "_pg_class")
    expectEqual(names.take("_pg_class"), "_pg_class_2")
  }
}
