/// Keyed permutations of digits: of all sequences with the same radices, each gets another one.
///
/// A permutation adds numbers to one half of the digits that a hash of the other half gives, four
/// times in turn, then adds a number to the first digit, and then takes the four additions back. So
/// no sequence stays as it is, and each step can be undone.
struct DigitPermutation {
  let secret: TwinSecret

  private static let rounds = 4

  /// Replaces digits by their image.
  ///
  /// - Parameters:
  ///   - digits: At least one digit, each below its radix.
  ///   - radices: The radices, which are all above 1.
  ///   - pattern: A hash of everything else in the value, which stays.
  ///   - number: The number of the permutation.
  ///   - isInverse: Whether the digits are an image, and become what it is the image of.
  func apply(
    to digits: inout [UInt32], _ radices: [UInt32], pattern: UInt64, number: UInt64 = 0,
    isInverse: Bool = false
  ) {
    if digits.count > 1 {
      for round in 0..<Self.rounds { add(round, to: &digits, radices, pattern, number) }
    }
    var hash = TwinHash(secret, .shift)
    hash.combine(pattern)
    hash.combine(number)
    let step = 1 + UInt32(truncatingIfNeeded: hash.value % UInt64(radices[0] - 1))
    digits[0] = (digits[0] + (isInverse ? radices[0] - step : step)) % radices[0]
    if digits.count > 1 {
      for round in (0..<Self.rounds).reversed() {
        add(round, to: &digits, radices, pattern, number, isNegative: true)
      }
    }
  }

  private func add(
    _ round: Int, to digits: inout [UInt32], _ radices: [UInt32], _ pattern: UInt64,
    _ number: UInt64, isNegative: Bool = false
  ) {
    let middle = digits.count / 2
    let (changed, read) =
      round % 2 == 0 ? (0..<middle, middle..<digits.count) : (middle..<digits.count, 0..<middle)
    var hash = TwinHash(secret, .rounds)
    hash.combine(pattern)
    hash.combine(number << 8 | UInt64(round))
    hash.combine(digits[read])
    var numbers = TwinNumbers(hash.value, 0x9E37_79B9_7F4A_7C15)
    for index in changed {
      let radix = radices[index]
      let step = numbers.next(below: radix)
      digits[index] = (digits[index] + (isNegative ? radix - step : step)) % radix
    }
  }
}
