import StrataSchema
import TestKit
import Testing

@Suite("A value as SQL text")
struct StoredValueSQLTests {
  @Test(
    arguments: [
      (StoredValue.null, "NULL"),
      (.integer(0), "0"),
      (.integer(.min), "-9223372036854775808"),
      (.real(0.1), "0.1"),
      (.real(-1.5), "-1.5"),
      (.real(1e300), "1e+300"),
      (.real(.infinity), "9e999"),
      (.real(-.infinity), "-9e999"),
      (.real(.nan), "NULL"),
      (.text("it's \"fine\""), "'it''s \"fine\"'"),
      (.text("'\u{301}"), "'''\u{301}'"),
      (.text("a\0b"), "CAST(x'610062' AS TEXT)"),
      (.blob([]), "x''"),
      (.blob([0, 9, 16, 255]), "x'000910ff'"),
    ])
  func `A value is a literal in SQL`(value: StoredValue, expected: String) {
    expectEqual(Array(value.sqlLiteral.utf8), Array(expected.utf8))
  }

  @Test func `A literal may be exact`() {
    let exact: [StoredValue] = [
      .null, .integer(.max), .blob([0]), .text("x'"), .real(0.1), .real(-123456.125), .real(2),
      .real(.infinity), .real(0),
    ]
    expectEqual(exact.filter { !$0.isExactLiteral }, [])
  }

  @Test func `A literal is not exact where SQLite may read another value`() {
    let inexact: [StoredValue] = [
      .text("a\0"), .real(.nan), .real(1.0 / 3), .real(1e-7), .real(1e300), .real(0.1234),
      .real(9_007_199_254_740_992),
    ]
    expectEqual(inexact.filter(\.isExactLiteral), [])
  }
}
