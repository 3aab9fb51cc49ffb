/// A column that another tool added to the table of a class.
///
/// It is no part of the schema and is left alone, also when its table is rebuilt.
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
