package import GRDB
package import StrataSchema

extension Database {
  func rowCount(_ table: String) throws -> Int {
    try Int.fetchOne(self, sql: "SELECT count(*) FROM \(SQLName.quote(table))") ?? 0
  }
}

/// The numbers of rows of a file for a forecast, each table counted once.
package final class FileCounts {
  package let db: Database
  private var rows: [String: Int] = [:]
  private var hasSizes = true

  package init(_ db: Database) { self.db = db }

  package func rows(_ table: String) throws -> Int {
    if let known = rows[table] { return known }
    let count = try db.tableExists(table) ? db.rowCount(table) : 0
    rows[table] = count
    return count
  }

  /// Returns the size of a table without its indexes; nil if SQLite was compiled without `dbstat`.
  package func bytes(_ table: String) throws -> Int? {
    guard hasSizes else { return nil }
    do {
      return try Int.fetchOne(
        db, sql: "SELECT sum(pgsize) FROM dbstat WHERE name = ? AND aggregate = TRUE",
        arguments: [table])
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      hasSizes = false
      return nil
    }
  }

  package func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }

  /// Returns the values of a column that occur in more than one row.
  ///
  /// - Parameter filling: The default for rows without a value; nil if nil counts as a value.
  /// - Returns: The number of values, the number of their rows, and the most frequent values as
  ///   text.
  package func duplicates(
    of column: String, in table: String, filling: ColumnDefault? = nil
  ) throws -> (values: Int, rows: Int, examples: [String]) {
    let name = SQLName.quote(column)
    var value = name
    var condition: String?
    switch filling {
    case .constant(let constant): value = "coalesce(\(name), \(constant.sqlLiteral))"
    // Each row gets a different value.
    case .perRow: condition = "\(name) IS NOT NULL"
    case nil: break
    }
    let groups = DuplicatesSQL.groups(
      of: value, in: SQLName.quote(table), where: condition)
    let total = try Row.fetchOne(db, sql: "SELECT count(*), sum(n) FROM (\(groups))")
    let examples = try Row.fetchAll(
      db, sql: "SELECT value, n FROM (\(groups)) ORDER BY n DESC, value LIMIT \(Self.examples)")
    return (
      total?[0] ?? 0, total?[1] ?? 0,
      examples.map { row in "\(PrimaryKeyCheck.text(row[0])) \(row[1] as Int) times" }
    )
  }

  private static let examples = 3
}
