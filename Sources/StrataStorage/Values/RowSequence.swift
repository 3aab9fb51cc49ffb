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
