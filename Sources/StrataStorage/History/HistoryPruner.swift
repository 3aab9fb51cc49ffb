package import GRDB
package import StrataSchema

/// The deletion of what a history need not keep any longer: always its oldest transactions, so that
/// a token of one that is gone is found out.
package enum HistoryPruner {
  /// How many rows go at once: nobody can write meanwhile.
  private static let mostRows = 5_000

  /// Deletes what is older or further back than the settings say, and that no consumer waits for.
  ///
  /// The newest row stays: its position must not be given again.
  /// - Returns: How many rows went.
  @discardableResult
  package static func prune(_ settings: HistorySettings, _ db: Database) throws -> Int {
    let retention = settings.retention
    guard let newest = try Int64.fetchOne(db, sql: "SELECT max(position) FROM strata_history")
    else { return 0 }
    let firstYoung = try Int64.fetchOne(
      db,
      sql: """
        SELECT position FROM strata_history WHERE at >= \(moment(before: "?"))
        ORDER BY position LIMIT 1
        """, arguments: [retention.age])
    let consumed = try Int64.fetchOne(
      db,
      sql: """
        SELECT min(position) FROM strata_history_consumer
        WHERE updated_at >= \(moment(before: "?"))
        """, arguments: [retention.consumerAge])
    let ofCount = newest.subtractingReportingOverflow(Int64(retention.count)).partialValue + 1
    let end = min(max(firstYoung ?? newest, ofCount), consumed ?? newest, newest)
    return try delete(before: end, atMost: mostRows, db)
  }

  /// Deletes the rows before a position.
  @discardableResult
  package static func delete(
    before position: Int64, atMost count: Int = .max, _ db: Database
  ) throws -> Int {
    try db.execute(
      sql: """
        DELETE FROM strata_history WHERE position IN (
          SELECT position FROM strata_history WHERE position < ? ORDER BY position LIMIT ?)
        """, arguments: [position, count])
    return db.changesCount
  }

  /// SQL for the time some seconds ago, as entries have it. A time before all others where the
  /// calendar ends.
  private static func moment(before seconds: String) -> String {
    "coalesce(strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || \(seconds) || ' seconds'), '')"
  }
}
