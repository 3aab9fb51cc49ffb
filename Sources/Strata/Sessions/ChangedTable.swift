import StrataSchema
import StrataStorage

/// The changes of a transaction in one table.
final class ChangedTable {
  let table: Table
  /// The rows whose objects may hold other values than the row.
  @exclusivity(unchecked) var touched = RowSet()
  @exclusivity(unchecked) var deleted = RowSet()
  @exclusivity(unchecked) var inserted = RowSet()
  /// New objects and objects with changed properties that are not written yet.
  @exclusivity(unchecked) var inserts: [ObjectBase] = []
  @exclusivity(unchecked) var updates: [ObjectBase] = []
  /// The number of new rows that have an identity, which others may refer to, but aren't written
  /// yet.
  @exclusivity(unchecked) var unwritten = 0
  /// How often rows were written before a batch was full, because other rows refer to them.
  var earlyWrites = 0
  /// Whether ``inserts`` and ``updates`` are being written.
  var isBeingWritten = false
  /// Counters: `members` for inserted and deleted rows, `values` for changed rows.
  @exclusivity(unchecked) var counts: (members: UInt64, values: UInt64) = (0, 0)
  /// The time at which SQLite itself last changed rows of the table, so that the changed rows are
  /// unknown.
  var staleSince: UInt64 = 0

  init(_ table: Table) {
    self.table = table
  }

  var hasPending: Bool { !inserts.isEmpty || !updates.isEmpty }

  var isChanged: Bool { !touched.isEmpty || staleSince > 0 }

  /// Removes the first pending objects: their values are written, or will be read again. Code of
  /// the program that ran meanwhile may have added more.
  func forgetPending(inserts insertCount: Int, updates updateCount: Int) {
    let written = (inserts, updates)
    for object in written.0.prefix(insertCount) { object._dirty = PropertySet() }
    for object in written.1.prefix(updateCount) { object._dirty = PropertySet() }
    unwritten -= insertCount
    inserts.removeFirst(insertCount)
    updates.removeFirst(updateCount)
    // Released after all changes: deinitializers of objects may create or change others.
    withExtendedLifetime(written) {}
  }
}

/// The changes of a transaction. Holds nothing for unchanged tables, of which a file may have
/// hundreds.
struct PendingTables {
  private var changes: [ChangedTable?]
  /// The tables, in the order in which they were first changed.
  private(set) var all: [ChangedTable] = []
  private(set) var collections: [Int: CollectionChanges] = [:]
  private(set) var collectionChanges: UInt64 = 0
  /// The changed long lists, each with the collection that knows its current shape.
  var lists: [LongLists.Key: SessionCollection] = [:]
  /// The elements that were appended to lists and are not written yet.
  var elements: [AppendedElements] = []

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

  mutating func record(_ collection: Int, _ body: (inout CollectionChanges) -> Void) {
    collectionChanges += 1
    body(&collections[collection, default: CollectionChanges()])
  }

  /// The union over all tables of one of their row sets.
  func rows(_ set: (ChangedTable) -> RowSet) -> TouchedRows {
    var rows = TouchedRows()
    for changes in all { rows.formUnion(set(changes), of: changes.table) }
    return rows
  }
}
