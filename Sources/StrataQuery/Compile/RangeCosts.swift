/// The time that SQLite takes for the ways to the rows of a range.
///
/// In microseconds, from measurements of tables in memory whose rows have 70 to 6,000 bytes: only
/// their ratios count.
package struct RangeCosts: Sendable, Hashable {
  /// The order in which rows are read.
  enum Order {
    /// Any: for a value that is computed of all of them, or for sorting them.
    case any
    case identities
  }

  /// The rows of the table.
  package var rows: Int64
  /// The bytes of one.
  package var width: Int

  package init(rows: Int64, width: Int) {
    self.rows = rows
    self.width = width
  }

  /// Tables with fewer rows are read in a millisecond either way.
  package static let fewestRows: Int64 = 20_000
  /// So many entries of an index tell how far apart their rows are. A range with fewer is searched.
  package static let sample = 128

  /// Going through the table, for each of its rows. Values that go beyond a page are passed by.
  private var scan: Double { 0.035 + 0.00033 * Double(min(width, 1_600)) }

  /// Finding a row from an entry of an index.
  private func index(_ distance: Double) -> Double { 0.1 + 1.5 * distance }

  /// The same in the order of identities, which are sorted first.
  private func identities(_ distance: Double) -> Double {
    0.22 + (0.68 + 0.0008 * Double(min(width, 1_000))) * distance
  }

  /// How far apart rows are that follow each other in an index, in pages: 0 for those that are
  /// in one, at most 1.
  func distance(_ identities: [Int64]) -> Double {
    guard identities.count > 1 else { return 1 }
    let sum = zip(identities, identities.dropFirst()).reduce(0.0) { sum, pair in
      sum + min(1, abs(Double(pair.1) - Double(pair.0)) * Double(max(width, 1)) / 4_096)
    }
    return sum / Double(identities.count - 1)
  }

  /// The better one of the ways by an index, and what it takes for each row.
  private func best(_ order: Order, _ distance: Double) -> (isByIdentity: Bool, cost: Double) {
    let identities = identities(distance)
    // In the order of the index, objects would have to be sorted.
    guard order == .any, index(distance) <= identities else { return (true, identities) }
    return (false, index(distance))
  }

  /// How many rows a range may have, so that its index isn't slower than the scan.
  func limit(_ order: Order, _ distance: Double) -> Int64 {
    let share = scan / best(order, distance).cost
    return Int64(Double(rows) * min(1, share))
  }

  /// The way by the index of a range, for one that has fewer rows than the limit.
  func way(_ order: Order, _ distance: Double, by range: Int) -> RangeWay {
    best(order, distance).isByIdentity ? .identities(range) : .index(range)
  }

  /// What that way takes.
  func time(_ order: Order, _ distance: Double, of count: Int64) -> Double {
    best(order, distance).cost * Double(count)
  }
}
