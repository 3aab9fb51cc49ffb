/// The purpose that the rows of a query are asked for.
package enum RangeUse: Sendable, Hashable {
  /// A value that is computed of some columns, quoted.
  case values([String])
  /// All objects.
  case objects
  /// The first object or the last one.
  case first
}

extension IndexedRanges {
  /// Whether the way that SQLite takes is the best, whatever is in the file.
  package func isUsual(for use: RangeUse) -> Bool {
    switch use {
    case .values(let columns): isCovered(reading: columns)
    case .objects, .first: order == .index
    }
  }

  /// The way that takes the least time, or at most a fifth more.
  ///
  /// - Parameters:
  ///   - sample: The first identities of a range in the order of its index; nil after a failure.
  ///   - count: The number of rows in a range, up to a limit; nil after a failure.
  package func way(
    for use: RangeUse, _ costs: RangeCosts, sample: (Range) -> [Int64]?,
    count: (Range, _ limit: Int64) -> Int64?
  ) -> RangeWay {
    let rowOrder = rowOrder(for: use)
    var best: (way: RangeWay, time: Double)?
    for (number, range) in ranges.enumerated() {
      guard let rows = sample(range) else { return .usual }
      if rows.count < RangeCosts.sample {
        return rowOrder == .identities && use != .first ? .identities(number) : index(number)
      }
      let distance = costs.distance(rows)
      if use == .first, order == .identities, isCovered() {
        return count(range, Self.mostForFirst).map { first($0, distance) } ?? .usual
      }
      let limit = costs.limit(rowOrder, distance)
      let way = costs.way(rowOrder, distance, by: number)
      if limit >= costs.rows, ranges.count == 1 { return simplest(way) }
      guard let found = count(range, limit) else { return .usual }
      guard found < limit else { continue }
      let time = costs.time(rowOrder, distance, of: found)
      if time < best?.time ?? .infinity { best = (way, time) }
    }
    return best.map { simplest($0.way) } ?? .scan
  }

  private func rowOrder(for use: RangeUse) -> RangeCosts.Order {
    if case .values = use { return .any }
    return order == .identities ? .identities : .any
  }

  /// SQLite finds the least identity of a range in its index alone; of many that lie anywhere, one
  /// is near the beginning of the table.
  private func first(_ count: Int64, _ distance: Double) -> RangeWay {
    count < Self.mostForFirst || distance < 0.25 ? .usual : .scan
  }

  private static let mostForFirst: Int64 = 20_000

  private func index(_ number: Int) -> RangeWay { simplest(.index(number)) }

  /// The only index is what SQLite takes by itself.
  private func simplest(_ way: RangeWay) -> RangeWay {
    ranges.count == 1 && way == .index(0) ? .usual : way
  }
}
