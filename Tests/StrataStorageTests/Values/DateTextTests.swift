import Foundation
import GRDB
import TestKit
import Testing

@testable import StrataStorage

@Suite struct DateTextTests {
  // MARK: Known texts

  @Test(arguments: [
    (0, "2001-01-01 00:00:00.000000000"),
    (-0.25, "2000-12-31 23:59:59.750000000"),
    (0.1, "2001-01-01 00:00:00.100000000"),
    (-978_307_200, "1970-01-01 00:00:00.000000000"),
    (-63_145_526_400, "0000-01-01 00:00:00.000000000"),
    (-63_140_428_800, "0000-02-29 00:00:00.000000000"),
    (-63_114_076_800, "0000-12-30 00:00:00.000000000"),
    (-63_113_904_000, "0001-01-01 00:00:00.000000000"),
    (252_423_993_599, "9999-12-31 23:59:59.000000000"),
    (252_423_993_599.5, "9999-12-31 23:59:59.500000000"),
    (700_000_000.125, "2023-03-08 20:26:40.125000000"),
    (1e-10, "2001-01-01 00:00:00.0000000001"),
    (-1e-10, "2000-12-31 23:59:59.9999999999"),
    (1.5e-9, "2001-01-01 00:00:00.0000000015"),
    (86_399.999_999_999_5, "2001-01-01 23:59:59.9999999995"),
  ])
  func `A date has this text and no other`(seconds: Double, text: String) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    expectEqual(DateText.encode(date), text)
    expectEqual(DateText.decode(text), date)
  }

  @Test(arguments: [
    Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    (-63_145_526_400).nextDown, 252_423_993_600,
  ])
  func `Years outside 0000 to 9999 have no text`(seconds: Double) {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    expectNil(DateText.encode(date))
    expectNil(fastText(date))
  }

  @Test func `Both ends of the range read back`() {
    expectRoundTrip(-63_145_526_400)
    expectRoundTrip((-63_145_526_400).nextUp)
    expectRoundTrip((252_423_993_600).nextDown)
  }

  // MARK: Round trip

  @Test func `Random dates of every magnitude read back equal`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<40_000 {
      // Any bit pattern with a magnitude between 2^-80 and 2^38 seconds.
      let exponent = Int.random(in: -80...37, using: &random)
      let significand = Double.random(in: 1..<2, using: &random)
      let sign: FloatingPointSign = random.next() & 1 == 0 ? .plus : .minus
      let seconds = Double(sign: sign, exponent: exponent, significand: significand)
      guard seconds > -63_145_526_400, seconds < 252_423_993_600 else { continue }
      expectRoundTrip(seconds)
    }
  }

  @Test func `Random dates of the whole range read back equal`() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<200_000 {
      expectRoundTrip(Double.random(in: -63_145_526_400..<252_423_993_600, using: &random))
    }
  }

  @Test func `Dates next to whole seconds and powers of two read back equal`() {
    for exponent in -3...37 {
      for offset in [0.0, 1, -1, 0.5, -0.5, 1e-9, -1e-9, 5e-10] {
        for sign in [1.0, -1] {
          let seconds = sign * (Double(sign: .plus, exponent: exponent, significand: 1) + offset)
          guard seconds > -63_145_526_400 else { continue }
          for near in [seconds.nextDown.nextDown, seconds.nextDown, seconds, seconds.nextUp] {
            expectRoundTrip(near)
          }
        }
      }
    }
  }

  @Test(arguments: [
    1e-300, -1e-300, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, 1e-20,
    -1e-20, 0.1, 1.0.nextDown, -(1.0.nextDown), 8_388_608.0.nextDown, -(8_388_608.0.nextDown),
  ])
  func `Tiny fractions read back equal, with all their digits`(seconds: Double) {
    expectRoundTrip(seconds)
  }

  @Test func `Negative zero reads back as zero`() {
    let text = DateText.encode(Date(timeIntervalSinceReferenceDate: -0.0))
    expectEqual(text, "2001-01-01 00:00:00.000000000")
  }

  @Test func `Every month of the calendar has the right days`() throws {
    // An independent count: one month after the other, by the rule for leap years.
    var first = 0
    for year in 0...9999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in zip(1..., lengths) {
        for day in [1, length] {
          let seconds = Double(first + day - 1 - 730_851) * 86400
          let date = Date(timeIntervalSinceReferenceDate: seconds)
          let isRight = withFastText(date) { bytes in
            let found = [0, 2, 5, 8].map { Int(bytes[$0] - 48) * 10 + Int(bytes[$0 + 1] - 48) }
            return found == [year / 100, year % 100, month, day] && DateText.decode(bytes) == date
          }
          try #require(isRight == true, "\(year)-\(month)-\(day)")
        }
        first += length
      }
    }
    expectEqual(first, 3_652_425)
  }

  // MARK: Order

  @Test func `Texts sort as the dates do`() throws {
    var random = SplitMix64(seed: 3)
    for width in [1e-9, 1e-6, 1, 1e4, 1e7, 1e9, 6e10] {
      var seconds = (0..<5000).map { _ in Double.random(in: -width...width, using: &random) }
      // Neighbours, where rounding could swap two.
      seconds += seconds.prefix(1000).map(\.nextUp)
      let dates = seconds.map { Date(timeIntervalSinceReferenceDate: $0) }.sorted()
      let texts = try dates.map { try #require(DateText.encode($0)) }
      expectEqual(texts, texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }
  }

  // MARK: Other people's texts

  @Test(arguments: [
    ("2023-03-08", 699_926_400.0),
    ("2023-03-08 20:26", 699_999_960),
    ("2023-03-08T20:26", 699_999_960),
    ("2023-03-08T20:26Z", 699_999_960),
    ("2023-03-08 20:26:40", 700_000_000),
    ("2023-03-08T20:26:40Z", 700_000_000),
    ("2023-03-08 20:26:40Z", 700_000_000),
    ("2023-03-08 20:26:40.1", 700_000_000.1),
    ("2023-03-08 20:26:40.125", 700_000_000.125),
    ("2023-03-08T20:26:40.125Z", 700_000_000.125),
    ("2023-03-08 20:26:40.1250000000000000000000000", 700_000_000.125),
    ("2000-02-29 00:00:00", -26_524_800),
    ("1600-02-29", -12_649_305_600),
    ("0000-01-01", -63_145_526_400),
    ("0001-01-01", -63_113_904_000),
    ("9999-12-31 23:59:59", 252_423_993_599),
  ])
  func `Forms that SQLite and GRDB write are read`(text: String, seconds: Double) {
    expectEqual(DateText.decode(text), Date(timeIntervalSinceReferenceDate: seconds))
  }

  @Test(arguments: [
    "", "2", "2023", "2023-03", "2023-3-8", "2023-03-8", "2023-03-08 ", "2023-03-08T",
    "2023-03-08Z", "2023-03-08 Z", "2023-03-08 2", "2023-03-08 20", "2023-03-08 20:",
    "2023-03-08 20:2",
    "2023-03-08 20:26:", "2023-03-08 20:26:4", "2023-03-08 20:26:40.", "2023-03-08 20:26:40.Z",
    "2023-03-08 20:26:40,5", "2023-03-08 20:26:40.5x", "2023-03-08 20:26:40.5ZZ",
    "2023-03-08 20:26:40.123456789x", "2023-03-08 20:26:40.12345678901x",
    "2023-03-08 20:26:40+00:00", "2023-03-08  20:26:40", "2023-03-08x20:26:40", "2023/03/08",
    " 2023-03-08", "2023-03-08 20:26:40 ", "0000-00-01", "0000-02-30", "2023-00-01", "2023-13-01",
    "2023-01-00",
    "2023-01-32", "2023-04-31", "2023-02-29", "1900-02-29", "2023-03-08 24:00:00",
    "2023-03-08 20:60:00", "2023-03-08 20:26:60", "-2023-03-08", "+023-03-08", "20:26:40", "now",
    "2460012.35", "1678307200", "２０２３-03-08", "2023-03-08 20:26:-1", "2023-03-08 20:26:40.-1",
    "2023-03-08 20:26:40.1e5",
  ])
  func `Everything else is not a date`(text: String) {
    expectNil(DateText.decode(text))
  }

  @Test func `Arbitrary bytes never stop the program`() {
    var random = SplitMix64(seed: 4)
    let template = Array("2023-03-08 20:26:40.125000000Z".utf8)
    for _ in 0..<100_000 {
      var bytes = template.prefix(Int.random(in: 0...template.count, using: &random))
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        guard let index = bytes.indices.randomElement(using: &random) else { break }
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      let date = bytes.withUnsafeBufferPointer { DateText.decode($0) }
      if let date, let text = DateText.encode(date) { expectEqual(DateText.decode(text), date) }
    }
    expectNil(DateText.decode(UnsafeBufferPointer(start: nil, count: 0)))
  }

  @Test func `Many digits are rounded to the nearest date`() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<20_000 {
      let whole = Int.random(in: 1...20_000_000_000, using: &random)
      let digits = (0..<Int.random(in: 1...25, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }
      let fraction = digits.joined()
      let date = Date(timeIntervalSinceReferenceDate: Double(whole))
      let text = DateText.encode(date).map { $0.dropLast(9) + fraction } ?? ""
      let nearest = Double("\(whole).\(fraction)")
      expectEqual(DateText.decode(text)?.timeIntervalSinceReferenceDate, nearest)
    }
  }

  @Test func `A hundred thousand digits are read`() {
    let text = "2000-12-31 23:59:59." + String(repeating: "9", count: 100_000)
    expectEqual(DateText.decode(text)?.timeIntervalSinceReferenceDate.isZero, true)
  }

  // MARK: SQLite

  @Test func `SQLite reads the same second from the text`() throws {
    var random = SplitMix64(seed: 6)
    let database = try DatabaseQueue()
    try database.read { db in
      let statement = try db.makeStatement(sql: "SELECT strftime('%s', ?), datetime(?)")
      for _ in 0..<5000 {
        let second = Int64.random(in: -63_145_526_400..<252_423_993_600, using: &random)
        let date = Date(timeIntervalSinceReferenceDate: Double(second))
        let text = try #require(DateText.encode(date))
        let row = try #require(try Row.fetchOne(statement, arguments: [text, text]))
        expectEqual(row[0], String(second + 978_307_200))
        expectEqual(row[1], String(text.dropLast(10)))
        expectEqual(DateText.decode(row[1] as String), date)
      }
    }
  }

  @Test func `Dates that GRDB writes are read, to the millisecond`() {
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000.125)
    expectEqual(String.fromDatabaseValue(date.databaseValue).flatMap { DateText.decode($0) }, date)
  }

  // MARK: Support

  private func expectRoundTrip(
    _ seconds: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    guard let text = DateText.encode(date), let decoded = DateText.decode(text) else {
      Issue.record("\(seconds) is not written or not read", sourceLocation: sourceLocation)
      return
    }
    let fast = fastText(date)
    // Equal numbers are the same bits, except for the two zeros; there is no NaN here.
    let isExact = decoded.timeIntervalSinceReferenceDate == seconds
    if !isExact || (text.utf8.count == 29 ? fast != text : fast != nil) || text.utf8.count < 29 {
      Issue.record(
        "\(seconds): \(text), \(fast ?? "-"), \(decoded.timeIntervalSinceReferenceDate)",
        sourceLocation: sourceLocation)
    }
  }

  private func fastText(_ date: Date) -> String? {
    withFastText(date) { String(decoding: $0, as: UTF8.self) }
  }

  private func withFastText<R>(_ date: Date, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let length = DateText.encode(date, into: start)
      return length == 0 ? nil : body(UnsafeBufferPointer(start: start, count: length))
    }
  }
}
