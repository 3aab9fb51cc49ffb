/// The time that SQLite takes for the plans that read the rows of a range.
///
/// In microseconds, from measurements of in-memory tables whose rows have 70 to 6,000 bytes. Only
/// their ratios matter.
package struct RangeCosts: Sendable, Hashable {
  /// The order in which rows are read.
  enum Order {
    /// Any order: for a value that is computed from all rows, or for sorting them.
    case any
    case identities
  }

  /// The number of rows in the table.
  package var rows: Int64
  /// The size of a row in bytes.
  package var width: Int

  package init(rows: Int64, width: Int) {
    self.rows = rows
    self.width = width
  }

  /// Tables with fewer rows are read in a millisecond by either plan.
  package static let minRows: Int64 = 20_000
  /// The number of index entries from which the distance of their rows is estimated. A range with
  /// fewer entries uses the index.
  package static let sample = 128

  /// The time of a table scan for each row. Overflow pages are skipped.
  private var scan: Double { 0.035 + 0.00033 * Double(min(width, 1_600)) }

  /// The time to find a row from an entry of an index.
  private func index(_ distance: Double) -> Double { 0.1 + 1.5 * distance }

  /// The time to find a row in the order of identities, including sorting them.
  private func identities(_ distance: Double) -> Double {
    0.22 + (0.68 + 0.0008 * Double(min(width, 1_000))) * distance
  }

  /// Returns the average distance of successive rows of an index, in pages: 0 for rows in one page,
  /// at most 1.
  func distance(_ identities: [Int64]) -> Double {
    guard identities.count > 1 else { return 1 }
    let sum = zip(identities, identities.dropFirst()).reduce(0.0) { sum, pair in
      sum + min(1, abs(Double(pair.1) - Double(pair.0)) * Double(max(width, 1)) / 4_096)
    }
    return sum / Double(identities.count - 1)
  }

  /// Returns the faster plan with an index, and its time for each row.
  private func best(_ order: Order, _ distance: Double) -> (isByIdentity: Bool, cost: Double) {
    let identities = identities(distance)
    // In the order of the index, objects would have to be sorted.
    guard order == .any, index(distance) <= identities else { return (true, identities) }
    return (false, index(distance))
  }

  /// Returns the largest number of rows in a range for which its index isn't slower than the scan.
  func limit(_ order: Order, _ distance: Double) -> Int64 {
    let share = scan / best(order, distance).cost
    return Int64(Double(rows) * min(1, share))
  }

  /// Returns the plan with the index of a range that has fewer rows than the limit.
  func way(_ order: Order, _ distance: Double, by range: Int) -> RangeWay {
    best(order, distance).isByIdentity ? .identities(range) : .index(range)
  }

  /// Returns the time of that plan.
  func time(_ order: Order, _ distance: Double, of count: Int64) -> Double {
    best(order, distance).cost * Double(count)
  }
}
