import GRDB
import StrataQuery
import StrataSchema
import StrataStorage

/// Writing the collected changes.
extension WriteTransaction {
  /// The names of the tables with changes.
  var changedTables: [String] {
    changes.all.filter(\.isChanged).map(\.table.info.className)
      + store.tableSet.collectionNames(changes.collections.filter { $0.value.total > 0 }.keys)
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
        try table.update(updates, db) { try store.updating(table, $0, $1) }
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
