import Foundation
import StrataStorage

/// A date as a `timestamptz`, which has a precision of a microsecond.
///
/// Rounds to the nearest microsecond: most dates of a clock are finer, because a `Date` is a binary
/// number. PostgreSQL calls the year 0 "1 BC".
struct PostgresDate: Hashable {
  /// `YYYY-MM-DD HH:MM:`.
  private var minute: [UInt8]
  /// At most 60, which PostgreSQL reads as the first second of the next minute.
  private var second: Int
  private var microsecond: Int
  /// Whether the date was finer than a microsecond.
  private(set) var isRounded: Bool

  /// Parses the text of a stored date; nil if it is no date.
  init?(_ text: String) {
    var text = text
    let isExact = text.utf8.count == DateText.length
    guard let date = text.withUTF8({ DateText.decode($0) }) else { return nil }
    if !isExact || text.utf8[text.utf8.index(text.startIndex, offsetBy: 10)] != 0x20 {
      guard let encoded = DateText.encode(date) else { return nil }
      text = encoded
    }
    let bytes = Array(text.utf8)
    minute = Array(bytes[..<17])
    second = Self.number(bytes[17..<19])
    microsecond = Self.number(bytes[20..<26])
    let rest = bytes[26...]
    isRounded = rest.contains { $0 != UInt8(ascii: "0") }
    guard let next = rest.first, next >= UInt8(ascii: "5") else { return }
    microsecond += 1
    if microsecond == 1_000_000 {
      microsecond = 0
      second += 1
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int {
    digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  func write(to bytes: inout [UInt8]) {
    let isYearZero = minute[..<4].allSatisfy { $0 == UInt8(ascii: "0") }
    bytes += isYearZero ? Array("0001".utf8) + minute[4...] : minute
    Self.write(second, digits: 2, to: &bytes)
    if microsecond != 0 {
      bytes.append(UInt8(ascii: "."))
      Self.write(microsecond, digits: 6, to: &bytes)
    }
    bytes += (isYearZero ? "+00 BC" : "+00").utf8
  }

  private static func write(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes += repeatElement(UInt8(ascii: "0"), count: digits)
    var rest = number
    for index in stride(from: start + digits - 1, through: start, by: -1) {
      bytes[index] += UInt8(rest % 10)
      rest /= 10
    }
  }
}
