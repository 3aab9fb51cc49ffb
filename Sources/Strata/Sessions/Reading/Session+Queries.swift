import GRDB
import StrataStorage

/// The queries of results. A failed query is reported and returns no rows.
extension Session {
  /// The first value of a query's first row; nil without rows.
  func value(_ sql: String, _ parameters: [StoredValue] = []) -> StoredValue? {
    value(StatementText(sql, isKept: false), parameters)
  }

  /// The first value of a statement's first row; nil without rows.
  func value(_ text: StatementText, _ parameters: [StoredValue]) -> StoredValue? {
    query(text, or: nil) { statement in
      try measuring(text.sql) {
        try statement.bindRaw(parameters)
        guard try statement.stepRaw() else { return nil }
        defer { statement.resetRaw() }
        return statement.storedValue(0)
      }
    }
  }

  /// The integers in the only column of a query.
  func integers(_ sql: String, _ parameters: [StoredValue]) throws(RealmError) -> [Int64] {
    try query { db in
      try measuring(sql, rows: \.count) { try db.integers(sql, parameters) }
    }
  }

  /// Runs a closure with the statement of a query, an `sqlite3_stmt *`, at each of its rows.
  func forEachRow(
    of sql: String, _ parameters: [StoredValue], _ body: (OpaquePointer) -> Void
  ) throws(RealmError) {
    try query { db in
      _ = try measuring(sql, rows: \.self) {
        let statement = try db.freeStatement(sql: sql)
        try statement.bindRaw(parameters)
        var count = 0
        while try statement.stepRaw() {
          body(statement.sqliteStatement)
          count += 1
        }
        return count
      }
    }
  }

  /// The identities of the rows that a query finds.
  func rows(of objects: ObjectQuery) throws(RealmError) -> RowSequence {
    if objects.isWholeTable, objects.isByIdentity, let range = try rangeOfAllRows(objects) {
      return RowSequence(range)
    }
    let sql = objects.select("t.\(objects.table.identity)")
    return try query { db in
      try measuring(sql, rows: \.count) {
        let statement = try db.cachedStatement(sql: sql)
        try statement.bindRaw(objects.parameters)
        var rows = RowSequence()
        while try statement.stepRaw() { rows.append(statement.int64(0)) }
        return rows
      }
    }
  }

  /// The identities of all rows, if they are consecutive: counting the rows takes a hundredth of
  /// the time of reading them.
  private func rangeOfAllRows(_ objects: ObjectQuery) throws(RealmError) -> ClosedRange<Int64>? {
    try query(objects.extent) { statement in
      guard try statement.stepRaw() else { return nil }
      defer { statement.resetRaw() }
      let (count, first, last) = (statement.int64(0), statement.int64(1), statement.int64(2))
      let (distance, overflow) = last.subtractingReportingOverflow(first)
      return count > 0 && !overflow && distance == count - 1 ? first...last : nil
    }
  }

  /// The first or the last object of a query.
  func object(of objects: ObjectQuery, last: Bool) -> ObjectBase? {
    let table = objects.table
    guard table.exists else { return nil }
    let text = objects.first(reversed: last)
    return query(text, or: nil) { statement in
      try measuring(text.sql) {
        // Set after pending changes are written and before they are read: see ``ObjectCursor``.
        let stamp = clock.now
        try statement.bindRaw(objects.parameters)
        guard try statement.stepRaw() else { return nil }
        defer { statement.resetRaw() }
        return table.makeObject(RowValues(of: statement.sqliteStatement), in: self, stamp: stamp)
      }
    }
  }

  /// The object of a row; nil if the row doesn't exist or can't be read.
  func objectIfReadable(row: Int64, in table: Table) -> ObjectBase? {
    let acting = acting
    guard acting === self else { return acting.objectIfReadable(row: row, in: table) }
    do {
      return try object(row: row, in: table)
    } catch {
      report(error)
      return nil
    }
  }
}
