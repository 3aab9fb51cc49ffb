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

/// A change of one row by another program, as recorded by a trigger: SQL literals with commas
/// between them.
///
/// `'Person','i',7`, `'Person','u',7,'age'` with the changed columns, `'Person','c',7,'tags'` with
/// a collection, `'Person','d',7,'name','Ada'` with kept columns and their values.
package struct OtherProgramChange: Sendable, Hashable {
  package var className: String
  package var kind: HistoryNote.Kind
  package var row: Int64
  /// The properties that an update has changed, by their columns.
  package var columns: [String] = []
  /// The values that a deletion keeps.
  package var kept: [String: StoredValue] = [:]

  /// Reads the text of a trigger; nil for another text.
  package init?(_ text: String) {
    guard let values = SQLLiterals.values(in: text), values.count >= 3,
      case .text(let className) = values[0], case .text(let letter) = values[1],
      let kind = HistoryNote.Kind(rawValue: letter), case .integer(let row) = values[2]
    else { return nil }
    self.className = className
    self.kind = kind
    self.row = row
    let rest = values.dropFirst(3)
    switch kind {
    case .inserted: break
    case .updated, .elements:
      for value in rest {
        guard case .text(let column) = value else { return nil }
        columns.append(column)
      }
    case .deleted:
      guard rest.count.isMultiple(of: 2) else { return nil }
      for index in stride(from: rest.startIndex, to: rest.endIndex, by: 2) {
        guard case .text(let column) = rest[index] else { return nil }
        kept[column] = rest[index + 1]
      }
    }
  }
}

/// A reader of the output of SQLite's `quote()`, and of texts in the form `T` and their bytes.
enum SQLLiterals {
  /// Returns the values of literals between commas; nil for another text.
  static func values(in text: String) -> [StoredValue]? {
    var bytes = Array(text.utf8)[...]
    var values: [StoredValue] = []
    repeat {
      guard let value = next(&bytes) else { return nil }
      values.append(value)
    } while take(UInt8(ascii: ","), &bytes)
    return bytes.isEmpty ? values : nil
  }

  private static func take(_ byte: UInt8, _ bytes: inout ArraySlice<UInt8>) -> Bool {
    guard bytes.first == byte else { return false }
    bytes.removeFirst()
    return true
  }

  private static func next(_ bytes: inout ArraySlice<UInt8>) -> StoredValue? {
    switch bytes.first {
    case UInt8(ascii: "'"): return string(&bytes).map { .text($0) }
    case UInt8(ascii: "X"):
      bytes.removeFirst()
      return string(&bytes).flatMap { hexBytes($0.utf8) }.map { .blob($0) }
    case UInt8(ascii: "T"):
      bytes.removeFirst()
      guard take(UInt8(ascii: "X"), &bytes) else { return nil }
      return string(&bytes).flatMap { hexBytes($0.utf8) }
        .map { .text(String(decoding: $0, as: UTF8.self)) }
    default:
      let end = bytes.firstIndex(of: UInt8(ascii: ",")) ?? bytes.endIndex
      let word = String(decoding: bytes[..<end], as: UTF8.self)
      bytes = bytes[end...]
      if word == "NULL" { return .null }
      if let integer = Int64(word) { return .integer(integer) }
      return Double(word).map { .real($0) }
    }
  }

  private static func string(_ bytes: inout ArraySlice<UInt8>) -> String? {
    let quote = UInt8(ascii: "'")
    guard take(quote, &bytes) else { return nil }
    var result: [UInt8] = []
    while let end = bytes.firstIndex(of: quote) {
      result += bytes[..<end]
      bytes = bytes[(end + 1)...]
      guard take(quote, &bytes) else { return String(decoding: result, as: UTF8.self) }
      result.append(quote)
    }
    return nil
  }
}
