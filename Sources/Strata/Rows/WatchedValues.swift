import StrataSchema

/// The counters of changes of those properties that lists of rows depend on.
///
/// A loop that changes each object by its position must not read the list again each time, unless
/// it changes what the list is sorted or filtered by.
struct WatchedValues {
  /// The properties, by table.
  private var slots: [PropertySet] = []
  private(set) var changes: UInt64 = 0

  mutating func watch(_ slot: _PropertySlot, in table: Table) {
    while slots.count <= table.index { slots.append(PropertySet()) }
    slots[table.index].insert(slot)
  }

  /// Notes that a property of an object of a table changes.
  @inline(__always)
  mutating func note(_ slot: _PropertySlot, in table: Table) {
    guard slots.count > table.index, slots[table.index].contains(slot) else { return }
    changes += 1
  }

  /// Notes that some properties of an object of a table change.
  mutating func note(_ changed: PropertySet, in table: Table) {
    guard slots.count > table.index, slots[table.index].intersects(changed) else { return }
    changes += 1
  }
}
