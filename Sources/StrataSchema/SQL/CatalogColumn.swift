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
