import StrataSchema
import TestKit
import Testing

@Suite struct DefaultSQLTests {
  @Test func `Constants are exact, or there is none`() {
    expectEqual(DefaultSQL.constant(.integer(-7)), "-7")
    expectEqual(DefaultSQL.constant(.text("it's")), "'it''s'")
    expectEqual(DefaultSQL.constant(.blob([1, 255])), "x'01ff'")
    expectEqual(DefaultSQL.constant(.real(0.5)), "0.5")
    expectEqual(
      DefaultSQL.constant(.real(Double(Float(0.1)))), "(13421773 / CAST(134217728 AS REAL))")
    expectEqual(
      DefaultSQL.constant(.real(-1.23456)),
      "(-694995494495815 / CAST(562949953421312 AS REAL))")
    expectEqual(DefaultSQL.constant(.real(1e-300)), nil)
    expectEqual(DefaultSQL.constant(.null), nil)
  }

  @Test func `Expressions of other programs get their parentheses again`() {
    for literal in ["5", "-1.5e3", "'a''b'", "x'00'", "NULL", "CURRENT_TIMESTAMP", #""a""#] {
      expectEqual(DefaultSQL.value(reported: literal), literal)
    }
    expectEqual(DefaultSQL.value(reported: "1 + 1"), "(1 + 1)")
    expectEqual(DefaultSQL.value(reported: "datetime('now')"), "(datetime('now'))")
  }
}
