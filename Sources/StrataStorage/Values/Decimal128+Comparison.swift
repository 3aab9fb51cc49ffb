// As IEEE 754 compares: NaN is unequal to everything and neither less nor greater; -0 equals 0; the
// number of digits makes no difference.

extension Decimal128: Comparable {
  public static func == (lhs: Decimal128, rhs: Decimal128) -> Bool { order(lhs, rhs) == 0 }
  public static func < (lhs: Decimal128, rhs: Decimal128) -> Bool { order(lhs, rhs) == -1 }
  public static func > (lhs: Decimal128, rhs: Decimal128) -> Bool { order(lhs, rhs) == 1 }
  public static func <= (lhs: Decimal128, rhs: Decimal128) -> Bool {
    order(lhs, rhs).map { $0 <= 0 } ?? false
  }
  public static func >= (lhs: Decimal128, rhs: Decimal128) -> Bool {
    order(lhs, rhs).map { $0 >= 0 } ?? false
  }

  /// -1 when the first value is less, 0 when they are equal, 1 when it is greater; nil for NaN.
  private static func order(_ lhs: Decimal128, _ rhs: Decimal128) -> Int? {
    if lhs.isNaN || rhs.isNaN { return nil }
    // Infinite ±2, finite ±1, zero 0.
    func rank(_ value: Decimal128) -> Int {
      if value.isZero { return 0 }
      return (value.isInfinite ? 2 : 1) * (value.isSignMinus ? -1 : 1)
    }
    let rank = (rank(lhs), rank(rhs))
    guard rank.0 == rank.1 else { return rank.0 < rank.1 ? -1 : 1 }
    guard rank.0.magnitude == 1, let left = lhs.parts, let right = rhs.parts else { return 0 }
    let order = orderOfMagnitudes(left, right)
    return left.isNegative ? -order : order
  }

  /// The same for the magnitudes of two finite numbers other than zero.
  private static func orderOfMagnitudes(_ lhs: Parts, _ rhs: Parts) -> Int {
    let digits = (
      PowersOfTen.digitCount(lhs.coefficient), PowersOfTen.digitCount(rhs.coefficient)
    )
    let places = (digits.0 + lhs.exponent, digits.1 + rhs.exponent)
    guard places.0 == places.1 else { return places.0 < places.1 ? -1 : 1 }
    // With as many digits each, the coefficients compare.
    let left = lhs.coefficient * PowersOfTen[precision - digits.0]
    let right = rhs.coefficient * PowersOfTen[precision - digits.1]
    return left == right ? 0 : left < right ? -1 : 1
  }

  /// Whether the value precedes or equals the other one, in an order of all values.
  ///
  /// The order is that of `<=`, and besides: -0 before 0, infinity before NaN, and of equal numbers
  /// the one with more digits before the other, or after it when they are negative.
  public func isTotallyOrdered(belowOrEqualTo other: Decimal128) -> Bool {
    if isNaN || other.isNaN { return other.isNaN }
    if self != other { return self < other }
    guard isSignMinus == other.isSignMinus else { return isSignMinus }
    guard let exponent = parts?.exponent, let otherExponent = other.parts?.exponent else {
      return true
    }
    return isSignMinus ? exponent >= otherExponent : exponent <= otherExponent
  }

  /// The lesser value; the other one where one of them is NaN.
  public static func minimum(_ x: Decimal128, _ y: Decimal128) -> Decimal128 {
    if x.isNaN || y.isNaN { return x.isNaN ? y : x }
    return x.isTotallyOrdered(belowOrEqualTo: y) ? x : y
  }

  /// The greater value; the other one where one of them is NaN.
  public static func maximum(_ x: Decimal128, _ y: Decimal128) -> Decimal128 {
    if x.isNaN || y.isNaN { return x.isNaN ? y : x }
    return x.isTotallyOrdered(belowOrEqualTo: y) ? y : x
  }
}

extension Decimal128: Hashable {
  /// Equal numbers have the same hash, however many digits they are written with.
  public func hash(into hasher: inout Hasher) {
    guard let parts, parts.coefficient != 0 else {
      hasher.combine(isNaN ? 2 : isInfinite ? 1 : 0)
      hasher.combine(isInfinite && isSignMinus)
      return
    }
    let shortest = Self.reduce(parts, upTo: .max)
    hasher.combine(shortest.isNegative)
    hasher.combine(shortest.coefficient)
    hasher.combine(shortest.exponent)
  }
}
