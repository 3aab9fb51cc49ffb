// Within 98 days of 2001-01-01 a `Date` is finer than a nanosecond, down to 5e-324 seconds. There
// the standard library's conversions between numbers and decimal digits are used, which are exact
// and slower.

extension DateText {
  /// Returns the text of `seconds` since 2001, with the digits that are needed to read back equal.
  ///
  /// Returns nil unless the magnitude of `seconds` is less than 2^53.
  static func encodeExactly(_ seconds: Double) -> String? {
    guard let decimal = ShortestDecimal(seconds) else { return nil }
    var whole = decimal.whole
    var digits = decimal.fraction
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

  /// The magnitude of a number as the shortest decimal number that reads back equal.
  private struct ShortestDecimal {
    /// The part before the decimal point.
    var whole: Int64
    /// The ASCII digits after the decimal point.
    var fraction: [UInt8]

    /// Never nil for finite numbers below 10^15, whose description has no exponent.
    init?(_ number: Double) {
      // "8388607.25", "2.5e-07" or "1e-07".
      let parts = number.magnitude.description.split(separator: "e")
      let significand = parts[0].split(separator: ".")
      guard let whole = Int64(significand[0]) else { return nil }
      let decimals = significand.count == 2 ? Array(significand[1].utf8) : []
      guard parts.count == 2 else {
        self.whole = whole
        self.fraction = decimals
        return
      }
      guard let exponent = Int(parts[1]), exponent < 0 else { return nil }
      let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: -exponent - 1)
      self.whole = 0
      self.fraction = zeros + significand[0].utf8 + decimals
    }
  }
}
