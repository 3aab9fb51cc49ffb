import GRDB
import StrataSchema
import StrataStorage

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
