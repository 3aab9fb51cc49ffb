/// A secret of 256 random bits, as 64 hexadecimal digits.
struct Secret: Sendable, Hashable {
  let text: String

  init(using random: inout some RandomNumberGenerator) {
    var digits: [UInt8] = []
    for _ in 0..<4 {
      let bits: UInt64 = random.next()
      for shift in stride(from: 60, through: 0, by: -4) {
        digits.append(hexDigit(UInt8(truncatingIfNeeded: bits >> UInt64(shift)) & 15))
      }
    }
    text = String(decoding: digits, as: UTF8.self)
  }

  /// Whether a text from outside is the secret.
  ///
  /// Compares in constant time: otherwise an attacker could guess digit by digit.
  func matches(_ other: String) -> Bool {
    let own = Array(text.utf8)
    let other = Array(other.utf8)
    guard own.count == other.count else { return false }
    var difference: UInt8 = 0
    for (one, two) in zip(own, other) { difference |= one ^ two }
    return difference == 0
  }
}
