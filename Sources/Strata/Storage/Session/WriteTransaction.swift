import GRDB
import GRDBSQLite
import Synchronization

/// What a session has changed since it began to write.
///
/// Changes are collected and written in batches: before anything is queried, and at the end.
final class WriteTransaction {
  private let store: Store
  /// Advances with each change. Its times are those of no other transaction and of no store.
  let clock: StampClock
  let firstStamp: UInt64
  /// False when the transaction could not be begun: then it only carries the error to its end.
  let hasBegun: Bool
  private let committedStamp: UInt64
  private(set) var touched: TouchedRows
  private(set) var deleted: TouchedRows
  private(set) var inserted: TouchedRows
  private var inserts: [[ObjectBase]]
  private var updates: [[ObjectBase]]
  /// How often rows came or went, and how often rows changed, per table.
  private var counts: [(members: UInt64, values: UInt64)]
  /// The first mistake that was found where nothing could be thrown; ends the transaction.
  private(set) var error: RealmError?

  /// A table's pending changes are written when they are this many.
  private static let batch = 64
  private static let lastStamp = Atomic<UInt64>(1 << 63)

  init(_ store: Store, failed error: RealmError? = nil) {
    self.store = store
    self.error = error
    hasBegun = error == nil
    firstStamp = Self.lastStamp.wrappingAdd(1, ordering: .relaxed).newValue
    clock = StampClock(startingAt: firstStamp)
    committedStamp = store.clock.now
    let count = store.tables.count
    touched = TouchedRows(tables: count)
    deleted = TouchedRows(tables: count)
    inserted = TouchedRows(tables: count)
    inserts = Array(repeating: [], count: count)
    updates = Array(repeating: [], count: count)
    counts = Array(repeating: (0, 0), count: count)
  }

  func note(_ error: RealmError) {
    if self.error == nil { self.error = error }
  }

  private func advanceClock() {
    clock.set(Self.lastStamp.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  /// Tells whether a list of rows is still the same: numbers that change when the list may have.
  func version(of table: Table) -> (members: UInt64, values: UInt64) { counts[table.index] }

  // MARK: Objects

  /// Whether the object's values are those of its row; writes what other objects of the row have.
  func isUnchanged(_ object: ObjectBase, _ table: Table) throws(RealmError) -> Bool {
    if object._dirty != 0 { return true }
    guard touched.contains(object._rowID, in: table) else {
      return object._stamp == committedStamp || object._stamp >= firstStamp
    }
    try flush(table)
    return false
  }

  /// Called before the first change of an object whose changes are all written.
  func willChange(_ object: ObjectBase, in table: Table) {
    if updates[table.index].count >= Self.batch { flushNoting(table) }
    updates[table.index].append(object)
    changed(object, in: table)
    counts[table.index].values += 1
  }

  private func changed(_ object: ObjectBase, in table: Table) {
    touched.insert(object._rowID, in: table)
    advanceClock()
    object._stamp = clock.now
  }

  /// Makes an object a row, which is written later.
  func insert(_ object: ObjectBase, in table: Table, session: Session) throws(RealmError) {
    let row = try store.nextIdentity(of: table)
    table.adopt(object, rowID: row, context: session, stamp: 0)
    object._dirty = .max
    inserted.insert(row, in: table)
    inserts[table.index].append(object)
    changed(object, in: table)
    counts[table.index].members += 1
    if inserts[table.index].count >= Self.batch { try flush(table) }
  }

  /// Makes an object stand for a row that exists; its values are written later where `slots` says
  /// so.
  func update(_ object: ObjectBase, row: Int64, slots: UInt64, in table: Table, session: Session) {
    table.adopt(object, rowID: row, context: session, stamp: clock.now)
    guard slots != 0 else { return }
    willChange(object, in: table)
    object._dirty = slots
  }

  func delete(_ object: ObjectBase, in table: Table) throws(RealmError) {
    try flush(table)
    let sql = "DELETE FROM \(table.name) WHERE \(table.identity) = ?"
    _ = try store.write { db in try db.runRaw(sql, object._rowID) }
    deletedRow(object._rowID, in: table)
    advanceClock()
  }

  private func deletedRow(_ row: Int64, in table: Table) {
    touched.insert(row, in: table)
    deleted.insert(row, in: table)
    counts[table.index].members += 1
  }

  func deleteAll(in table: Table) throws(RealmError) {
    guard table.exists else { return }
    try flush(table)
    try store.write { db in
      let rows = try db.cachedStatement(sql: "SELECT \(table.identity) FROM \(table.name)")
      while try rows.stepRaw() { deletedRow(rows.int64(0), in: table) }
      try db.execute(sql: "DELETE FROM \(table.name)")
    }
    advanceClock()
  }

  // MARK: Writing what is pending

  /// The tables with changes.
  var changedTables: [Table] { store.tables.filter { !touched.isEmpty($0) } }

  func flushAll() throws(RealmError) {
    for table in store.tables { try flush(table) }
  }

  func flush(_ table: Table) throws(RealmError) {
    if inserts[table.index].isEmpty && updates[table.index].isEmpty { return }
    // What follows a mistake is rolled back anyway.
    if let error { throw error }
    let inserts = inserts[table.index]
    let updates = updates[table.index]
    do {
      try store.write { db in
        try table.insert(inserts, db)
        try table.update(updates, db)
      }
    } catch {
      note(error)
      throw error
    }
    forgetPending(in: table)
  }

  /// The objects' values are those of their rows, or will be read again.
  private func forgetPending(in table: Table) {
    for object in inserts[table.index] { object._dirty = 0 }
    for object in updates[table.index] { object._dirty = 0 }
    inserts[table.index].removeAll(keepingCapacity: true)
    updates[table.index].removeAll(keepingCapacity: true)
  }

  /// Called when the transaction was taken back: nothing is to be written any more.
  func abandon() {
    for table in store.tables { forgetPending(in: table) }
  }

  private func flushNoting(_ table: Table) {
    do {
      try flush(table)
    } catch {
      note(error)
    }
  }
}
