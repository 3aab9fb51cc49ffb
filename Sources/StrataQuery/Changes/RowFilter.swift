/// A few rows out of many, made to be asked for each row of a long list.
struct RowFilter: Sendable {
  private let lowest: Int64
  /// How many identities the bits stand for.
  private let span: UInt64
  private var bits: [UInt64]
  /// Nil where each identity has a bit of its own; else several share one.
  private let rows: Set<Int64>?

  /// Whether it has no rows at all.
  let isEmpty: Bool

  init(_ rows: [Int64]) {
    isEmpty = rows.isEmpty
    lowest = rows.min() ?? 0
    let width = UInt64(bitPattern: (rows.max() ?? 0) &- lowest)
    let room = max(1 << 23, UInt64(rows.count) * 64)
    if width < room {
      span = width + 1
      self.rows = nil
      bits = [UInt64](repeating: 0, count: Int(width / 64 + 1))
    } else {
      span = 0
      self.rows = Set(rows)
      // A power of two, at least sixteen bits for each row.
      var words = 16
      while words * 4 < rows.count { words *= 2 }
      bits = [UInt64](repeating: 0, count: words)
    }
    for row in rows {
      let bit = place(of: row)
      bits[Int(bit >> 6)] |= 1 << (bit & 63)
    }
  }

  @inline(__always)
  private func place(of row: Int64) -> UInt64 {
    let distance = UInt64(bitPattern: row &- lowest)
    return span > 0 ? distance : distance & (UInt64(bits.count) &* 64 &- 1)
  }

  @inline(__always)
  func contains(_ row: Int64) -> Bool {
    let bit = place(of: row)
    guard span == 0 || bit < span else { return false }
    guard bits[Int(bit >> 6)] & (1 << (bit & 63)) != 0 else { return false }
    return rows?.contains(row) ?? true
  }
}
