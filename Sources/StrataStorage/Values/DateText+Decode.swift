#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension DateText {
  /// Returns the date that a text represents; nil if it is not a date.
  ///
  /// Accepts the same forms as the function that takes UTF-8.
  package static func decode(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { decode($0) }
  }

  /// Returns the date that UTF-8 represents; nil if it is not a date.
  ///
  /// Accepts the output of `encode`, and the other formats of SQLite and GRDB: `YYYY-MM-DD`, then
  /// optionally a space or `T` and `HH:MM`, then `:SS`, then `.` and one or more digits. A text
  /// with a time may end with `Z`. All times are UTC. Values out of range, as in `2023-02-29`, are
  /// no dates. The result is the date nearest to the text, for any number of digits.
  package static func decode(_ utf8: UnsafeBufferPointer<UInt8>) -> Date? {
    guard utf8.count >= 10, let bytes = utf8.baseAddress else { return nil }
    var count = utf8.count
    guard
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let century = twoDigits(bytes), let yearOfCentury = twoDigits(bytes + 2),
      let month = twoDigits(bytes + 5), let day = twoDigits(bytes + 8),
      let date = CivilDate(year: 100 &* century &+ yearOfCentury, month: month, day: day)
    else { return nil }
    let midnight = Int64(date.dayNumber) &* 86400 &+ firstSecond
    if count == 10 { return Date(timeIntervalSinceReferenceDate: Double(midnight)) }

    guard bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "T") else { return nil }
    if bytes[count - 1] == UInt8(ascii: "Z") { count -= 1 }
    guard
      count >= 16, bytes[13] == UInt8(ascii: ":"),
      let hour = twoDigits(bytes + 11), hour < 24,
      let minute = twoDigits(bytes + 14), minute < 60
    else { return nil }
    let fullMinute = midnight &+ Int64(hour &* 3600 &+ minute &* 60)
    if count == 16 { return Date(timeIntervalSinceReferenceDate: Double(fullMinute)) }

    guard
      count >= 19, bytes[16] == UInt8(ascii: ":"),
      let second = twoDigits(bytes + 17), second < 60
    else { return nil }
    let whole = fullMinute &+ Int64(second)
    if count == 19 { return Date(timeIntervalSinceReferenceDate: Double(whole)) }

    guard count >= 21, bytes[19] == UInt8(ascii: ".") else { return nil }
    let digits = UnsafeBufferPointer(start: bytes + 20, count: count - 20)
    return time(of: whole, fraction: digits).map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// Returns the seconds since 2001 nearest to `whole` plus the fraction; nil if the fraction has a
  /// character that isn't a digit.
  @inline(__always)
  private static func time(of whole: Int64, fraction digits: UnsafeBufferPointer<UInt8>) -> Double?
  {
    guard digits.count <= 9 else { return timeExactly(of: whole, fraction: digits) }
    var billionths: UInt64 = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      billionths = billionths &* 10 &+ UInt64(digit)
    }
    for _ in digits.count..<9 { billionths &*= 10 }
    if billionths == 0 { return Double(whole) }

    // Between two whole seconds there is a grid of 2^places dates per second. The grid depends on
    // the end that is nearer to 2001: `whole` after 2001, and `whole + 1`, which is `-~whole`,
    // before.
    let magnitude = UInt64(bitPattern: whole < 0 ? ~whole : whole)
    guard magnitude >= UInt64(exactFrom) else { return timeExactly(of: whole, fraction: digits) }
    let places = UInt64(magnitude.leadingZeroBitCount &- 11)
    let scaled = billionths &<< places
    var steps = Int64(bitPattern: scaled / 1_000_000_000)
    let rest = scaled % 1_000_000_000
    let lower = (whole &<< Int64(places)) &+ steps
    if rest > 500_000_000 || (rest == 500_000_000 && lower & 1 == 1) { steps &+= 1 }
    let step = Double(bitPattern: (1023 &- places) &<< 52)  // 2^-places
    return Double((whole &<< Int64(places)) &+ steps) * step
  }

  /// Returns the number of two decimal digits; nil if there are other characters.
  @inline(__always)
  private static func twoDigits(_ bytes: UnsafePointer<UInt8>) -> UInt32? {
    let tens = UInt32(bytes[0]) &- 48
    let ones = UInt32(bytes[1]) &- 48
    guard tens < 10, ones < 10 else { return nil }
    return tens &* 10 &+ ones
  }
}
