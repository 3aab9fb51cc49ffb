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
