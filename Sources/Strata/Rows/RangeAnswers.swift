import StrataQuery
import StrataSchema
import Synchronization

/// The sizes of the tables of one file, and the last ways to ranges of their rows.
final class RangeAnswers: Sendable {
  /// A question about constants, at a time of the session's clock.
  struct Question: Sendable, Equatable {
    var ranges: IndexedRanges
    var use: RangeUse
    var constants: [StoredValue]
    var time: UInt64
  }

  private struct Known: Sendable {
    var costs: RangeCosts
    var time: UInt64
    /// The number of rows when the width was read.
    var measured: Int64
  }

  /// The sizes by the positions of the tables.
  private let sizes = Mutex<[Int: Known]>([:])
  private let ways = Mutex<[Int: (question: Question, way: RangeWay)]>([:])
  /// The number of commits after which a small table is measured again.
  private static let commits: UInt64 = 64

  /// The last way to rows of a table, if it was for the same question.
  func way(_ question: Question, of table: Table) -> RangeWay? {
    ways.withLock { ways in
      guard let known = ways[table.index], known.question == question else { return nil }
      return known.way
    }
  }

  func record(_ way: RangeWay, for question: Question, of table: Table) {
    ways.withLock { $0[table.index] = (question, way) }
  }

  /// The size of a table; nil for a small table, and for one that can't be read.
  ///
  /// - Parameter read: Runs a statement and returns its integer.
  func size(
    of table: Table, _ ranges: IndexedRanges, at time: UInt64, _ read: (String) -> Int64?
  ) -> RangeCosts? {
    let known = sizes.withLock { $0[table.index] }
    if let known, known.time == time || isSmall(known, time) { return usable(known) }
    guard let rows = read(ranges.rowCountSQL) else { return nil }
    let costs = RangeCosts(rows: rows, width: known?.costs.width ?? 0)
    var new = Known(costs: costs, time: time, measured: known?.measured ?? 0)
    if rows >= RangeCosts.minRows, rows > new.measured + new.measured / 2 {
      new.costs.width = Int(read(ranges.widthStatement) ?? 0)
      new.measured = rows
    }
    sizes.withLock { [new] in $0[table.index] = new }
    return usable(new)
  }

  private func isSmall(_ known: Known, _ time: UInt64) -> Bool {
    known.costs.rows < RangeCosts.minRows / 2 && time &- known.time < Self.commits
  }

  private func usable(_ known: Known) -> RangeCosts? {
    known.costs.rows >= RangeCosts.minRows ? known.costs : nil
  }
}

/// The ways to the rows of a prepared query with ranges, each with its SQL.
final class RangeWays: Sendable {
  let ranges: IndexedRanges
  private let queries = Mutex<[RangeWay: PreparedQuery]>([:])

  init?(_ sql: QuerySQL) {
    guard let ranges = sql.ranges else { return nil }
    self.ranges = ranges
  }

  func query(_ way: RangeWay, _ make: () -> PreparedQuery) -> PreparedQuery {
    queries.withLock { queries in
      if let known = queries[way] { return known }
      let made = make()
      queries[way] = made
      return made
    }
  }
}
