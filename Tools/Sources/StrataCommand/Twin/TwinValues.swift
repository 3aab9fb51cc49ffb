/// The values of a twin: each value of a file gets another one of the same type, length and class.
///
/// Equal values get equal ones, in all columns of the file, so that keys, duplicates and joins
/// stay. Different values stay different. The result depends on the value, the secret and the
/// values that were collected before, of which none is a result if there are enough others.
///
/// Values of at most two bytes or digits stay.
final class TwinValues {
  let secret: TwinSecret
  /// Whether calls only collect the values of the file, and return them as they are.
  var isCollecting = false

  let permutation: DigitPermutation
  let dateDistance: Int64
  var alphabets = TwinAlphabets()
  /// Fingerprints of the collected values, with the number of different ones by pattern.
  private var originals: Set<UInt64> = []
  private var counts: [UInt64: Double] = [:]
  /// Images of values for which the usual one isn't free, by fingerprints, and their fingerprints.
  private var exceptions: [UInt64: [UInt32]] = [:]
  private var taken: Set<UInt64> = []

  init(_ secret: TwinSecret) {
    self.secret = secret
    permutation = DigitPermutation(secret: secret)
    dateDistance = secret.dateDistance
  }

  /// Values of at most this length stay.
  static let maxShortLength = 2

  /// From this size on, as a number of bits, the classes of values are so large that two random
  /// values never meet: a hash gives the result, and no original must be avoided.
  static let hashedBits = 80.0

  /// Replaces the changeable digits of a value.
  ///
  /// - Parameters:
  ///   - pattern: A hash of everything that stays.
  ///   - isAllowed: Whether digits are a value of the same class; nil if all are.
  func replace(
    _ digits: inout [UInt32], _ radices: [UInt32], pattern: UInt64,
    isAllowed: (([UInt32]) -> Bool)? = nil
  ) {
    if isCollecting {
      if originals.insert(fingerprint(digits, pattern)).inserted {
        counts[pattern, default: 0] += 1
      }
      return
    }
    func isUnusable(_ digits: [UInt32]) -> Bool {
      isAllowed?(digits) == false || originals.contains(fingerprint(digits, pattern))
    }
    let original = digits
    permutation.apply(to: &digits, radices, pattern: pattern)
    guard isUnusable(digits) else { return }
    let usual = digits
    // Where most values of a class are in the file, they are permuted among each other.
    let size = radices.reduce(1.0) { $0 * Double($1) }
    guard counts[pattern, default: 0] * 2 < size else { return }
    let key = fingerprint(original, pattern)
    if let known = exceptions[key] {
      digits = known
      return
    }
    for number in 1...Self.maxTries {
      digits = original
      permutation.apply(to: &digits, radices, pattern: pattern, number: number)
      if isUnusable(digits) || taken.contains(fingerprint(digits, pattern)) { continue }
      // The image must not be the usual one of another value.
      var other = digits
      permutation.apply(to: &other, radices, pattern: pattern, isInverse: true)
      if originals.contains(fingerprint(other, pattern)) { continue }
      taken.insert(fingerprint(digits, pattern))
      exceptions[key] = digits
      return
    }
    digits = usual
    exceptions[key] = usual
  }

  private static let maxTries: UInt64 = 64

  private func fingerprint(_ digits: [UInt32], _ pattern: UInt64) -> UInt64 {
    var hash = TwinHash(secret, .fingerprint)
    hash.combine(pattern)
    hash.combine(digits[...])
    return hash.value
  }

  /// Returns a hash of the part of a value that stays.
  func pattern(_ purpose: TwinPurpose, _ bytes: [UInt8]) -> UInt64 {
    var hash = TwinHash(secret, purpose)
    hash.combine(bytes)
    return hash.value
  }

  /// Returns numbers that depend on 128 bits of hashes of a value.
  func numbers(_ purpose: TwinPurpose, _ bytes: [UInt8]) -> TwinNumbers {
    var second = TwinHash(secret, .second)
    second.combine(purpose.rawValue)
    second.combine(bytes)
    return TwinNumbers(pattern(purpose, bytes), second.value)
  }
}

extension TwinValues {
  /// Returns bytes of the same length.
  func data(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > Self.maxShortLength else { return bytes }
    guard Double(bytes.count * 8) < Self.hashedBits else {
      if isCollecting { return bytes }
      var numbers = numbers(.data, bytes)
      var result = bytes
      var index = 0
      while index < result.count {
        var word = numbers.next()
        for place in index..<min(index + 8, result.count) {
          result[place] = UInt8(truncatingIfNeeded: word)
          word >>= 8
        }
        index += 8
      }
      return result
    }
    var digits = bytes.map(UInt32.init)
    let radices = [UInt32](repeating: 256, count: bytes.count)
    replace(&digits, radices, pattern: pattern(.data, [UInt8(bytes.count)]))
    return digits.map { UInt8(truncatingIfNeeded: $0) }
  }
}
