package import GRDB
package import StrataSchema

/// `strata_older_writes`: the rows that older programs have added or changed in classes with
/// properties that they don't know.
///
/// Each row of the table is a range of identities. The newest program visits these objects once:
/// `adoptsOlderWrites`. The table doesn't exist before the first such write.
package enum OlderWrites {
  package static let name = "strata_older_writes"

  private static let createSQL = """
    CREATE TABLE IF NOT EXISTS "strata_older_writes" (
      "class" TEXT NOT NULL,
      "first" INTEGER NOT NULL,
      "last" INTEGER NOT NULL,
      "version" INTEGER NOT NULL
    ) STRICT
    """

  /// The limit of ranges of a class. Beyond it, one range contains all of them.
  private static let maxRanges = 1_000

  /// Adds rows of a class, in the transaction that writes them.
  ///
  /// - Parameter rows: The identities in ascending order; nil if they aren't known.
  package static func add(
    _ rows: [Int64]?, of className: String, version: UInt64, _ db: Database
  ) throws {
    try db.execute(sql: createSQL)
    let version = Int64(bitPattern: version)
    for range in rows.map({ HistoryGroup.runs($0) }) ?? [Int64.min...Int64.max] {
      // Extends an existing range: many programs only add objects, with successive identities.
      try db.execute(
        sql: """
          UPDATE strata_older_writes SET last = ?3, version = min(version, ?4)
          WHERE class = ?1 AND last BETWEEN ?2 - 1 AND ?3 AND first <= ?2
          """, arguments: [className, range.lowerBound, range.upperBound, version])
      guard db.changesCount == 0 else { continue }
      try db.execute(
        sql: """
          INSERT INTO strata_older_writes (class, first, last, version) SELECT ?1, ?2, ?3, ?4
          WHERE NOT EXISTS (SELECT 1 FROM strata_older_writes
            WHERE class = ?1 AND first <= ?2 AND last >= ?3)
          """, arguments: [className, range.lowerBound, range.upperBound, version])
    }
    try merge(className, db)
  }

  private static func merge(_ className: String, _ db: Database) throws {
    let sql = """
      SELECT count(*), min(first), max(last), min(version) FROM strata_older_writes WHERE class = ?
      """
    guard let row = try Row.fetchOne(db, sql: sql, arguments: [className]), row[0] > maxRanges
    else { return }
    try remove(className, db)
    try db.execute(
      sql: "INSERT INTO strata_older_writes (class, first, last, version) VALUES (?, ?, ?, ?)",
      arguments: [className, row[1] as Int64, row[2] as Int64, row[3] as Int64])
  }

  /// Returns the oldest version of the programs that wrote, if any rows are recorded.
  package static func oldestVersion(_ db: Database) throws -> UInt64? {
    guard try exists(db) else { return nil }
    return try Int64.fetchOne(db, sql: "SELECT min(version) FROM strata_older_writes")
      .flatMap { UInt64(exactly: $0) }
  }

  private static func exists(_ db: Database) throws -> Bool {
    try db.once("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '\(name)'") {
      try $0.stepRaw()
    }
  }

  /// Returns the query for the recorded objects of a class that still exist. SQLite looks up only
  /// these.
  package static func identities(
    _ className: String, in table: String, identity: String
  ) -> String {
    """
    SELECT DISTINCT o.\(identity) FROM strata_older_writes AS w \
    CROSS JOIN \(table) AS o ON o.\(identity) BETWEEN w.first AND w.last \
    WHERE w.class = \(StoredValue.text(className).sqlLiteral)
    """
  }

  /// Returns the number of recorded objects of each class of a file that still exist.
  package static func counts(_ schema: Schema, _ db: Database) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for object in schema.stored.objectSchema {
      let identities = identities(
        object.className, in: SQLName.quote(object.className),
        identity: SQLName.quote(object.identityColumn))
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(identities))") ?? 0
      if count > 0 { counts[object.className] = count }
    }
    return counts
  }

  /// Renames a class, or removes its rows.
  package static func rename(_ className: String, to newName: String?, _ db: Database) throws {
    guard try exists(db) else { return }
    guard let newName else { return try remove(className, db) }
    try db.execute(
      sql: "UPDATE strata_older_writes SET class = ? WHERE class = ?",
      arguments: [newName, className])
  }

  private static func remove(_ className: String, _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM strata_older_writes WHERE class = ?", arguments: [className])
  }

  /// Removes all rows. The table stays, because dropping it would change the schema of the file.
  package static func removeAll(_ db: Database) throws {
    if try exists(db) { try db.execute(sql: "DELETE FROM strata_older_writes") }
  }
}
