package import GRDB
package import StrataSchema

/// The deletion of expired transactions of a history. The oldest transactions are always deleted
/// first, so that a token of a deleted transaction can be detected.
package enum HistoryPruner {
  /// The number of rows that are deleted at once: no one else can write meanwhile.
  package static let maxRows = 2_000

  /// Deletes at most ``maxRows`` of the expired rows.
  ///
  /// - Returns: Whether more rows may be left.
  @discardableResult
  package static func prune(_ settings: HistorySettings, _ db: Database) throws -> Bool {
    try delete(before: firstKept(settings, db), atMost: maxRows, db)
    return db.changesCount == maxRows
  }

  /// Whether there are expired rows. This only reads.
  package static func isDue(_ settings: HistorySettings, _ db: Database) throws -> Bool {
    let sql = "SELECT EXISTS (SELECT 1 FROM strata_history WHERE position < ?)"
    return try Bool.fetchOne(db, sql: sql, arguments: [firstKept(settings, db)]) == true
  }

  /// Returns the position of the first row to keep. Earlier rows are expired by age or by count,
  /// and no consumer waits for them.
  ///
  /// The last expired row is kept as well, so that a reader whose token it is has missed nothing.
  /// So is the newest row, because its position must not be used again.
  private static func firstKept(_ settings: HistorySettings, _ db: Database) throws -> Int64 {
    let retention = settings.retention
    guard let newest = try Int64.fetchOne(db, sql: "SELECT max(position) FROM strata_history")
    else { return .min }
    var firstYoung = try Int64.fetchOne(
      db,
      sql: """
        SELECT position FROM strata_history WHERE at >= \(moment)
        ORDER BY position LIMIT 1
        """, arguments: [retention.age])
    // The clock isn't checked while nothing is too old.
    let oldest = try Int64.fetchOne(db, sql: "SELECT min(position) FROM strata_history")
    if firstYoung != oldest, try !isBelieved(retention.age, db) { firstYoung = .min }
    var consumers = try Row.fetchAll(
      db,
      sql: """
        SELECT position, updated_at >= \(moment) FROM strata_history_consumer
        """, arguments: [retention.consumerAge])
    if consumers.contains(where: { $0[1] == false }), try isBelieved(retention.consumerAge, db) {
      consumers.removeAll { $0[1] == false }
    }
    let consumed = consumers.map { $0[0] as Int64 }.min()
    // The file may contain any number.
    let (ofCount, isBefore) = newest.subtractingReportingOverflow(
      Int64(max(1, retention.count)) - 1)
    let firstWanted = max(firstYoung ?? .max, isBefore ? .min : ofCount)
    let before = try Int64.fetchOne(
      db, sql: "SELECT max(position) FROM strata_history WHERE position < ?",
      arguments: [firstWanted])
    return min(before ?? firstWanted, consumed ?? newest, newest)
  }

  /// Whether the clock can be trusted that rows are older than an age in seconds: there must be a
  /// younger row that is also older than an hour.
  ///
  /// The first transactions after the clock was set far ahead, or was corrected after running far
  /// behind, would otherwise treat everything as expired.
  private static func isBelieved(_ age: Double, _ db: Database) throws -> Bool {
    guard age > 0 else { return true }
    let sql = """
      SELECT EXISTS (
        SELECT 1 FROM strata_history
        WHERE at >= \(moment) AND at <= \(moment))
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

  /// The SQL of the time as many seconds ago as its parameter says, in the format of the entries. A
  /// time before the beginning of the calendar precedes all others.
  private static let moment =
    "coalesce(strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || ? || ' seconds'), '')"
}
