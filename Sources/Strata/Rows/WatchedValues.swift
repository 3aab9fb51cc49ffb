/// The counters of changes of those properties that lists of rows depend on.
///
/// A loop that changes each object by its position must not read the list again each time, unless
/// it changes what the list is sorted or filtered by.
struct WatchedValues {
  /// A bit for each property, by table; all others have the last bit together.
  private var slots: [UInt64] = []
  private(set) var changes: UInt64 = 0

  static func bit(_ slot: Int) -> UInt64 { 1 << UInt64(min(slot, 63)) }

  mutating func watch(_ slot: Int, in table: Table) {
    while slots.count <= table.index { slots.append(0) }
    slots[table.index] |= Self.bit(slot)
  }

  /// Notes that some properties of an object of a table change.
  @inline(__always)
  mutating func note(_ changed: UInt64, in table: Table) {
    guard !slots.isEmpty, slots.indices.contains(table.index), slots[table.index] & changed != 0
    else { return }
    changes += 1
  }
}
