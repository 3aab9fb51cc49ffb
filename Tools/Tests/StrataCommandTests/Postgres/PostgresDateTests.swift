import TestKit
import Testing

@testable import StrataCommand

/// Dates as `timestamptz`.
@Suite struct PostgresDateTests {
  private func text(_ date: String) -> String? {
    PostgresDate(date).map { date in
      var bytes: [UInt8] = []
      date.write(to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test func `A date of microseconds is as it is`() {
    expectEqual(text("2024-02-29 12:34:56.789012000"), "2024-02-29 12:34:56.789012+00")
    expectEqual(text("2024-02-29 12:34:56.000000000"), "2024-02-29 12:34:56+00")
    expectEqual(PostgresDate("2024-02-29 12:34:56.789012000")?.isRounded, false)
  }

  @Test func `A finer one is the nearest microsecond, and says so`() {
    expectEqual(text("2024-02-29 12:34:56.789012499"), "2024-02-29 12:34:56.789012+00")
    expectEqual(text("2024-02-29 12:34:56.789012500"), "2024-02-29 12:34:56.789013+00")
    expectEqual(PostgresDate("2024-02-29 12:34:56.789012001")?.isRounded, true)
    expectEqual(text("2001-01-01 00:00:00.0000001234567"), "2001-01-01 00:00:00+00")
    expectEqual(PostgresDate("2001-01-01 00:00:00.0000001234567")?.isRounded, true)
  }

  @Test func `What rounds up to a second is one, which PostgreSQL carries on`() {
    expectEqual(text("2024-12-31 23:59:59.999999900"), "2024-12-31 23:59:60+00")
    expectEqual(text("2024-12-31 23:59:58.999999900"), "2024-12-31 23:59:59+00")
  }

  @Test func `The year 0 is 1 BC`() {
    expectEqual(text("0000-12-30 00:00:00.000000000"), "0001-12-30 00:00:00+00 BC")
    expectEqual(text("0001-01-01 00:00:00.000000000"), "0001-01-01 00:00:00+00")
    expectEqual(text("9999-12-31 23:59:59.000000000"), "9999-12-31 23:59:59+00")
  }

  @Test func `Dates of other programs are read, and what is none isn't`() {
    expectEqual(text("2024-02-29"), "2024-02-29 00:00:00+00")
    expectEqual(text("2024-02-29T12:34Z"), "2024-02-29 12:34:00+00")
    expectEqual(text("2024-02-29T12:34:56.789012345"), "2024-02-29 12:34:56.789012+00")
    expectNil(text("2023-02-29 00:00:00.000000000"))
    expectNil(text("yesterday, at some time or other"))
    expectNil(text(""))
  }
}
