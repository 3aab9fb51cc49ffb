import StrataStorage

/// Rows of the tables of a store: those that transactions have deleted, for example.
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
