import GRDB
import StrataQuery
import StrataSchema
import StrataStorage

/// Writing what was collected.
extension WriteTransaction {
  /// The names of the tables with changes.
  var changedTables: [String] {
    changes.all.filter(\.isChanged).map(\.table.info.className)
      + store.tableSet.collectionNames(changes.collections.filter { $0.value.total > 0 }.keys)
  }

  func flushAll() throws(RealmError) {
    // Writing one table may have others written, but changes none; code of the program that runs
    // meanwhile, as at the end of an object, may make and change others.
    repeat {
      for changes in changes.all where changes.hasPending { try flush(changes.table) }
      try writeElements()
    } while changes.all.contains { $0.hasPending && !$0.isBeingWritten }
  }

  func flush(_ table: Table) throws(RealmError) {
    guard let changes = changes[table], changes.hasPending, !changes.isBeingWritten else { return }
    // Changes after a mistake are rolled back anyway.
    if let error { throw error }
    noteProperties(of: changes.updates, in: table)
    var (inserts, updates): ([ObjectBase], [ObjectBase]) = ([], [])
    changes.isBeingWritten = true
    defer { changes.isBeingWritten = false }
    do {
      try prepareReferences(of: changes)
      // Before the elements that wait: these may refer to the rows.
      try writeNow { db, _ in
        inserts = changes.inserts
        try table.insert(inserts, db)
        updates = changes.updates
        try table.update(updates, db) { try store.updating(table, $0, $1) }
      }
    } catch {
      note(error)
      throw error
    }
    let forgotten = written.note(inserts, in: table) + written.note(updates, in: table)
    defer { withExtendedLifetime(forgotten) {} }
    changes.forgetPending(inserts: inserts.count, updates: updates.count)
  }

  /// Has elements written behind all others of a list, before anything else is read.
  ///
  /// - Parameter referred: The tables of the owner, and of elements that are objects.
  func append(
    _ elements: [_StoredElement], to list: ElementTable, at position: Int64,
    referringTo referred: (owner: Table, target: Table?)
  ) throws(RealmError) {
    let last = changes.elements.count - 1
    if last >= 0, changes.elements[last].append(elements, to: list, at: position) { return }
    if changes.elements.count == Self.mostLists { try writeElements() }
    changes.elements.append(
      AppendedElements(elements, to: list, at: position, referringTo: referred))
  }

  /// The lists of a few new objects, which are written when all of their objects are.
  private static let mostLists = 16

  /// Writes the elements that were collected.
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
      note(explained)
      throw explained
    }
  }

  /// Has the rows written that the pending ones of a table may refer to, or lets SQLite look later.
  private func prepareReferences(of changes: ChangedTable) throws(RealmError) {
    for target in store.tableSet.linkTargets(of: changes.table) {
      guard let target = self.changes[target], target.unwritten > 0 else { continue }
      if target === changes {
        // In one statement the order doesn't matter; but the only one may be written later.
        if target.unwritten > 1 || target.inserts.isEmpty { try deferForeignKeys() }
        continue
      }
      try flush(target.table)
      if target.unwritten > 0 { try deferForeignKeys() }
    }
  }

  /// Called before rows are written which may refer to new rows of a table: has these written, or
  /// lets SQLite look later.
  func willRefer(to table: Table) throws(RealmError) {
    guard !defersForeignKeys, let changes = changes[table], changes.unwritten > 0 else { return }
    if changes.earlyWrites < Self.mostEarlyWrites {
      changes.earlyWrites += 1
      try flush(table)
    }
    if changes.unwritten > 0 { try deferForeignKeys() }
  }

  /// A transaction with many new objects writes them in batches instead.
  private static let mostEarlyWrites = 8

  /// Has SQLite look at foreign keys when the transaction ends: rows may then be written in any
  /// order.
  ///
  /// Not in each transaction: the setting makes SQLite compile all statements again, for it decides
  /// which code they need. The commit ends it.
  func deferForeignKeys() throws(RealmError) {
    guard !defersForeignKeys else { return }
    // Before the elements that wait, too.
    try writeNow { db, _ in try db.execute(sql: "PRAGMA defer_foreign_keys = ON") }
    defersForeignKeys = true
  }

  private func noteProperties(of objects: [ObjectBase], in table: Table) {
    let className = table.info.className
    guard !objects.isEmpty, receiver?.observesProperties(of: className) == true else { return }
    for object in objects {
      details.properties[className, default: [:]][object._rowID, default: PropertySet()]
        .formUnion(object._dirty)
    }
  }

  /// Notes how a list is edited, if it is observed.
  func noteEdit(
    of list: CollectionInfo, owner: Int64, count: Int, _ edit: (inout ListEdits) -> Void
  ) {
    let key = CollectionKey(table: list.tableName, owner: owner)
    guard receiver?.observes(key) == true else { return }
    var edits = (details.edits[key] ?? nil) ?? ListEdits(count: count)
    edit(&edits)
    details.edits[key] = edits
  }

  /// Called when the transaction was taken back: nothing is to be written any more.
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
      note(error)
    }
  }
}
