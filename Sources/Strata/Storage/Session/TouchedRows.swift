/// Rows of the tables of a store: those that a write transaction has changed, for example.
struct TouchedRows {
  private var sets: [RowSet]

  init(tables: Int) {
    sets = Array(repeating: RowSet(), count: tables)
  }

  mutating func insert(_ row: Int64, in table: Table) {
    sets[table.index].insert(row)
  }

  func contains(_ row: Int64, in table: Table) -> Bool {
    sets[table.index].contains(row)
  }

  mutating func formUnion(_ other: TouchedRows) {
    for index in sets.indices { sets[index].formUnion(other.sets[index]) }
  }

  func isEmpty(_ table: Table) -> Bool { sets[table.index].isEmpty }

  var isEmpty: Bool { sets.allSatisfy(\.isEmpty) }
}
