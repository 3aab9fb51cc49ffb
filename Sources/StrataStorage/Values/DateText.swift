#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The text of a `Date` in a file: `YYYY-MM-DD HH:MM:SS.SSSSSSSSS`, in UTC.
///
/// The calendar is the proleptic Gregorian one, as in SQLite's own date functions. The fraction has
/// nine digits, or more if the date needs them to read back equal. That happens only within 98 days
/// of 2001-01-01, where `Date` is finer than a nanosecond.
///
/// Two guarantees hold for every date that can be written:
/// - `decode(encode(date)) == date`, exactly.
/// - Texts sort in the order of the dates.
///
/// The second one follows from the first: each text is nearer to its own date than to any other, so
/// two texts cannot change their order.
package enum DateText {
  /// Returns the text of `date`; nil if its year is outside 0000...9999 or it is not a number.
  package static func encode(_ date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard isWritable(seconds) else { return nil }
    guard hasExactNineDigits(seconds) else { return encodeExactly(seconds) }
    return String(unsafeUninitializedCapacity: length) { buffer in
      write(seconds, into: buffer.baseAddress.unsafelyUnwrapped)
      return length
    }
  }

  /// Writes the text of `date` as UTF-8. Returns its length in bytes, which is always 29.
  ///
  /// Returns 0 and writes nothing if nine digits are not enough for this date, or if it has no
  /// text. Then call the function that returns a `String`.
  ///
  /// - Precondition: There is space for 32 bytes at `bytes`.
  package static func encode(_ date: Date, into bytes: UnsafeMutablePointer<UInt8>) -> Int {
    let seconds = date.timeIntervalSinceReferenceDate
    guard isWritable(seconds) else { return 0 }
    if hasExactNineDigits(seconds) {
      write(seconds, into: bytes)
      return length
    }
    guard var text = encodeExactly(seconds) else { return 0 }
    return text.withUTF8 { utf8 in
      guard utf8.count == length, let start = utf8.baseAddress else { return 0 }
      bytes.update(from: start, count: length)
      return length
    }
  }

  /// The number of bytes of a text with nine fraction digits.
  package static let length = 29

  /// Whether `seconds` since 2001 is in the years 0000...9999. False for NaN.
  private static func isWritable(_ seconds: Double) -> Bool {
    seconds >= Double(firstSecond) && seconds < Double(endSecond)
  }

  /// Whether arithmetic on nine digits is exact for `seconds`.
  ///
  /// From 2^23 seconds on, neighboring dates are at least 2^-29 s apart. Rounding to a nanosecond
  /// moves a date by less than half of that, so it reads back equal. The greatest fraction
  /// below one, which is one minus 2^-29, does not round up to a whole second.
  private static func hasExactNineDigits(_ seconds: Double) -> Bool {
    seconds.magnitude >= exactFrom || seconds == seconds.rounded(.towardZero)
  }

  /// Writes 29 bytes for `seconds`, which must satisfy `hasExactNineDigits`.
  private static func write(_ seconds: Double, into bytes: UnsafeMutablePointer<UInt8>) {
    var whole = Int64(seconds)
    if Double(whole) > seconds { whole -= 1 }
    // No rounding happens before the conversion to an integer: the fraction has at most 29 bits and
    // 1e9 is 2^9 times a number of 21 bits, together less than the 53 bits of a Double.
    let nanoseconds = UInt32((seconds - Double(whole)) * 1e9 + 0.5)
    writeWholeSecond(whole, into: bytes)
    bytes[19] = UInt8(ascii: ".")
    writeDigits(nanoseconds / 100_000, count: 4, into: bytes + 20)
    writeDigits(nanoseconds % 100_000, count: 5, into: bytes + 24)
  }

  /// Writes the 19 bytes of `YYYY-MM-DD HH:MM:SS`.
  static func writeWholeSecond(_ second: Int64, into bytes: UnsafeMutablePointer<UInt8>) {
    let sinceFirst = UInt64(bitPattern: second &- firstSecond)
    let secondOfDay = UInt32(truncatingIfNeeded: sinceFirst % 86400)
    let date = CivilDate(dayNumber: UInt32(truncatingIfNeeded: sinceFirst / 86400))
    writeDigits(date.year, count: 4, into: bytes)
    bytes[4] = UInt8(ascii: "-")
    writeDigits(date.month, count: 2, into: bytes + 5)
    bytes[7] = UInt8(ascii: "-")
    writeDigits(date.day, count: 2, into: bytes + 8)
    bytes[10] = UInt8(ascii: " ")
    writeDigits(secondOfDay / 3600, count: 2, into: bytes + 11)
    bytes[13] = UInt8(ascii: ":")
    writeDigits(secondOfDay / 60 % 60, count: 2, into: bytes + 14)
    bytes[16] = UInt8(ascii: ":")
    writeDigits(secondOfDay % 60, count: 2, into: bytes + 17)
  }

  @inline(__always)
  private static func writeDigits(
    _ number: UInt32, count: Int, into bytes: UnsafeMutablePointer<UInt8>
  ) {
    var rest = number
    var index = count
    while index > 0 {
      index &-= 1
      bytes[index] = UInt8(truncatingIfNeeded: rest % 10) &+ UInt8(ascii: "0")
      rest /= 10
    }
  }
}

extension DateText {
  /// 0000-01-01 00:00:00, in seconds since 2001-01-01 00:00:00 UTC.
  ///
  /// `Date.distantPast` lies two days before the year 1.
  static let firstSecond: Int64 = -730_851 * 86400

  /// 10000-01-01 00:00:00, in seconds since 2001-01-01 00:00:00 UTC.
  package static let endSecond: Int64 = 2_921_574 * 86400

  /// 2^23 seconds, about 97 days.
  static let exactFrom = 8_388_608.0
}

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

// Within 98 days of 2001-01-01 a `Date` is finer than a nanosecond, down to 5e-324 seconds. There
// the standard library's conversions between numbers and decimal digits are used, which are exact
// and slower.

extension DateText {
  /// Returns the text of `seconds` since 2001, with the digits that are needed to read back equal.
  ///
  /// Returns nil unless the magnitude of `seconds` is less than 2^53.
  static func encodeExactly(_ seconds: Double) -> String? {
    // The shortest decimal number that reads back equal.
    guard seconds.magnitude < 0x1p53, let decimal = Decimal128(value: seconds.magnitude).parts,
      decimal.exponent <= 0
    else { return nil }
    let places = -decimal.exponent
    let coefficient = String(decimal.coefficient)
    let zeros = String(repeating: "0", count: max(0, places + 1 - coefficient.utf8.count))
    guard var whole = Int64((zeros + coefficient).dropLast(places)) else { return nil }
    var digits = Array((zeros + coefficient).utf8.suffix(places))
    if seconds < 0 {
      whole = -whole
      if complement(&digits) { whole -= 1 }
    }
    while digits.count < 9 { digits.append(UInt8(ascii: "0")) }
    let count = 20 + digits.count
    return String(unsafeUninitializedCapacity: count) { buffer in
      writeWholeSecond(whole, into: buffer.baseAddress.unsafelyUnwrapped)
      buffer[19] = UInt8(ascii: ".")
      for (index, digit) in digits.enumerated() { buffer[20 + index] = digit }
      return count
    }
  }

  /// Returns the seconds since 2001 nearest to `whole` plus the fraction; nil if it has a
  /// non-digit.
  static func timeExactly(of whole: Int64, fraction: UnsafeBufferPointer<UInt8>) -> Double? {
    var digits = Array(fraction)
    guard digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
      return nil
    }
    var text = String(whole)
    if whole < 0 {
      let carries = complement(&digits)
      text = "-" + String((carries ? whole + 1 : whole).magnitude)
    }
    return Double(text + "." + String(decoding: digits, as: UTF8.self))
  }

  /// Replaces the fraction 0.digits by 1 - 0.digits, unless it is zero. Returns whether it did.
  ///
  /// A time before 2001 is a negative number, whose fraction counts backwards from the next second,
  /// while the fraction of a text counts forwards.
  private static func complement(_ digits: inout [UInt8]) -> Bool {
    guard let last = digits.lastIndex(where: { $0 != UInt8(ascii: "0") }) else { return false }
    for index in 0..<last { digits[index] = UInt8(ascii: "0") + UInt8(ascii: "9") - digits[index] }
    digits[last] = UInt8(ascii: "0") + 10 - (digits[last] - UInt8(ascii: "0"))
    return true
  }
}

/// A day of the proleptic Gregorian calendar.
///
/// Days are numbered from 0000-01-01, which is day 0. Only the years 0...9999 are supported.
struct CivilDate {
  /// The year, 0...9999.
  var year: UInt32
  /// The month, 1...12.
  var month: UInt32
  /// The day of the month, 1...31.
  var day: UInt32

  // Years are counted from the first of March here. Then the leap day is the last day of its year,
  // and the months before it have the same lengths every year, 153 days for each five months.
  // Counting begins 400 years early, so that the first months of the year 0 have numbers as well.

  @inline(__always)
  init(dayNumber: UInt32) {
    let day = dayNumber &+ Self.daysBeforeYearZero
    let century = (4 &* day &+ 3) / 146_097
    let dayOfCentury = day &- (146_097 &* century) / 4
    let yearOfCentury = (4 &* dayOfCentury &+ 3) / 1461
    let dayOfYear = dayOfCentury &- (1461 &* yearOfCentury) / 4
    let month = (5 &* dayOfYear &+ 2) / 153
    let startsNewYear = month >= 10
    self.year = 100 &* century &+ yearOfCentury &+ (startsNewYear ? 1 : 0) &- Self.yearsEarly
    self.month = startsNewYear ? month &- 9 : month &+ 3
    self.day = dayOfYear &- (153 &* month &+ 2) / 5 &+ 1
  }

  /// Creates the day with these numbers; nil if the calendar has no such day.
  @inline(__always)
  init?(year: UInt32, month: UInt32, day: UInt32) {
    guard year <= 9999, month >= 1, month <= 12, day >= 1 else { return nil }
    guard day <= Self.dayCount(of: month, in: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The number of days since 0000-01-01.
  var dayNumber: UInt32 {
    @inline(__always) get {
      let marchYear = (month > 2 ? year : year &- 1) &+ Self.yearsEarly
      let marchMonth = month > 2 ? month &- 3 : month &+ 9
      let century = marchYear / 100
      let yearOfCentury = marchYear % 100
      return (146_097 &* century) / 4 &+ (1461 &* yearOfCentury) / 4
        &+ (153 &* marchMonth &+ 2) / 5 &+ day &- 1 &- Self.daysBeforeYearZero
    }
  }

  /// The calendar repeats itself after 400 years.
  private static let yearsEarly: UInt32 = 400

  /// The days from the first of March 400 years earlier to the first of January of the year 0.
  private static let daysBeforeYearZero: UInt32 = 146_097 - 60

  @inline(__always)
  private static func dayCount(of month: UInt32, in year: UInt32) -> UInt32 {
    if month == 2 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      return isLeap ? 29 : 28
    }
    // 31 and 30 alternate, starting again in August.
    return 30 &+ ((month &+ month / 8) & 1)
  }
}
