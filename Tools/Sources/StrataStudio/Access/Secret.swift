import StrataSchema

/// A secret of 256 random bits, as 64 hexadecimal digits.
struct Secret: Sendable, Hashable {
  let text: String

  init(using random: inout some RandomNumberGenerator) {
    text = hexDigits(of: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
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
