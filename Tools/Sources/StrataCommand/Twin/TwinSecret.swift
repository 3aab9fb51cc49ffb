/// A secret of 128 bits, from which all values of a twin are computed.
struct TwinSecret: Sendable, Hashable {
  fileprivate let first: UInt64
  fileprivate let second: UInt64

  /// Draws a secret at random.
  init() {
    var system = SystemRandomNumberGenerator()
    first = system.next()
    second = system.next()
  }

  /// Derives a secret from a number. The same number always gives the same secret.
  init(seed: UInt64) {
    var numbers = TwinNumbers(seed, 0x9E37_79B9_7F4A_7C15)
    first = numbers.next()
    second = numbers.next()
  }

  /// The distance by which all dates move towards the past, in seconds: between one year and nine.
  ///
  /// Most dates come nearer to 2001, where `Date` is more precise, so different dates keep
  /// different texts. The distance is never a number of whole minutes, so a date on the full minute
  /// isn't on a full minute afterwards.
  var dateDistance: Int64 {
    var numbers = TwinNumbers(TwinHash(self, .dates).value, 1)
    let minutes = 525_600 + Int64(numbers.next(below: 4_204_800))
    return minutes * 60 + 1 + Int64(numbers.next(below: 59))
  }

  /// The mark of the first entry of a history.
  var historyMark: Int64 {
    Int64(bitPattern: TwinHash(self, .history).value & UInt64(Int64.max))
  }
}

/// The purposes of a hash. Hashes of the same value for different purposes are unrelated.
enum TwinPurpose: UInt64 {
  case dates = 1
  case history
  case text, data, int, double, float, decimal, uuid, objectId
  case fingerprint, rounds, shift, second
}

/// A hash of words and bytes with a secret: SipHash-2-4.
struct TwinHash {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  init(_ secret: TwinSecret, _ purpose: TwinPurpose) {
    v0 = secret.first ^ 0x736F_6D65_7073_6575
    v1 = secret.second ^ 0x646F_7261_6E64_6F6D
    v2 = secret.first ^ 0x6C79_6765_6E65_7261
    v3 = secret.second ^ 0x7465_6462_7974_6573
    combine(purpose.rawValue)
  }

  mutating func combine(_ word: UInt64) {
    v3 ^= word
    mix()
    mix()
    v0 ^= word
  }

  /// Adds bytes and their number.
  mutating func combine(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var index = 0
      while index + 8 <= bytes.count {
        combine(
          UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
        index += 8
      }
      var last = UInt64(truncatingIfNeeded: bytes.count) << 56
      for (place, byte) in bytes[index...].enumerated() { last |= UInt64(byte) << (8 * place) }
      combine(last)
    }
  }

  /// Adds digits, two in each word.
  mutating func combine(_ digits: ArraySlice<UInt32>) {
    var index = digits.startIndex
    while index < digits.endIndex {
      let next = index + 1 < digits.endIndex ? digits[index + 1] : 0
      combine(UInt64(digits[index]) | UInt64(next) << 32)
      index += 2
    }
  }

  var value: UInt64 {
    var end = self
    end.v2 ^= 0xFF
    for _ in 0..<4 { end.mix() }
    return end.v0 ^ end.v1 ^ end.v2 ^ end.v3
  }

  private mutating func mix() {
    v0 &+= v1
    v2 &+= v3
    v1 = Self.rotate(v1, 13) ^ v0
    v3 = Self.rotate(v3, 16) ^ v2
    v0 = Self.rotate(v0, 32)
    v2 &+= v1
    v0 &+= v3
    v1 = Self.rotate(v1, 17) ^ v2
    v3 = Self.rotate(v3, 21) ^ v0
    v2 = Self.rotate(v2, 32)
  }

  private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word &<< bits | word &>> (64 - bits)
  }
}

/// A pseudorandom sequence, computed from two words.
struct TwinNumbers: RandomNumberGenerator {
  private var state: UInt64
  private let step: UInt64

  init(_ state: UInt64, _ step: UInt64) {
    self.state = state
    self.step = step | 1
  }

  mutating func next() -> UInt64 {
    state &+= step
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  /// Returns a number in `0..<bound`.
  mutating func next(below bound: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32)
  }
}
