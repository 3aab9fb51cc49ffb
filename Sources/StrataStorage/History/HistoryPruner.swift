package import GRDB
package import StrataSchema

/// The deletion of what a history need not keep any longer: always its oldest transactions, so that
/// a token of one that is gone is found out.
package enum HistoryPruner {
  /// The most rows that go at once: nobody can write meanwhile.
  package static let maxRows = 2_000

  /// Deletes what need not be kept, a part of it at most.
  ///
  /// - Returns: Whether more is left.
  @discardableResult
  package static func prune(_ settings: HistorySettings, _ db: Database) throws -> Bool {
    try delete(before: firstKept(settings, db), atMost: maxRows, db)
    return db.changesCount == maxRows
  }

  /// Whether there is anything that need not be kept: this only reads.
  package static func isDue(_ settings: HistorySettings, _ db: Database) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM strata_history WHERE position < ?)"
    return try Bool.fetchOne(db, sql: sql, arguments: [firstKept(settings, db)]) == true
  }

  /// The position of the first row that stays: others are older or further back than the settings
  /// say, and no consumer waits for them.
  ///
  /// The last one of these stays, too: who has had it, and was waiting since, has missed nothing.
  /// So does the newest row: its position must not be given again.
  private static func firstKept(_ settings: HistorySettings, _ db: Database) throws -> Int64 {
    let retention = settings.retention
    guard let newest = try Int64.fetchOne(db, sql: "SELECT max(position) FROM strata_history")
    else { return .min }
    var firstYoung = try Int64.fetchOne(
      db,
      sql: """
        SELECT position FROM strata_history WHERE at >= \(moment(before: "?"))
        ORDER BY position LIMIT 1
        """, arguments: [retention.age])
    // Nothing is asked of the clock while nothing is too old.
    let oldest = try Int64.fetchOne(db, sql: "SELECT min(position) FROM strata_history")
    if firstYoung != oldest, try !isBelieved(retention.age, db) { firstYoung = .min }
    var consumers = try Row.fetchAll(
      db,
      sql: """
        SELECT position, updated_at >= \(moment(before: "?")) FROM strata_history_consumer
        """, arguments: [retention.consumerAge])
    if consumers.contains(where: { $0[1] == false }), try isBelieved(retention.consumerAge, db) {
      consumers.removeAll { $0[1] == false }
    }
    let consumed = consumers.map { $0[0] as Int64 }.min()
    // Any number may be in a file.
    let (ofCount, isBefore) = newest.subtractingReportingOverflow(
      Int64(max(1, retention.count)) - 1)
    let firstWanted = max(firstYoung ?? .max, isBefore ? .min : ofCount)
    let before = try Int64.fetchOne(
      db, sql: "SELECT max(position) FROM strata_history WHERE position < ?",
      arguments: [firstWanted])
    return min(before ?? firstWanted, consumed ?? newest, newest)
  }

  /// Whether the clock can be right that something is older than an age, in seconds: there is a
  /// transaction that isn't, and isn't one of the last hour either.
  ///
  /// The first transactions with a clock that is far ahead, or with the right one after one that
  /// was far behind, would find everything too old.
  private static func isBelieved(_ age: Double, _ db: Database) throws -> Bool {
    guard age > 0 else { return true }
    let sql = """
      SELECT EXISTS (
        SELECT 1 FROM strata_history
        WHERE at >= \(moment(before: "?")) AND at <= \(moment(before: "?")))
      """
    return try Bool.fetchOne(db, sql: sql, arguments: [age, min(3_600, age / 2)]) == true
  }

  /// Deletes the rows before a position.
  package static func delete(
    before position: Int64, atMost count: Int = .max, _ db: Database
  ) throws {
    try db.execute(
      sql: """
        DELETE FROM strata_history WHERE position IN (
          SELECT position FROM strata_history WHERE position < ? ORDER BY position LIMIT ?)
        """, arguments: [position, count])
  }

  /// SQL for the time some seconds ago, as entries have it. A time before all others where the
  /// calendar ends.
  private static func moment(before seconds: String) -> String {
    "coalesce(strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || \(seconds) || ' seconds'), '')"
  }
}
