import StrataQuery
import StrataStorage

extension ObjectQuery {
  /// Returns the same query in the form that SQLite executes fastest.
  ///
  /// Most queries have only one form, and are returned unchanged.
  @inline(__always)
  func fastest(for use: RangeUse, in session: Session) -> ObjectQuery {
    guard let ways else { return self }
    return fastest(of: ways, for: use, session)
  }

  @inline(never)
  private func fastest(of ways: RangeWays, for use: RangeUse, _ session: Session) -> ObjectQuery {
    let ranges = ways.ranges
    if ranges.isUsual(for: use) { return self }
    let (constants, time) = (parameters, session.clock.now)
    let answers = session.store.rangeAnswers
    let question = RangeAnswers.Question(
      ranges: ranges, use: use, constants: constants, time: time)
    if let known = answers.way(question, of: table) { return taking(known, of: ways) }
    let size = answers.size(of: table, ranges, at: time) { session.number($0, []) }
    guard let size else { return self }
    let parameter = parameter(1)
    let way = ranges.way(for: use, size) { range in
      let most = StoredValue.integer(Int64(RangeCosts.sample))
      return try? session.integers(ranges.sample(range, parameter), constants + [most])
    } count: { range, limit in
      session.number(ranges.count(range, parameter), constants + [.integer(limit)])
    }
    answers.record(way, for: question, of: table)
    return taking(way, of: ways)
  }
}

extension Session {
  /// Returns the integer of a statement; nil after an error, which the query itself will report.
  fileprivate func number(_ sql: String, _ parameters: [StoredValue]) -> Int64? {
    (try? integers(sql, parameters))?.first
  }
}
