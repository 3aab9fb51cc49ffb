import GRDB
import GRDBSQLite
import StrataStorage

extension WriteTransaction {
  func delete(_ row: Int64, in table: Table) throws(RealmError) {
    // Pending changes may refer to the row. They must be in the file before SQLite removes the
    // links to the row.
    try flush(affectedBy: table)
    _ = try write(table.texts.deleteByID) { statement in
      statement.bindRaw(row, at: 1)
      return try statement.stepRaw()
    }
    let changes = changes.of(table)
    changes.touched.insert(row)
    changes.deleted.insert(row)
    changes.counts.members += 1
    advanceClock()
    recordEffects(ofDeletingIn: table)
  }

  /// Deletes the rows of a query when SQLite doesn't report which rows it deletes.
  private func deleteListed(
    _ query: ObjectQuery, _ db: Database, all delete: () throws -> Void
  ) throws -> RowSet {
    let table = query.table
    let rows = try db.integers(query.select("t.\(table.identity)"), query.parameters)
    if rows.count > Self.batch {
      try delete()
    } else {
      // By identity: a condition without an index would otherwise be evaluated twice.
      for row in rows { try db.runRaw(table.texts.deleteByID.sql, row) }
    }
    return RowSet(rows)
  }

  private func deleted(_ rows: RowSet, in table: Table) {
    let changes = changes.of(table)
    changes.touched.formUnion(rows)
    changes.deleted.formUnion(rows)
    changes.counts.members += 1
  }

  func deleteAll(in table: Table) throws(RealmError) {
    guard table.exists else { return }
    try flush(affectedBy: table)
    let rows = try write { db in
      // Read first: if nothing observes each row, SQLite frees the table's pages without reading
      // rows.
      var rows = RowSet()
      let statement = try db.cachedStatement(sql: "SELECT \(table.identity) FROM \(table.name)")
      while try statement.stepRaw() { rows.insert(statement.int64(0)) }
      try db.execute(sql: "DELETE FROM \(table.name)")
      return rows
    }
    deleted(rows, in: table)
    details.deletedAll.insert(table.info.className)
    advanceClock()
    recordEffects(ofDeletingIn: table)
  }

  /// Deletes the rows that a query finds now.
  func delete(_ query: ObjectQuery) throws(RealmError) {
    let table = query.table
    guard table.exists else { return }
    try flushAll()
    let rows = try writeNow { db, connection in
      let delete = {
        try connection.inTurn(query.deletion, db) { statement in
          try statement.bindRaw(query.parameters)
          _ = try statement.stepRaw()
        }
      }
      return try store.writer.deletedRows(of: table.info.className, on: db, delete)
        ?? deleteListed(query, db, all: delete)
    }
    deleted(rows, in: table)
    advanceClock()
    recordEffects(ofDeletingIn: table)
  }

  private func flush(affectedBy table: Table) throws(RealmError) {
    let effect = store.tableSet.effect(ofDeletingIn: table)
    if effect.tables.isEmpty { try flush(table) } else { try flushAll() }
  }

  /// Records that rows of an embedded class were deleted with their parents.
  func recordDeletion(in table: Table) {
    advanceClock()
    markStale(table)
    recordEffects(ofDeletingIn: table)
  }

  /// Marks the classes that a deletion may affect as stale: SQLite sets links to nil and deletes
  /// the embedded objects of a deleted object.
  private func recordEffects(ofDeletingIn table: Table) {
    let effect = store.tableSet.effect(ofDeletingIn: table)
    for table in effect.tables { markStale(table) }
    for collection in effect.collections { changes.record(collection) { $0.recordAll() } }
  }

  /// Records that rows of any table may have changed.
  func recordChangesOfOthers() {
    advanceClock()
    for table in store.tables { markStale(table) }
    for index in 0..<store.tableSet.collectionCount { changes.record(index) { $0.recordAll() } }
  }

  private func markStale(_ table: Table) {
    let changes = changes.of(table)
    changes.staleSince = clock.now
    changes.counts.members += 1
    changes.counts.values += 1
  }
}
