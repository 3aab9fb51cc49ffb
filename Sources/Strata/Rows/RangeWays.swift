import StrataQuery
import Synchronization

/// The ways to the rows of a prepared query with ranges: its SQL for each.
final class RangeWays: Sendable {
  let ranges: IndexedRanges
  private let queries = Mutex<[RangeWay: PreparedQuery]>([:])

  init?(_ sql: QuerySQL) {
    guard let ranges = sql.ranges else { return nil }
    self.ranges = ranges
  }

  /// The prepared query that goes one way.
  func query(_ way: RangeWay, _ make: () -> PreparedQuery) -> PreparedQuery {
    queries.withLock { queries in
      if let known = queries[way] { return known }
      let made = make()
      queries[way] = made
      return made
    }
  }
}
