import GRDB
import GRDBSQLite
import Logging
import StrataQuery
import StrataSchema
import StrataStorage

/// Writing the collected changes.
extension WriteTransaction {
  var changedTables: [String] {
    changes.all.filter(\.isChanged).map(\.table.info.className)
      + changes.collections.filter { $0.value.total > 0 }.keys.map {
        store.tableSet.collectionNames[$0]
      }
  }

  func flushAll() throws(RealmError) {
    // Flushing one table may flush others, but changes none. Code of the program that runs
    // meanwhile, such as a `deinit`, may create and change objects.
    repeat {
      for changes in changes.all where changes.hasPending { try flush(changes.table) }
      try writeElements()
    } while changes.all.contains { $0.hasPending && !$0.isBeingWritten }
  }

  func flush(_ table: Table) throws(RealmError) {
    guard let changes = changes[table], changes.hasPending, !changes.isBeingWritten else { return }
    // After an error, all changes are rolled back anyway.
    if let error { throw error }
    recordProperties(of: changes.updates, in: table)
    var (inserts, updates): ([ObjectBase], [ObjectBase]) = ([], [])
    changes.isBeingWritten = true
    defer { changes.isBeingWritten = false }
    do {
      try prepareReferences(of: changes)
      // Written before pending elements of collections, which may refer to these rows.
      try writeNow { db, _ in
        inserts = changes.inserts
        try table.insert(inserts, db)
        updates = changes.updates
        try table.update(updates, db) { update, write in
          try store.writer.log.updating(
            table.info.className, slots: update.kind.slots,
            columns: { update.slots.map { table.info.properties[$0].columnName } }, write)
        }
      }
    } catch {
      let explained = explanation(of: error, writing: changes)
      record(explained)
      throw explained
    }
    let forgotten = written.record(inserts, in: table) + written.record(updates, in: table)
    defer { withExtendedLifetime(forgotten) {} }
    changes.forgetPending(inserts: inserts.count, updates: updates.count)
  }

  /// Schedules elements to be appended to a list. They are written before the next read.
  ///
  /// - Parameter referred: The tables of the owner, and of the elements if they are objects.
  func append(
    _ elements: [_StoredElement], to list: ElementTable, at position: Int64,
    referringTo referred: (owner: Table, target: Table?)
  ) throws(RealmError) {
    let last = changes.elements.count - 1
    if last >= 0, changes.elements[last].append(elements, to: list, at: position) { return }
    if changes.elements.count == Self.maxLists { try writeElements() }
    changes.elements.append(
      AppendedElements(elements, to: list, at: position, referringTo: referred))
  }

  /// The limit of lists with pending elements: enough for the lists of a few new objects.
  private static let maxLists = 16

  /// Writes the pending elements of lists.
  func writeElements() throws(RealmError) {
    let waiting = changes.elements
    guard !waiting.isEmpty else { return }
    changes.elements.removeAll()
    do {
      for elements in waiting {
        try willRefer(to: elements.referred.owner)
        if let target = elements.referred.target { try willRefer(to: target) }
      }
      try writeNow { db, _ in for elements in waiting { try elements.write(db) } }
    } catch {
      let explained = waiting.reduce(error) { error, elements in
        explanation(of: error, writing: elements.list, of: elements.referred.owner)
      }
      record(explained)
      throw explained
    }
  }

  /// Flushes the rows that pending rows of a table may refer to, or defers foreign key checks.
  private func prepareReferences(of changes: ChangedTable) throws(RealmError) {
    for target in store.tableSet.linkTargets(of: changes.table) {
      guard let target = self.changes[target], target.unwritten > 0 else { continue }
      if target === changes {
        // A row may refer to itself: SQLite checks after the statement. With more new rows, or one
        // that isn't in `inserts` yet, the other row may be written later.
        if target.unwritten > 1 || target.inserts.isEmpty { try deferForeignKeys() }
        continue
      }
      try flush(target.table)
      if target.unwritten > 0 { try deferForeignKeys() }
    }
  }

  /// Called before writing rows that may refer to new rows of a table. Flushes the new rows, or
  /// defers foreign key checks.
  func willRefer(to table: Table) throws(RealmError) {
    guard !defersForeignKeys, let changes = changes[table], changes.unwritten > 0 else { return }
    if changes.earlyWrites < Self.maxEarlyWrites {
      changes.earlyWrites += 1
      try flush(table)
    }
    if changes.unwritten > 0 { try deferForeignKeys() }
  }

  /// The limit of early writes. A transaction with many new objects writes them in batches instead.
  private static let maxEarlyWrites = 8

  /// Defers SQLite's foreign key checks to the end of the transaction: rows may then be written in
  /// any order.
  ///
  /// Not done in each transaction: the setting decides which code statements need, so SQLite
  /// compiles all statements again. The commit resets the setting.
  func deferForeignKeys() throws(RealmError) {
    guard !defersForeignKeys else { return }
    // Set before pending elements are written, too.
    try writeNow { db, _ in try db.execute(sql: "PRAGMA defer_foreign_keys = ON") }
    defersForeignKeys = true
  }

  private func recordProperties(of objects: [ObjectBase], in table: Table) {
    let className = table.info.className
    guard !objects.isEmpty, receiver?.observesProperties(of: className) == true else { return }
    for object in objects {
      details.properties[className, default: [:]][object._rowID, default: PropertySet()]
        .formUnion(object._dirty)
    }
  }

  /// Records how a list is edited, if the list is observed.
  func recordEdit(
    of list: CollectionInfo, owner: Int64, count: Int, _ edit: (inout ListEdits) -> Void
  ) {
    let key = CollectionKey(table: list.tableName, owner: owner)
    guard receiver?.observes(key) == true else { return }
    var edits = (details.edits[key] ?? nil) ?? ListEdits(count: count)
    edit(&edits)
    details.edits[key] = edits
  }

  /// Discards the pending changes after a rollback.
  func abandon() {
    for changes in changes.all {
      changes.forgetPending(inserts: changes.inserts.count, updates: changes.updates.count)
    }
    changes.elements.removeAll()
    lost.restore { object in
      store.table(type(of: object)).flatMap { changes[$0] }?.inserted.contains(object._rowID)
        == true
    }
  }

  func flushNoting(_ table: Table) {
    do {
      try flush(table)
    } catch {
      record(error)
    }
  }
}

extension WriteTransaction {
  /// The error to throw when elements of a collection can't be written.
  ///
  /// SQLite reports only that a row is missing. The row may be the collection's owner: another
  /// thread or process has deleted it, or it was created in a rolled back transaction. Checking the
  /// owner before each change would cost a statement.
  func explanation(
    of first: RealmError, writing list: ElementTable, of owner: Table
  ) -> RealmError {
    guard first.sqliteCode == ResultCode.SQLITE_CONSTRAINT_FOREIGNKEY.rawValue else {
      return first
    }
    do throws(RealmError) {
      let isThere = try store.write { db, _ in try owner.contains(list.owner, db) }
      let info = list.info
      return isThere
        ? first
        : RealmError(.fail, "\(ErrorText.deleted) ('\(info.className).\(info.property.name)')")
    } catch {
      // The first error is the cause, so the program gets that one.
      store.logger?.error("\(error.loggedMessage)")
      return first
    }
  }

  /// The error to throw when objects can't be written. In a newer file, a property of the program
  /// that may be nil may be required.
  func explanation(of first: RealmError, writing changes: ChangedTable) -> RealmError {
    guard first.sqliteCode == ResultCode.SQLITE_CONSTRAINT_NOTNULL.rawValue,
      let version = store.expectedSchema.newerVersion
    else { return first }
    let info = changes.table.info
    for object in changes.inserts + changes.updates {
      for slot in info.slots.inColumns where info.properties[slot].isNullable {
        let property = info.properties[slot]
        guard first.message.contains("\(info.className).\(property.columnName)"),
          info.dynamicValue(slot, of: object) == nil
        else { continue }
        return RealmError(
          .newerVersion,
          "'\(info.className).\(property.name)' of the object with _id \(object._rowID) can't be nil: the "
            + "file is at schema version \(version), which requires a value. Set one.",
          fileURL: store.file.url, underlyingError: first.underlyingError)
      }
    }
    return first
  }
}

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
    for index in store.tableSet.collectionNames.indices { changes.record(index) { $0.recordAll() } }
  }

  private func markStale(_ table: Table) {
    let changes = changes.of(table)
    changes.staleSince = clock.now
    changes.counts.members += 1
    changes.counts.values += 1
  }
}
