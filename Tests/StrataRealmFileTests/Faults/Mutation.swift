import TestKit

/// Changes a few places of a file, in ways that reach what a reader relies on.
struct Mutation {
  private var random: SplitMix64
  private(set) var bytes: [UInt8]
  /// The positions of arrays.
  private let nodes: [Int]

  init(seed: UInt64, _ original: [UInt8], nodes: [Int]) {
    random = SplitMix64(seed: seed)
    bytes = original
    self.nodes = nodes
    for _ in 0..<Int.random(in: 1...4, using: &random) { change() }
  }

  /// The positions at which arrays may begin.
  static func nodes(of bytes: [UInt8]) -> [Int] {
    stride(from: 24, to: max(bytes.count - 7, 24), by: 8).filter { position in
      bytes[position..<position + 4].allSatisfy { $0 == 0x41 }
    }
  }

  private mutating func change() {
    let place = place()
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2, 3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 4: write([0, 0xFF, 0x7F, 0x80, 1].randomElement(using: &random)!, at: place)
    case 5, 6: setWord(place / 8 * 8, to: word())
    case 7: copyWord(from: place / 8 * 8)
    case 8: setCount()
    case 9: setFlags()
    case 10: zero(from: place)
    default: cut(at: place)
    }
  }

  /// Somewhere in the header of the file, in an array or in its header, or anywhere.
  private mutating func place() -> Int {
    let range: Range<Int> =
      switch Int.random(in: 0..<10, using: &random) {
      case 0: 0..<24
      case 1..<5 where !nodes.isEmpty:
        nodes.randomElement(using: &random).map { $0..<($0 + 8) } ?? 0..<24
      case 5..<9 where !nodes.isEmpty:
        nodes.randomElement(using: &random).map { ($0 + 8)..<($0 + 64) } ?? 0..<24
      default: 0..<bytes.count
      }
    return min(Int.random(in: range, using: &random), bytes.count - 1)
  }

  private mutating func write(_ byte: UInt8, at place: Int) { bytes[place] = byte }

  /// A random word: a ref of an array, an invalid ref, or an extreme number.
  private mutating func word() -> Int64 {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: 0
    case 1: -1
    case 2: .max
    case 3: .min
    case 4: Int64(bytes.count)
    case 5: Int64.random(in: 0...Int64(bytes.count), using: &random) / 8 * 8
    case 6: Int64.random(in: .min ... .max, using: &random)
    default: Int64(nodes.randomElement(using: &random) ?? 24)
    }
  }

  private mutating func setWord(_ position: Int, to word: Int64) {
    guard position + 8 <= bytes.count else { return }
    for byte in 0..<8 {
      bytes[position + byte] = UInt8(truncatingIfNeeded: word >> Int64(8 * byte))
    }
  }

  private mutating func copyWord(from position: Int) {
    let target = place() / 8 * 8
    guard position + 8 <= bytes.count, target + 8 <= bytes.count else { return }
    bytes.replaceSubrange(target..<target + 8, with: Array(bytes[position..<position + 8]))
  }

  /// Another number of elements: a little more or less, none, or the most that there can be.
  private mutating func setCount() {
    guard let node = nodes.randomElement(using: &random), node + 8 <= bytes.count else { return }
    let count =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: 0
      case 1: 0xFF_FFFF
      case 2: Int(bytes[node + 7]) + 1
      default: max(Int(bytes[node + 7]) - 1, 0)
      }
    for byte in 0..<3 { bytes[node + 5 + byte] = UInt8(count >> (16 - 8 * byte) & 255) }
  }

  private mutating func setFlags() {
    guard let node = nodes.randomElement(using: &random), node + 8 <= bytes.count else { return }
    bytes[node + 4] = UInt8.random(in: 0...255, using: &random)
  }

  private mutating func zero(from place: Int) {
    let end = min(place + Int.random(in: 1...64, using: &random), bytes.count)
    for position in place..<end { bytes[position] = 0 }
  }

  /// The end is missing, or there is more.
  private mutating func cut(at place: Int) {
    if Bool.random(using: &random) {
      bytes.removeLast(bytes.count - max(place, 1))
    } else {
      bytes += [UInt8](repeating: 0x41, count: Int.random(in: 1...64, using: &random))
    }
  }
}
