import Synchronization

/// The words of memory in which Swift keeps a short text of ASCII, without memory elsewhere.
///
/// Most texts of most files are short, and making one by the decoder takes three times as long. The
/// layout isn't a promise of Swift on all platforms: it is compared, once, with what Swift makes
/// itself, and where it differs the decoder makes all texts.
@usableFromInline
struct ShortText {
  /// The bytes, the first of them lowest; and behind them, in the last byte, the count.
  @usableFromInline let words: (UInt64, UInt64)

  /// The most bytes that a text of one has.
  @usableFromInline static let mostBytes = 15

  /// - Returns: Nil for an empty text, a longer one, and one with other letters than ASCII.
  @inlinable @inline(__always)
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    let count = bytes.count
    guard count > 0, count <= Self.mostBytes, let start = bytes.baseAddress else { return nil }
    let memory = UnsafeRawPointer(start)
    var low: UInt64
    var high: UInt64 = 0
    if count >= 8 {
      // The last eight bytes overlap the first ones.
      low = memory.loadUnaligned(as: UInt64.self)
      let last = (memory + count - 8).loadUnaligned(as: UInt64.self)
      if count > 8 { high = last &>> UInt64(8 * (16 - count)) }
    } else if count >= 4 {
      let last = UInt64((memory + count - 4).loadUnaligned(as: UInt32.self))
      low = UInt64(memory.loadUnaligned(as: UInt32.self)) | last &<< UInt64(8 * (count - 4))
    } else {
      low = UInt64(bytes[0]) | UInt64(bytes[count - 1]) &<< UInt64(8 * (count - 1))
      low |= UInt64(bytes[count / 2]) &<< UInt64(8 * (count / 2))
    }
    guard (low | high) & 0x8080_8080_8080_8080 == 0 else { return nil }
    words = (low, high | UInt64(0xE0 + count) &<< 56)
  }

  /// Whether Swift keeps short texts like this.
  @usableFromInline static let isSwifts: Bool = {
    guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return false }
    return (1...mostBytes).allSatisfy { count in
      // From space on, so that each byte is another one.
      let bytes = (0..<count).map { UInt8(0x20 + $0 * 6) }
      let made = unsafeBitCast(
        String(decoding: bytes, as: UTF8.self), to: (UInt64, UInt64).self)
      return bytes.withUnsafeBufferPointer { ShortText($0)?.words ?? (0, 0) } == made
    }
  }()
}

extension String {
  /// A text of SQLite; what is no UTF-8 in it is replaced, as in `String(decoding:as:)`.
  @inlinable @inline(__always)
  package init(sqliteText bytes: UnsafeBufferPointer<UInt8>) {
    if let short = ShortText(bytes), ShortText.isSwifts {
      self = unsafeBitCast(short.words, to: String.self)
    } else {
      self.init(decoding: bytes, as: UTF8.self)
    }
  }
}

/// The SQL of a statement that is asked for again and again.
///
/// A connection finds the statement of a kept text by its number, without hashing the text:
/// ``NumberedStatements``.
package final class StatementText: Sendable {
  package let sql: String
  private let isKept: Bool
  private let given = Atomic(none)

  private static let none = -1
  private static let numbers = Atomic(0)

  /// - Parameter isKept: Whether the text is made once for all of its uses.
  package init(_ sql: String, isKept: Bool = true) {
    self.sql = sql
    self.isKept = isKept
  }

  /// The number in this process, given at the first use: nothing but texts that are used takes
  /// places of others. Nil for a text that isn't kept, whose statement is found by the text.
  var number: Int? {
    guard isKept else { return nil }
    let number = given.load(ordering: .relaxed)
    return number == Self.none ? makeNumber() : number
  }

  private func makeNumber() -> Int {
    let new = Self.numbers.wrappingAdd(1, ordering: .relaxed).oldValue
    let result = given.compareExchange(expected: Self.none, desired: new, ordering: .relaxed)
    return result.exchanged ? new : result.original
  }
}
