import StrataSchema
import StrataStorage

/// The changes of a transaction in one table.
final class ChangedTable {
  let table: Table
  /// Rows whose objects may hold other values than the row.
  @exclusivity(unchecked) var touched = RowSet()
  @exclusivity(unchecked) var deleted = RowSet()
  @exclusivity(unchecked) var inserted = RowSet()
  /// New objects, and objects with changed properties, which are not written yet.
  @exclusivity(unchecked) var inserts: [ObjectBase] = []
  @exclusivity(unchecked) var updates: [ObjectBase] = []
  /// How many new rows have an identity, which others may refer to, and are not written yet.
  @exclusivity(unchecked) var unwritten = 0
  /// How often they were written before a batch was full, because others were to refer to them.
  var earlyWrites = 0
  /// Whether ``inserts`` and ``updates`` are being written.
  var isBeingWritten = false
  /// How often rows came or went, and how often rows changed.
  @exclusivity(unchecked) var counts: (members: UInt64, values: UInt64) = (0, 0)
  /// When SQLite itself last changed rows, so that it isn't known which.
  var staleSince: UInt64 = 0

  init(_ table: Table) {
    self.table = table
  }

  var hasPending: Bool { !inserts.isEmpty || !updates.isEmpty }

  var isChanged: Bool { !touched.isEmpty || staleSince > 0 }

  /// The values of the first objects are those of their rows, or will be read again. More may have
  /// come while these were written, by code of the program that made their values.
  func forgetPending(inserts insertCount: Int, updates updateCount: Int) {
    let written = (inserts, updates)
    for object in written.0.prefix(insertCount) { object._dirty = PropertySet() }
    for object in written.1.prefix(updateCount) { object._dirty = PropertySet() }
    unwritten -= insertCount
    inserts.removeFirst(insertCount)
    updates.removeFirst(updateCount)
    // Released when nothing is changed: the end of an object may make or change others.
    withExtendedLifetime(written) {}
  }
}

/// The changes of a transaction. Nothing is kept of tables that it leaves alone, of which a file
/// may have hundreds.
struct PendingTables {
  private var changes: [ChangedTable?]
  /// The tables, in the order in which they were first changed.
  private(set) var all: [ChangedTable] = []
  private(set) var collections: [Int: CollectionChanges] = [:]
  /// The number of changes of all collections.
  private(set) var collectionChanges: UInt64 = 0
  /// The long lists that were changed, with those that know what they are like now.
  var lists: [LongLists.Key: SessionCollection] = [:]
  /// The elements that were appended to lists and are not written yet.
  var elements: [AppendedElements] = []

  /// - Parameter count: The number of tables of the store.
  init(count: Int) {
    changes = Array(repeating: nil, count: count)
  }

  subscript(table: Table) -> ChangedTable? { changes[table.index] }

  /// The changes of a table that is about to be changed.
  mutating func of(_ table: Table) -> ChangedTable {
    if let known = changes[table.index] { return known }
    let made = ChangedTable(table)
    changes[table.index] = made
    all.append(made)
    return made
  }

  mutating func note(_ collection: Int, _ body: (inout CollectionChanges) -> Void) {
    collectionChanges += 1
    body(&collections[collection, default: CollectionChanges()])
  }

  /// The rows of all tables in one of their sets.
  func rows(_ set: (ChangedTable) -> RowSet) -> TouchedRows {
    var rows = TouchedRows()
    for changes in all { rows.formUnion(set(changes), of: changes.table) }
    return rows
  }
}
