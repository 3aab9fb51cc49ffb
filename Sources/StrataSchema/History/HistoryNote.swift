/// A change of one row, as SQLite reported it.
package struct HistoryNote: Sendable, Hashable {
  /// The kinds of changes. Triggers write the raw values.
  package enum Kind: String, Sendable, Hashable {
    case inserted = "i"
    case updated = "u"
    case deleted = "d"
    /// A change of the object in another table. It doesn't imply that the object exists: elements
    /// are written before their owner, and deleted after it.
    case elements = "c"
  }

  package var row: Int64
  package var kind: Kind
  /// The properties that an update has changed, as in ``HistoryLayout``.
  package var properties: PropertySet

  package init(_ kind: Kind, row: Int64, properties: PropertySet = PropertySet()) {
    self.row = row
    self.kind = kind
    self.properties = properties
  }
}

/// The net effect of all changes of one row in a transaction.
package struct NetChange: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case inserted, updated, deleted
  }

  package var row: Int64
  package var kind: Kind
  package var properties: PropertySet

  package init(row: Int64, kind: Kind, properties: PropertySet = PropertySet()) {
    self.row = row
    self.kind = kind
    self.properties = properties
  }

  /// Returns the effects of notes, sorted by row. The notes are in the order of recording.
  ///
  /// | first | last | effect |
  /// |---|---|---|
  /// | inserted | inserted or updated | inserted |
  /// | inserted | deleted | none |
  /// | updated or deleted | deleted | deleted |
  /// | updated | updated | updated, if a property is named |
  /// | deleted | inserted or updated | updated, with all properties |
  ///
  /// Notes of elements are an update if the object existed before and exists after.
  package static func effects(of notes: [HistoryNote]) -> [NetChange] {
    var changes: [NetChange] = []
    changes.reserveCapacity(notes.count)
    var current: RowEffect?
    for note in inOrderOfRows(notes) {
      if current?.row == note.row {
        current?.add(note)
      } else {
        if let change = current?.net { changes.append(change) }
        current = RowEffect(note)
      }
    }
    if let change = current?.net { changes.append(change) }
    return changes
  }

  /// Returns the notes sorted by row, and for one row in their order.
  private static func inOrderOfRows(_ notes: [HistoryNote]) -> [HistoryNote] {
    guard zip(notes, notes.dropFirst()).contains(where: { $0.row > $1.row }) else { return notes }
    return notes.enumerated().sorted {
      ($0.element.row, $0.offset) < ($1.element.row, $1.offset)
    }.map(\.element)
  }
}

/// The combined notes of one row.
private struct RowEffect {
  let row: Int64
  /// Nil until a note shows whether the row existed before the transaction.
  private var existed: Bool?
  private var exists = true
  private var wasDeleted = false
  private var properties = PropertySet()

  init(_ note: HistoryNote) {
    row = note.row
    add(note)
  }

  mutating func add(_ note: HistoryNote) {
    properties.formUnion(note.properties)
    guard note.kind != .elements else { return }
    if existed == nil { existed = note.kind != .inserted }
    exists = note.kind != .deleted
    if !exists { wasDeleted = true }
  }

  var net: NetChange? {
    switch (existed ?? true, exists) {
    case (false, true): NetChange(row: row, kind: .inserted)
    case (true, false): NetChange(row: row, kind: .deleted)
    case (true, true) where wasDeleted: NetChange(row: row, kind: .updated, properties: .all)
    case (true, true) where !properties.isEmpty:
      NetChange(row: row, kind: .updated, properties: properties)
    case (true, true), (false, false): nil
    }
  }
}
