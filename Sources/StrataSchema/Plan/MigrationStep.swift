/// One thing to do to a file. All names are those of tables and columns.
package enum MigrationStep: Sendable, Hashable {
  /// Makes an empty table with the indexes and the primary key that the schema has.
  case createTable(ObjectSchema)
  /// Adds a column in place. With `perRow` it has the type's zero until a `fillColumns` step.
  case addColumn(table: String, Property, ColumnDefault)
  /// Makes a table anew.
  case rebuildTable(TableRebuild)
  /// Evaluates the Swift defaults of properties for each row, or only where a column has NULL.
  case fillColumns(table: String, [Property], onlyNull: Bool)
  /// Removes a column in place. It has no index any more.
  case dropColumn(table: String, column: String)
  /// Renames a column in place.
  case renameColumn(table: String, from: String, to: String)
  /// Makes the plain index of a column.
  case createIndex(table: String, column: String)
  /// Removes the plain index of a column.
  case dropIndex(table: String, column: String)
  /// Makes a column the primary key, after a look for duplicates.
  case createPrimaryKey(table: String, Property)
  /// Makes the primary key an ordinary column.
  case dropPrimaryKey(table: String, column: String)
  /// Removes a table and its rows.
  case dropTable(String)
}

extension MigrationStep: CustomStringConvertible {
  /// One line for humans: `Add column 'email' to 'Person'.`
  package var description: String {
    switch self {
    case .createTable(let schema):
      "Create table '\(schema.className)'."
    case .addColumn(let table, let property, _):
      "Add column '\(property.columnName)' to '\(table)'."
    case .rebuildTable(let rebuild):
      "Rebuild table '\(rebuild.table)'."
    case .fillColumns(let table, let properties, onlyNull: false):
      "Fill \(Self.columns(properties)) of '\(table)' with a default for each row."
    case .fillColumns(let table, let properties, onlyNull: true):
      "Fill \(Self.columns(properties)) of '\(table)' with a default for each row that has none."
    case .dropColumn(let table, let column):
      "Drop column '\(column)' of '\(table)'."
    case .renameColumn(let table, let old, let new):
      "Rename column '\(old)' of '\(table)' to '\(new)'."
    case .createIndex(let table, let column):
      "Create the index of '\(table).\(column)'."
    case .dropIndex(let table, let column):
      "Drop the index of '\(table).\(column)'."
    case .createPrimaryKey(let table, let property):
      "Make '\(property.columnName)' the primary key of '\(table)'."
    case .dropPrimaryKey(let table, let column):
      "Make '\(column)' no longer the primary key of '\(table)'."
    case .dropTable(let table):
      "Drop table '\(table)'."
    }
  }

  private static func columns(_ properties: [Property]) -> String {
    let names = properties.map { "'\($0.columnName)'" }.joined(separator: ", ")
    return properties.count == 1 ? "column \(names)" : "columns \(names)"
  }
}
