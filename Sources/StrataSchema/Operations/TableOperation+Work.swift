extension TableOperation {
  /// The amount of a table that an operation works on.
  package enum Work: Sendable, Hashable {
    /// It takes no longer with more rows.
    case constant
    /// It reads each row.
    case rows
    /// It writes the whole table again.
    case rebuild
  }

  /// The table that the operation works on, and how much of it.
  package var work: (table: String, Work) {
    switch self {
    case .createTable(let schema): (schema.className, .constant)
    case .addColumn(let table, _, _): (table, .constant)
    case .rebuildTable(let rebuild): (rebuild.table, .rebuild)
    case .fillColumns(let table, _, _): (table, .rows)
    // SQLite writes each row without the value.
    case .dropColumn(let table, _): (table, .rebuild)
    case .renameColumn(let table, _, _): (table, .constant)
    case .setColumns(let table, _, _): (table, .rows)
    case .renameTable(let table, _, _): (table, .constant)
    case .createIndex(let table, _): (table, .rows)
    case .dropIndex(let table, _): (table, .constant)
    case .createCompoundIndex(let table, _): (table, .rows)
    case .dropCompoundIndex(let table, _): (table, .constant)
    case .createTextIndex(let table, _): (table, .rows)
    case .dropTextIndex(let table, _): (table, .constant)
    case .createPrimaryKey(let table, _): (table, .rows)
    case .dropPrimaryKey(let table, _): (table, .constant)
    case .createCollection(let table): (table.name, .constant)
    case .dropCollection(let table): (table.name, .constant)
    case .createElementsIndex(let table): (table.name, .rows)
    case .dropElementsIndex(let table): (table.name, .constant)
    case .renameCollection(let table, _): (table.name, .constant)
    case .rebuildCollection(let table, _): (table.name, .rebuild)
    case .changeKind(let name, toEmbedded: let isEmbedded, _):
      (name, isEmbedded ? .rows : .constant)
    case .dropTable(let table, _): (table, .rows)
    }
  }
}
