/// One column as `PRAGMA table_xinfo` reports it.
package struct CatalogColumn: Sendable, Hashable {
  /// The table that the column belongs to.
  package var table: String
  /// The name of the column.
  package var name: String
  /// The declared type.
  package var type: String
  /// Whether the column refuses NULL.
  package var notNull: Bool
  /// The default, as SQL text.
  package var defaultSQL: String?
  /// Whether the column is (part of) the primary key of the table.
  package var isPrimaryKey: Bool
  /// 0 for an ordinary column; 2 and 3 for generated ones.
  package var hidden: Int

  /// Describes a column.
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
/// It is not a part of the schema and is left alone, also when its table is rebuilt.
package struct ExtraColumn: Sendable, Hashable {
  /// The name of the column.
  package var name: String
  /// Its definition, as it stands in `CREATE TABLE`.
  package var definition: String
  /// Whether SQLite computes the value, so that a copy must leave it out.
  package var isGenerated: Bool

  /// Describes a column by its definition in SQL.
  package init(name: String, definition: String, isGenerated: Bool = false) {
    self.name = name
    self.definition = definition
    self.isGenerated = isGenerated
  }
}
