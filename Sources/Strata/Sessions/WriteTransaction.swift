import GRDB
import GRDBSQLite
import StrataSchema
import StrataStorage
import Synchronization

/// The changes of a session since it began to write.
///
/// Changes are collected and written in batches: before anything is queried, and at the end.
final class WriteTransaction {
  let store: Store
  /// Advances with each change. Its times are those of no other transaction and of no store.
  let clock: StampClock
  let firstStamp: UInt64
  /// False when the transaction could not be begun: then it only carries the error to its end.
  let hasBegun: Bool
  /// The snapshot with which it began.
  let committedStamp: UInt64
  @exclusivity(unchecked) var changes: PendingTables
  /// What hears of the commit beyond the rows that it touched.
  let receiver: (any CommitReceiver)?
  var details = CommitDetails()
  /// The objects that need not be read again after the commit.
  var written = WrittenObjects()
  /// The objects that can be used again when it is taken back.
  var lost = LostObjects()
  /// The changes of what lists of rows depend on.
  @exclusivity(unchecked) var watched = WatchedValues()
  /// Whether SQLite looks at foreign keys only when the transaction ends.
  var defersForeignKeys = false
  let running: RunningTransaction
  /// The first mistake that was found where nothing could be thrown; ends the transaction.
  private(set) var error: RealmError?

  /// A table's new objects are written when they are this many.
  static let batch = 64
  /// Its changed objects: as many as a loop reads at once, which it writes before it reads on.
  private static let updateBatch = ObjectCursor.batch
  /// The time of no transaction, nor of any store.
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

  /// The same, while elements of a list wait to be written.
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

  func note(_ error: RealmError) {
    if self.error == nil { self.error = error }
  }

  func advanceClock() {
    clock.set(Self.lastStamp.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  /// Tells whether a list of rows is still the same: numbers that change when the list may have.
  func changeCounts(of table: Table) -> (members: UInt64, values: UInt64) {
    changes[table]?.counts ?? (0, 0)
  }

  /// A number that changes when a collection may have.
  func changes(of collection: CollectionInfo, owner: Int64) -> UInt64 {
    changes.collections[collection.index]?.count(owner: owner) ?? 0
  }

  /// A number that changes when a collection of any object may have.
  func changes(ofAll collection: CollectionInfo) -> UInt64 {
    changes.collections[collection.index]?.total ?? 0
  }

  /// A number that changes when a collection of any class may have.
  var changesOfCollections: UInt64 { changes.collectionChanges }

  func noteChange(of collection: CollectionInfo, owner: Int64) {
    changes.note(collection.index) { $0.note(owner: owner) }
  }

  /// Hands over what is known of long lists, after the commit.
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

  /// The rows that were deleted.
  var deleted: TouchedRows { changes.rows(\.deleted) }

  /// The rows that are new.
  var inserted: TouchedRows { changes.rows(\.inserted) }

  // MARK: Objects

  /// Whether the object's values are those of its row; writes what other objects of the row have.
  func isUnchanged(_ object: ObjectBase, _ table: Table) throws(RealmError) -> Bool {
    if !object._dirty.isEmpty { return true }
    if mayDiffer(object, table) {
      try flush(table)
      return false
    }
    return object._stamp == committedStamp || object._stamp >= firstStamp
  }

  /// Whether an object was read in this transaction, and its row wasn't changed since.
  func keepsCurrent(_ object: ObjectBase, _ table: Table) -> Bool {
    object._dirty.isEmpty && object._stamp >= firstStamp && !mayDiffer(object, table)
  }

  /// Whether this transaction may have given the row other values than the object has.
  private func mayDiffer(_ object: ObjectBase, _ table: Table) -> Bool {
    guard let changes = changes[table] else { return false }
    return object._stamp < changes.staleSince || changes.touched.contains(object._rowID)
  }

  /// Called before the first change of an object whose changes are all written.
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

  /// Gives an object the identity of a new row; ``insert(_:in:)`` has it written.
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

  /// Makes an identified object a row, which is written later.
  func insert(_ object: ObjectBase, in table: Table) throws(RealmError) {
    let changes = changes.of(table)
    // Before it is added: objects are often changed when they are just new, which needs no
    // statement then.
    if changes.inserts.count >= Self.batch { try flush(table) }
    changes.inserts.append(object)
    changes.counts.members += 1
  }

  /// Makes an object stand for a row that exists.
  func identify(_ object: ObjectBase, row: Int64, in table: Table, session: Session) {
    table.adopt(object, rowID: row, context: session, stamp: clock.now)
    AddedObjects.count.wrappingAdd(1, ordering: .relaxed)
    // The row must not be read into it before its own values are written.
    object._dirty = .all
  }

  /// Has those properties of a placed object written that `slots` says.
  func update(_ object: ObjectBase, slots: PropertySet, in table: Table) {
    object._dirty = PropertySet()
    guard !slots.isEmpty else { return }
    willChange(object, in: table)
    watched.note(slots, in: table)
    object._dirty = slots
  }
}
