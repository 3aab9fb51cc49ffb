import StrataQuery
import StrataSchema
import StrataStorage

/// The changes of one or several commits, as observations ask for them.
struct CommitChanges: Sendable {
  /// The touched rows, by table; of a collection's table the objects that own the collections.
  var rows: [String: RowSet] = [:]
  /// The properties that differ or were set, by class and row; all of a row that came or went. Only
  /// of classes whose properties are observed.
  var properties: [String: [Int64: PropertySet]] = [:]
  /// The objects that changed themselves or through what they lead to, by region.
  var reached: [String: RowSet] = [:]
  /// How lists were edited; nil for what only comparing can tell.
  var edits: [CollectionKey: ListEdits?] = [:]

  func rows(of table: String) -> RowSet { rows[table] ?? RowSet() }

  func touches(_ table: String) -> Bool { rows[table].map { !$0.isEmpty } ?? false }

  func touches(_ key: CollectionKey) -> Bool { rows[key.table]?.contains(key.owner) ?? false }

  /// The objects of a region that changed.
  func reached(_ region: ChangedObjects?) -> RowSet {
    region.flatMap { reached[$0.key] } ?? RowSet()
  }

  /// How a list was edited; nil when that isn't known.
  func edits(of list: CollectionKey) -> ListEdits? { edits[list] ?? nil }

  var isEmpty: Bool {
    rows.isEmpty && properties.isEmpty && reached.isEmpty && edits.isEmpty
  }

  /// Adds what a later commit changed.
  mutating func add(_ newer: CommitChanges) {
    guard !isEmpty else { return self = newer }
    for (key, old) in edits where newer.touches(key) {
      // Without edits of the later commit it is unknown what became of the list.
      let later = newer.edits(of: key)
      edits[key] = .some(old.flatMap { old in later.flatMap { old.followed(by: $0) } })
    }
    for (key, edit) in newer.edits where edits[key] == nil {
      // Touched before without edits: unknown.
      edits[key] = .some(touches(key) ? nil : edit)
    }
    for (table, touched) in newer.rows { rows[table, default: RowSet()].formUnion(touched) }
    for (region, rows) in newer.reached { reached[region, default: RowSet()].formUnion(rows) }
    for (table, sets) in newer.properties {
      properties[table, default: [:]].merge(sets) { $0.union($1) }
    }
  }
}
