/// 10^0 to 10^38, all that fit into a `UInt128`.
enum PowersOfTen {
  private static let values: [UInt128] = {
    var values: [UInt128] = [1]
    for _ in 1...38 { values.append(values[values.count - 1] * 10) }
    return values
  }()

  static subscript(_ exponent: Int) -> UInt128 { values[exponent] }

  /// The number of decimal digits of a number; 0 for 0.
  static func digitCount(_ number: UInt128) -> Int {
    // 1233 / 4096 is log10(2), exactly enough for 128 bits.
    let estimate = ((128 - number.leadingZeroBitCount) * 1233) >> 12
    return number < values[estimate] ? estimate : estimate + 1
  }
}

extension Decimal128 {
  /// A number, and whether it is the very one that was asked for.
  package struct Rounded {
    package var value: Decimal128
    package var isExact: Bool
  }

  /// The number nearest to `parts`, ties to even, with the exponent nearest to the one given.
  ///
  /// - Parameters:
  ///   - parts: A coefficient and an exponent without bounds.
  ///   - isMore: Whether the exact magnitude lies above `parts`, by less than one in the last
  ///     digit. The coefficient must have at least 35 digits then.
  package static func round(_ parts: Parts, isMore: Bool = false) -> Rounded {
    var parts = parts
    var isExact = !isMore
    let excess = PowersOfTen.digitCount(parts.coefficient) - precision
    let dropped = Swift.max(excess, leastExponent - parts.exponent, 0)
    if dropped > 0 {
      isExact = drop(dropped, of: &parts, isMore: isMore) && isExact
      if parts.coefficient == PowersOfTen[precision] {
        parts.coefficient = PowersOfTen[precision - 1]
        parts.exponent += 1
      }
    }
    if parts.exponent > greatestExponent {
      // Zeros at the end may make up for it.
      let missing = parts.exponent - greatestExponent
      let room = precision - PowersOfTen.digitCount(parts.coefficient)
      guard parts.coefficient == 0 || missing <= room else {
        return Rounded(value: infinity(isNegative: parts.isNegative), isExact: false)
      }
      if parts.coefficient != 0 { parts.coefficient *= PowersOfTen[missing] }
      parts.exponent = greatestExponent
    }
    return Rounded(value: Decimal128(parts), isExact: isExact)
  }

  /// Rounds off the last digits of a coefficient, and returns whether they were zeros.
  ///
  /// - Parameter isMore: Whether further digits, not all zero, follow the coefficient.
  package static func drop(_ count: Int, of parts: inout Parts, isMore: Bool = false) -> Bool {
    parts.exponent += count
    // A coefficient has no more than 39 digits: it is less than half of 10^40.
    guard count <= 39 else {
      defer { parts.coefficient = 0 }
      return parts.coefficient == 0
    }
    // 10^39 doesn't fit: the last digit is cut off first, and counted as a following one.
    let isLong = count == 39
    let lastDigit = isLong ? parts.coefficient % 10 : 0
    if isLong { parts.coefficient /= 10 }
    let isMore = isMore || lastDigit != 0
    let divisor = PowersOfTen[isLong ? 38 : count]
    let (quotient, rest) = parts.coefficient.quotientAndRemainder(dividingBy: divisor)
    let half = divisor / 2
    let isUp = rest > half || (rest == half && (isMore || quotient & 1 == 1))
    parts.coefficient = isUp ? quotient + 1 : quotient
    return rest == 0 && !isMore
  }

  /// The same number with fewer zeros at the end of its coefficient, and an exponent up to `limit`.
  package static func reduce(_ parts: Parts, upTo limit: Int) -> Parts {
    var parts = parts
    guard parts.coefficient != 0 else {
      parts.exponent = Swift.max(parts.exponent, limit)
      return parts
    }
    while parts.exponent < limit {
      let (quotient, rest) = parts.coefficient.quotientAndRemainder(dividingBy: 10)
      guard rest == 0 else { break }
      parts.coefficient = quotient
      parts.exponent += 1
    }
    return parts
  }
}
