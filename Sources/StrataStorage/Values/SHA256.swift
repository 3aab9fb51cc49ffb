/// The hash function SHA-256 of FIPS 180-4, with a result of 32 bytes.
///
/// Only keys are hashed, so programs don't need a library for cryptography.
enum SHA256 {
  static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var state = firstState
    var message = Array(bytes)
    let bits = UInt64(message.count) * 8
    // The last block is filled by a set bit, zeros, and the length.
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      message.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    for start in stride(from: 0, to: message.count, by: 64) {
      add(message[start..<start + 64], to: &state)
    }
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let before = words[index - 15]
      let last = words[index - 2]
      let first = rotate(before, 7) ^ rotate(before, 18) ^ before >> 3
      let second = rotate(last, 17) ^ rotate(last, 19) ^ last >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let sum = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let choice = e & f ^ ~e & g
      let first = h &+ sum &+ choice &+ constants[index] &+ words[index]
      let majority = a & b ^ a & c ^ b & c
      let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
    word >> bits | word << (32 - bits)
  }

  private static let firstState = fractions(of: 8) { $0.squareRoot() }
  private static let constants = fractions(of: 64) { cubeRoot($0) }

  /// Returns the first 32 fractional bits of the roots of the first prime numbers.
  private static func fractions(of count: Int, _ root: (Double) -> Double) -> [UInt32] {
    var primes: [Int] = []
    var candidate = 2
    while primes.count < count {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes.map { prime in
      let value = root(Double(prime))
      return UInt32((value - value.rounded(.down)) * 0x1p32)
    }
  }

  /// Uses Newton's method, up to the last bit that is needed here.
  private static func cubeRoot(_ number: Double) -> Double {
    var root = number
    for _ in 0..<100 { root -= (root * root * root - number) / (3 * root * root) }
    return root
  }
}
