/// A column as reported by `PRAGMA table_xinfo`.
package struct CatalogColumn: Sendable, Hashable {
  package var table: String
  package var name: String
  package var type: String
  package var notNull: Bool
  /// The default, as SQL text.
  package var defaultSQL: String?
  /// Whether the column is (part of) the primary key of the table.
  package var isPrimaryKey: Bool
  /// 0 for an ordinary column; 2 and 3 for generated ones.
  package var hidden: Int

  package init(
    table: String,
    name: String,
    type: String,
    notNull: Bool = false,
    defaultSQL: String? = nil,
    isPrimaryKey: Bool = false,
    hidden: Int = 0
  ) {
    self.table = table
    self.name = name
    self.type = type
    self.notNull = notNull
    self.defaultSQL = defaultSQL
    self.isPrimaryKey = isPrimaryKey
    self.hidden = hidden
  }
}

/// A column that another tool added to the table of a class.
///
/// It is not a part of the schema and stays unchanged, even when its table is rebuilt.
package struct ExtraColumn: Sendable, Hashable {
  package var name: String
  /// Its definition in `CREATE TABLE`.
  package var definition: String
  /// Whether SQLite computes the value, so that it must not be copied.
  package var isGenerated: Bool

  /// Creates a column from its definition in SQL.
  package init(name: String, definition: String, isGenerated: Bool = false) {
    self.name = name
    self.definition = definition
    self.isGenerated = isGenerated
  }
}
