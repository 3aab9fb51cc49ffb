/// A set of row identities.
///
/// Identities that are close together share a block of 512 bytes for 4096 identities, so a million
/// consecutive ones take about 125 kB. Any Int64 may be a member. An identity in the block that was
/// changed last, or in a block that follows the first one without a gap, is found without hashing.
@usableFromInline
package struct RowSet: Sendable {
  // Bit `id & 4095` of block `id >> 12` is set if `id` is a member. The blocks are stored in
  // `words`, in the order of their first use.
  @usableFromInline var words: [UInt64] = []
  @usableFromInline var keys: [Int64] = []
  @usableFromInline var positions: [Int64: Int] = [:]
  @usableFromInline var lastPosition = 0

  @usableFromInline package internal(set) var count = 0

  package init() {}

  package init(_ rows: some Sequence<Int64>) {
    for row in rows { insert(row) }
  }

  package var isEmpty: Bool { count == 0 }

  @inlinable
  package func contains(_ id: Int64) -> Bool {
    guard let position = position(of: id >> Self.blockShift) else { return false }
    return words[Self.wordIndex(of: id, in: position)] & Self.bit(of: id) != 0
  }

  /// Adds `id`. Returns whether it was not a member before.
  @inlinable @discardableResult
  package mutating func insert(_ id: Int64) -> Bool {
    let position = makePosition(of: id >> Self.blockShift)
    lastPosition = position
    let index = Self.wordIndex(of: id, in: position)
    let word = words[index]
    guard word & Self.bit(of: id) == 0 else { return false }
    words[index] = word | Self.bit(of: id)
    count += 1
    return true
  }

  /// The members, ascending.
  package var members: [Int64] {
    var members: [Int64] = []
    members.reserveCapacity(count)
    for (key, position) in zip(keys, keys.indices).sorted(by: { $0.0 < $1.0 }) {
      for offset in 0..<Self.wordsPerBlock {
        var word = words[position * Self.wordsPerBlock + offset]
        while word != 0 {
          let bit = word.trailingZeroBitCount
          members.append(key << Self.blockShift + Int64(offset * 64 + bit))
          word &= word - 1
        }
      }
    }
    return members
  }

  package mutating func formUnion(_ other: RowSet) {
    if isEmpty {
      self = other
      return
    }
    for (otherPosition, key) in other.keys.enumerated() {
      let from = otherPosition * Self.wordsPerBlock
      let to = makePosition(of: key) * Self.wordsPerBlock
      for offset in 0..<Self.wordsPerBlock {
        let added = other.words[from + offset] & ~words[to + offset]
        words[to + offset] |= added
        count += added.nonzeroBitCount
      }
    }
  }
}

extension RowSet {
  @inlinable static var blockShift: Int64 { 12 }
  @inlinable static var wordsPerBlock: Int { 64 }

  @inlinable @inline(__always)
  static func wordIndex(of id: Int64, in position: Int) -> Int {
    position * wordsPerBlock + Int((id >> 6) & 63)
  }

  @inlinable @inline(__always)
  static func bit(of id: Int64) -> UInt64 { 1 << UInt64(id & 63) }

  /// Returns the position of the block with this key; nil if missing.
  @inlinable @inline(__always)
  func position(of key: Int64) -> Int? {
    guard let first = keys.first else { return nil }
    if keys[lastPosition] == key { return lastPosition }
    // Rows that are added in order have their blocks in order, too.
    let guess = Int(truncatingIfNeeded: key &- first)
    if keys.indices.contains(guess), keys[guess] == key { return guess }
    return positions[key]
  }

  /// Returns the position of the block with this key. Appends an empty block if necessary.
  @inlinable @inline(__always)
  mutating func makePosition(of key: Int64) -> Int {
    position(of: key) ?? appendBlock(key)
  }

  @usableFromInline
  mutating func appendBlock(_ key: Int64) -> Int {
    let position = keys.count
    keys.append(key)
    positions[key] = position
    words.append(contentsOf: repeatElement(0, count: Self.wordsPerBlock))
    return position
  }
}

/// The identities of many rows, in some order.
///
/// A row takes eight bytes, or none in a range of successive rows, such as the rows of a whole
/// table.
package struct RowSequence: Sendable {
  private enum Piece: Sendable {
    /// Successive identities from one on.
    case following(Int64)
    case rows([Int64])
  }

  /// Each piece has the same number of rows. A single array would exist twice while it grows.
  private var pieces: [Piece] = []
  private var last: [Int64] = []

  private static let pieceLength = 4096

  package init() {}

  /// Creates a sequence of successive identities.
  package init(_ range: ClosedRange<Int64>) {
    let (pieces, rest) = range.count.quotientAndRemainder(dividingBy: Self.pieceLength)
    self.pieces = (0..<pieces).map {
      .following(range.lowerBound + Int64($0) * Int64(Self.pieceLength))
    }
    last = Array(range.suffix(rest))
  }

  package var count: Int { pieces.count * Self.pieceLength + last.count }

  package subscript(position: Int) -> Int64 {
    let (piece, offset) = position.quotientAndRemainder(dividingBy: Self.pieceLength)
    guard piece < pieces.count else { return last[offset] }
    switch pieces[piece] {
    case .following(let first): return first + Int64(offset)
    case .rows(let rows): return rows[offset]
    }
  }

  /// Returns the rows at the existing ones of some positions.
  package subscript(positions: Range<Int>) -> [Int64] {
    positions.clamped(to: 0..<count).map { self[$0] }
  }

  package func firstIndex(of row: Int64) -> Int? {
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .following(let first):
        guard row >= first, row <= first + Int64(Self.pieceLength - 1) else { continue }
        return index * Self.pieceLength + Int(row - first)
      case .rows(let rows):
        if let offset = rows.firstIndex(of: row) { return index * Self.pieceLength + offset }
      }
    }
    return last.firstIndex(of: row).map { pieces.count * Self.pieceLength + $0 }
  }

  package mutating func append(_ row: Int64) {
    last.append(row)
    guard last.count == Self.pieceLength else { return }
    let first = last[0]
    if row == first &+ Int64(Self.pieceLength - 1), isAscending {
      pieces.append(.following(first))
      last.removeAll(keepingCapacity: true)
    } else {
      pieces.append(.rows(last))
      last = []
      last.reserveCapacity(Self.pieceLength)
    }
  }

  private var isAscending: Bool { zip(last, last.dropFirst()).allSatisfy { $0 < $1 } }
}
