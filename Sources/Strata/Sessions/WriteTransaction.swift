import GRDB
import GRDBSQLite
import StrataSchema
import StrataStorage
import Synchronization

/// The changes of a session since it began to write.
///
/// Changes are collected and written in batches: before each query, and at the end.
final class WriteTransaction {
  let store: Store
  /// A clock that advances with each change. No other transaction and no store uses its times.
  let clock: StampClock
  let firstStamp: UInt64
  /// Whether the transaction could begin. If not, it only carries the error to the commit.
  let hasBegun: Bool
  /// The number of the snapshot at which the transaction began.
  let committedStamp: UInt64
  @exclusivity(unchecked) var changes: PendingTables
  /// The receiver of details of the commit, beyond the changed rows.
  let receiver: (any CommitReceiver)?
  var details = CommitDetails()
  /// The objects that need not be read again after the commit.
  var written = WrittenObjects()
  /// The objects that become usable again after a rollback.
  var lost = LostObjects()
  /// The changed values that lists of rows depend on.
  @exclusivity(unchecked) var watched = WatchedValues()
  /// Whether SQLite checks foreign keys only when the transaction ends.
  var defersForeignKeys = false
  let running: RunningTransaction
  /// The first error that occurred where nothing could be thrown; makes the transaction fail.
  private(set) var error: RealmError?

  /// The number of new objects in a table at which they are written.
  static let batch = 64
  /// The same for changed objects: a loop reads as many at once, and writes them before it reads
  /// on.
  private static let updateBatch = ObjectCursor.batch
  /// A time that belongs to no transaction and no store.
  static let timeBeforeAll: UInt64 = 1 << 63
  private static let lastStamp = Atomic<UInt64>(timeBeforeAll)

  init(_ store: Store, failed error: RealmError? = nil) {
    self.store = store
    self.error = error
    hasBegun = error == nil
    firstStamp = Self.lastStamp.wrappingAdd(1, ordering: .relaxed).newValue
    clock = StampClock(startingAt: firstStamp)
    running = RunningTransaction(clock)
    committedStamp = store.clock.now
    receiver = store.writer.log.receiver
    changes = PendingTables(count: store.tables.count)
    details.author = store.settings.author
  }

  // MARK: Ending

  /// Runs a closure with the writing connection.
  func write<Result>(_ body: (Database) throws -> Result) throws(RealmError) -> Result {
    if !changes.elements.isEmpty { try writeElements() }
    return try writeNow { db, _ in try body(db) }
  }

  /// Runs a closure with the statement of a text on the writing connection.
  func write<Result>(
    _ text: StatementText, _ body: (RawStatement) throws -> Result
  ) throws(RealmError) -> Result {
    if !changes.elements.isEmpty { try writeElements() }
    return try writeNow { db, connection in try connection.inTurn(text, db, body) }
  }

  /// Runs a closure with the writing connection, without writing pending elements of lists first.
  func writeNow<Result>(
    _ body: (Database, FileConnection) throws -> Result
  ) throws(RealmError) -> Result {
    try store.write { db, connection in
      // Checked on the connection: no other thread can roll back and begin another transaction
      // meanwhile.
      guard !running.isRevoked else {
        throw RealmError(.fail, ErrorText.abandoned, fileURL: store.file.url)
      }
      return try body(db, connection)
    }
  }

  func record(_ error: RealmError) {
    if self.error == nil { self.error = error }
  }

  func advanceClock() {
    clock.set(Self.lastStamp.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  /// Counters of a table that change when a list of its rows may have changed.
  func changeCounts(of table: Table) -> (members: UInt64, values: UInt64) {
    changes[table]?.counts ?? (0, 0)
  }

  /// A counter that changes when a collection may have changed.
  func changes(of collection: CollectionInfo, owner: Int64) -> UInt64 {
    changes.collections[collection.index]?.count(owner: owner) ?? 0
  }

  /// A counter that changes when this collection may have changed in any object.
  func changes(ofAll collection: CollectionInfo) -> UInt64 {
    changes.collections[collection.index]?.total ?? 0
  }

  /// A counter that changes when any collection of any class may have changed.
  var changesOfCollections: UInt64 { changes.collectionChanges }

  func recordChange(of collection: CollectionInfo, owner: Int64) {
    changes.record(collection.index) { $0.record(owner: owner) }
  }

  /// Passes the shapes of long lists to the store, after the commit.
  func shareLists(at number: UInt64) {
    let counts = changes.collections
    func count(_ list: LongLists.Key) -> UInt64 {
      counts[list.collection]?.count(owner: list.owner) ?? 0
    }
    var shapes: [LongLists.Key: LongLists.Shape] = [:]
    for (key, list) in changes.lists {
      shapes[key] = list.shape(at: .init(time: firstStamp, changes: count(key)))
    }
    store.longLists.advance(
      from: committedStamp, to: number, isChanged: { count($0) != 0 }, changed: shapes)
  }

  func hasDeleted(_ row: Int64, in table: Table) -> Bool {
    changes[table]?.deleted.contains(row) == true
  }

  var deleted: TouchedRows { changes.rows(\.deleted) }

  var inserted: TouchedRows { changes.rows(\.inserted) }

  // MARK: Objects

  /// Whether the object's values equal its row. Flushes pending changes of other objects of the
  /// row.
  func isUnchanged(_ object: ObjectBase, _ table: Table) throws(RealmError) -> Bool {
    if !object._dirty.isEmpty { return true }
    if mayDiffer(object, table) {
      try flush(table)
      return false
    }
    return object._stamp == committedStamp || object._stamp >= firstStamp
  }

  /// Whether an object was read in this transaction, and its row has not changed since.
  func keepsCurrent(_ object: ObjectBase, _ table: Table) -> Bool {
    object._dirty.isEmpty && object._stamp >= firstStamp && !mayDiffer(object, table)
  }

  /// Whether this transaction may have given the row other values than the object has.
  private func mayDiffer(_ object: ObjectBase, _ table: Table) -> Bool {
    guard let changes = changes[table] else { return false }
    return object._stamp < changes.staleSince || changes.touched.contains(object._rowID)
  }

  /// Prepares the change of a property of an object that is up to date; false if the change is
  /// refused.
  func willWrite(_ object: ObjectBase, slot: _PropertySlot, in table: Table) -> Bool {
    if object._state & ObjectState.vanished != 0 {
      record(RealmError(.fail, object.misuse(ErrorText.deleted, slot: slot)))
      return false
    }
    if slot == table.primaryKeySlot {
      record(RealmError(.fail, object.misuse(ErrorText.primaryKeyChange, slot: slot)))
      return false
    }
    // A collection writes its own rows.
    guard table.slotsInColumns.contains(slot) else { return hasBegun }
    if object._dirty.isEmpty { willChange(object, in: table) }
    object._dirty.insert(slot)
    watched.record(slot, in: table)
    return true
  }

  /// Called before the first change of an object that has no pending changes.
  func willChange(_ object: ObjectBase, in table: Table) {
    let changes = changes.of(table)
    if changes.updates.count >= Self.updateBatch { flushNoting(table) }
    changes.updates.append(object)
    changed(object, changes)
    changes.counts.values += 1
  }

  private func changed(_ object: ObjectBase, _ changes: ChangedTable) {
    changes.touched.insert(object._rowID)
    advanceClock()
    object._stamp = clock.now
  }

  /// Gives an object the identity of a new row, which ``insert(_:in:)`` writes.
  func identify(_ object: ObjectBase, in table: Table, session: Session) throws(RealmError) -> Int64
  {
    let row = try store.nextIdentity(of: table, in: self)
    table.adopt(object, rowID: row, context: session, stamp: 0)
    AddedObjects.count.wrappingAdd(1, ordering: .relaxed)
    object._dirty = .all
    let changes = changes.of(table)
    changes.inserted.insert(row)
    changes.unwritten += 1
    changed(object, changes)
    return row
  }

  /// Schedules the new row of an identified object for writing.
  func insert(_ object: ObjectBase, in table: Table) throws(RealmError) {
    let changes = changes.of(table)
    // Flushed before the object is added: new objects are often changed at once, which needs no
    // statement while they are pending.
    if changes.inserts.count >= Self.batch { try flush(table) }
    changes.inserts.append(object)
    changes.counts.members += 1
  }

  /// Binds an object to an existing row.
  func identify(_ object: ObjectBase, row: Int64, in table: Table, session: Session) {
    table.adopt(object, rowID: row, context: session, stamp: clock.now)
    AddedObjects.count.wrappingAdd(1, ordering: .relaxed)
    // Prevents reading the row into the object before the object's own values are written.
    object._dirty = .all
  }

  /// Schedules the properties in `slots` for writing.
  func update(_ object: ObjectBase, slots: PropertySet, in table: Table) {
    object._dirty = PropertySet()
    guard !slots.isEmpty else { return }
    willChange(object, in: table)
    watched.record(slots, in: table)
    object._dirty = slots
  }
}
