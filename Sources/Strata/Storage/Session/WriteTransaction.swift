import GRDB
import GRDBSQLite
import StrataSchema
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
  /// What hears of the commit beyond the rows that it touched.
  let receiver: (any CommitReceiver)?
  var details = CommitDetails()
  /// The changes of what lists of rows depend on.
  var watched = WatchedValues()
  /// When SQLite itself last changed rows of a table, so that it isn't known which.
  private var staleSince: [UInt64]
  /// How often each collection's table changed.
  private var collectionChanges: [CollectionChanges]
  private let state = Atomic<State>(.going)
  /// The first mistake that was found where nothing could be thrown; ends the transaction.
  private(set) var error: RealmError?

  private enum State: UInt8, AtomicRepresentable {
    case going, ending, revoked
  }

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
    receiver = store.commitLog.receiver
    let count = store.tables.count
    touched = TouchedRows(tables: count)
    deleted = TouchedRows(tables: count)
    inserted = TouchedRows(tables: count)
    inserts = Array(repeating: [], count: count)
    updates = Array(repeating: [], count: count)
    counts = Array(repeating: (0, 0), count: count)
    staleSince = Array(repeating: 0, count: count)
    collectionChanges = Array(repeating: CollectionChanges(), count: store.tableSet.collectionCount)
  }

  // MARK: Ending

  /// Says that the transaction is being ended; false when it was taken away.
  func end() -> Bool { state.moves(from: .going, to: .ending) }

  /// Takes the transaction away, for another thread; false when it is being ended.
  func revoke() -> Bool { state.moves(from: .going, to: .revoked) }

  /// Runs a closure with the writing connection.
  func write<Result>(_ body: (Database) throws -> Result) throws(RealmError) -> Result {
    try store.write { db in
      // Checked on the connection: no other thread can roll back and begin another transaction
      // meanwhile.
      guard state.load(ordering: .acquiring) != .revoked else {
        throw RealmError(.fail, ErrorText.abandoned, fileURL: store.file.url)
      }
      return try body(db)
    }
  }

  func note(_ error: RealmError) {
    if self.error == nil { self.error = error }
  }

  private func advanceClock() {
    clock.set(Self.lastStamp.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  /// Tells whether a list of rows is still the same: numbers that change when the list may have.
  func version(of table: Table) -> (members: UInt64, values: UInt64) { counts[table.index] }

  /// A number that changes when a collection may have.
  func changes(of collection: CollectionInfo, owner: Int64) -> UInt64 {
    collectionChanges[collection.index].count(owner: owner)
  }

  /// A number that changes when a collection of any object may have.
  func changes(ofAll collection: CollectionInfo) -> UInt64 {
    collectionChanges[collection.index].total
  }

  /// A number that changes when a collection of any class may have.
  var changesOfCollections: UInt64 { collectionChanges.reduce(0) { $0 &+ $1.total } }

  func noteChange(of collection: CollectionInfo, owner: Int64) {
    collectionChanges[collection.index].note(owner: owner)
  }

  // MARK: Objects

  /// Whether the object's values are those of its row; writes what other objects of the row have.
  func isUnchanged(_ object: ObjectBase, _ table: Table) throws(RealmError) -> Bool {
    if object._dirty != 0 { return true }
    if object._stamp < staleSince[table.index] {
      try flush(table)
      return false
    }
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

  /// Gives an object the identity of a new row; ``insert(_:in:)`` has it written.
  func place(_ object: ObjectBase, in table: Table, session: Session) throws(RealmError) -> Int64 {
    let row = try store.nextIdentity(of: table, in: self)
    table.adopt(object, rowID: row, context: session, stamp: 0)
    object._dirty = .max
    inserted.insert(row, in: table)
    changed(object, in: table)
    return row
  }

  /// Makes a placed object a row, which is written later.
  func insert(_ object: ObjectBase, in table: Table) throws(RealmError) {
    inserts[table.index].append(object)
    counts[table.index].members += 1
    if inserts[table.index].count >= Self.batch { try flush(table) }
  }

  /// Makes an object stand for a row that exists.
  func place(_ object: ObjectBase, row: Int64, in table: Table, session: Session) {
    table.adopt(object, rowID: row, context: session, stamp: clock.now)
    // The row must not be read into it before its own values are written.
    object._dirty = .max
  }

  /// Has those properties of a placed object written that `slots` says.
  func update(_ object: ObjectBase, slots: UInt64, in table: Table) {
    object._dirty = 0
    guard slots != 0 else { return }
    willChange(object, in: table)
    watched.note(slots, in: table)
    object._dirty = slots
  }

  func delete(_ row: Int64, in table: Table) throws(RealmError) {
    // Pending changes may refer to the row: they must be in the file before the links to it are
    // removed.
    try flush(affectedBy: table)
    let sql = "DELETE FROM \(table.name) WHERE \(table.identity) = ?"
    _ = try write { db in try db.runRaw(sql, row) }
    deletedRow(row, in: table)
    advanceClock()
    noteEffects(ofDeletingIn: table)
  }

  private func deletedRow(_ row: Int64, in table: Table) {
    touched.insert(row, in: table)
    deleted.insert(row, in: table)
    counts[table.index].members += 1
  }

  func deleteAll(in table: Table) throws(RealmError) {
    guard table.exists else { return }
    try flush(affectedBy: table)
    try write { db in
      let rows = try db.cachedStatement(sql: "SELECT \(table.identity) FROM \(table.name)")
      while try rows.stepRaw() { deletedRow(rows.int64(0), in: table) }
      try db.execute(sql: "DELETE FROM \(table.name)")
    }
    advanceClock()
    noteEffects(ofDeletingIn: table)
  }

  private func flush(affectedBy table: Table) throws(RealmError) {
    let effect = store.tableSet.effect(ofDeletingIn: table)
    if effect.tables.isEmpty { try flush(table) } else { try flushAll() }
  }

  /// Notes that rows of an embedded class were deleted with their parents.
  func noteDeletion(in table: Table) {
    advanceClock()
    noteStale(table)
    noteEffects(ofDeletingIn: table)
  }

  /// SQLite sets links to nil and deletes the parts of a deleted object: all objects of the
  /// classes that may have been hit are read again.
  private func noteEffects(ofDeletingIn table: Table) {
    let effect = store.tableSet.effect(ofDeletingIn: table)
    for table in effect.tables { noteStale(table) }
    for collection in effect.collections { collectionChanges[collection].noteAll() }
  }

  /// Notes that rows of any table may have changed.
  func noteChangesOfOthers() {
    advanceClock()
    for table in store.tables { noteStale(table) }
    for index in collectionChanges.indices { collectionChanges[index].noteAll() }
  }

  private func noteStale(_ table: Table) {
    staleSince[table.index] = clock.now
    counts[table.index].members += 1
    counts[table.index].values += 1
  }

  // MARK: Writing pending changes

  /// The names of the tables with changes.
  var changedTables: [String] {
    store.tables.filter { !touched.isEmpty($0) || staleSince[$0.index] > 0 }.map(\.info.className)
      + store.tables.flatMap(\.collections.values).filter { collectionChanges[$0.index].total > 0 }
      .map(\.tableName)
  }

  func flushAll() throws(RealmError) {
    for table in store.tables { try flush(table) }
  }

  func flush(_ table: Table) throws(RealmError) {
    if inserts[table.index].isEmpty && updates[table.index].isEmpty { return }
    // Changes after a mistake are rolled back anyway.
    if let error { throw error }
    let inserts = inserts[table.index]
    let updates = updates[table.index]
    noteProperties(of: updates, in: table)
    do {
      try write { db in
        try table.insert(inserts, db)
        try table.update(updates, db)
      }
    } catch {
      note(error)
      throw error
    }
    forgetPending(in: table)
  }

  private func noteProperties(of objects: [ObjectBase], in table: Table) {
    let className = table.info.className
    guard !objects.isEmpty, receiver?.observesProperties(of: className) == true else { return }
    for object in objects {
      details.properties[className, default: [:]][object._rowID, default: 0] |= object._dirty
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

extension Atomic {
  /// Exchanges one value for another; false when it is a third one.
  fileprivate func moves(from old: Value, to new: Value) -> Bool
  where Value.AtomicRepresentation == UInt8.AtomicRepresentation {
    compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
