import GRDB
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
    let written = (inserts.takeFirst(insertCount), updates.takeFirst(updateCount))
    for object in written.0 { object._dirty = PropertySet() }
    for object in written.1 { object._dirty = PropertySet() }
    unwritten -= insertCount
    // Released after all changes: deinitializers of objects may create or change others.
    withExtendedLifetime(written) {}
  }
}

extension Array {
  /// Removes and returns the first elements. Taking all of them copies none.
  fileprivate mutating func takeFirst(_ count: Int) -> Self {
    let taken = count == self.count ? self : Array(prefix(count))
    if count == self.count { self = [] } else { removeFirst(count) }
    return taken
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

/// Rows of a store's tables, such as the rows that transactions have deleted.
struct TouchedRows {
  private var sets: [Int: RowSet] = [:]

  func contains(_ row: Int64, in table: Table) -> Bool {
    sets.isEmpty ? false : sets[table.index]?.contains(row) == true
  }

  mutating func formUnion(_ rows: RowSet, of table: Table) {
    if !rows.isEmpty { sets[table.index, default: RowSet()].formUnion(rows) }
  }

  mutating func formUnion(_ other: TouchedRows) {
    for (table, rows) in other.sets { sets[table, default: RowSet()].formUnion(rows) }
  }

  var isEmpty: Bool { sets.isEmpty }
}

/// The counter of changes of properties that lists of rows depend on.
///
/// A loop that changes each object by its position must not read the list again each time, unless
/// the loop changes values that the list is sorted or filtered by.
struct WatchedValues {
  /// The properties, by table.
  private var slots: [PropertySet] = []
  private(set) var changes: UInt64 = 0

  mutating func watch(_ slot: _PropertySlot, in table: Table) {
    while slots.count <= table.index { slots.append(PropertySet()) }
    slots[table.index].insert(slot)
  }

  @inline(__always)
  mutating func record(_ slot: _PropertySlot, in table: Table) {
    guard slots.count > table.index, slots[table.index].contains(slot) else { return }
    changes += 1
  }

  mutating func record(_ changed: PropertySet, in table: Table) {
    guard slots.count > table.index, slots[table.index].intersects(changed) else { return }
    changes += 1
  }
}

/// The number of changes of the collections of one table in a transaction.
///
/// A cache for one object's list stays valid while other objects' lists change.
struct CollectionChanges {
  private(set) var total: UInt64 = 0
  /// The number of changes that may affect every object.
  private var ofAll: UInt64 = 0
  private var ofOwners: [Int64: UInt64] = [:]

  /// The limit of counted owners, beyond which all are forgotten to bound memory.
  private static let maxOwners = 1_000

  /// A number that changes when the collection of an object may have changed.
  func count(owner: Int64) -> UInt64 { ofAll << 32 | ofOwners[owner, default: 0] }

  mutating func record(owner: Int64) {
    total += 1
    if ofOwners.count >= Self.maxOwners, ofOwners[owner] == nil { forgetOwners() }
    ofOwners[owner, default: 0] += 1
  }

  mutating func recordAll() {
    total += 1
    forgetOwners()
  }

  private mutating func forgetOwners() {
    ofAll += 1
    ofOwners = [:]
  }
}

/// Pending elements at the end of one list: one statement for several takes half of the time of one
/// per element.
struct AppendedElements {
  let list: ElementTable
  /// The position of the first element. The others follow.
  private let position: Int64
  private var elements: [_StoredElement]
  /// The tables of the owner, and of elements that are objects. Their new rows are written first.
  let referred: (owner: Table, target: Table?)

  private static let maxCount = 256

  init(
    _ elements: [_StoredElement], to list: ElementTable, at position: Int64,
    referringTo referred: (owner: Table, target: Table?)
  ) {
    self.elements = elements
    self.list = list
    self.position = position
    self.referred = referred
  }

  /// Adds elements; false if they belong to another list, or don't follow the present elements.
  mutating func append(
    _ new: [_StoredElement], to list: ElementTable, at position: Int64
  ) -> Bool {
    guard elements.count < Self.maxCount, self.list.owner == list.owner,
      self.list.info.index == list.info.index, self.position + Int64(elements.count) == position
    else { return false }
    elements.append(contentsOf: new)
    return true
  }

  func write(_ db: Database) throws {
    try list.insert(db, elements, position: position)
  }
}
