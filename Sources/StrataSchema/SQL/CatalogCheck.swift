/// A comparison of the recorded schema of a file with its tables.
///
/// Tables and schema differ if other tools have changed tables. Extra tables and columns are
/// allowed.
package enum CatalogCheck {
  /// Returns a sentence for every table or column that is missing or has another declaration.
  ///
  /// Classes are in the order of the schema, columns in the order of the properties, followed by
  /// the collections of the class. Like SQLite, ignores ASCII case in names.
  package static func problems(stored: Schema, columns: [CatalogColumn]) -> [String] {
    var tables: [String: [String: CatalogColumn]] = [:]
    for column in columns {
      tables[SQLName.folded(column.table), default: [:]][SQLName.folded(column.name)] = column
    }
    return stored.stored.objectSchema.flatMap { schema -> [String] in
      let collections = schema.collectionTables.flatMap { collection -> [String] in
        guard let table = tables[SQLName.folded(collection.name)] else {
          return ["Table '\(collection.name)' is missing."]
        }
        return collection.columns.compactMap { problem($0, collection.name, in: table) }
      }
      guard let table = tables[SQLName.folded(schema.className)] else {
        return ["Table '\(schema.className)' is missing."] + collections
      }
      return identityProblems(schema, in: table)
        + schema.properties.flatMap(\.columns).compactMap {
          problem($0, schema.className, in: table)
        } + collections
    }
  }

  private static func identityProblems(
    _ schema: ObjectSchema, in table: [String: CatalogColumn]
  ) -> [String] {
    let name = "\(schema.className).\(schema.identityColumn)"
    guard let column = table[schema.identityColumn] else {
      return ["Column '\(name)' is missing."]
    }
    if column.isPrimaryKey, column.type.uppercased() == ColumnType.integer.rawValue { return [] }
    return [
      "Column '\(name)' is declared \(declaration(column)) where INTEGER PRIMARY KEY was expected."
    ]
  }

  private static func problem(
    _ expected: ColumnDefinition, _ tableName: String, in table: [String: CatalogColumn]
  ) -> String? {
    let name = "\(tableName).\(expected.name)"
    guard let column = table[SQLName.folded(expected.name)] else {
      return "Column '\(name)' is missing."
    }
    let isAsExpected =
      column.type.uppercased() == expected.type.rawValue
      && column.notNull == expected.isRequired
      && column.hidden == 0
    if isAsExpected { return nil }
    let wanted = "\(expected.type.rawValue) \(expected.isRequired ? "NOT NULL" : "NULL")"
    return "Column '\(name)' is declared \(declaration(column)) where \(wanted) was expected."
  }

  private static func declaration(_ column: CatalogColumn) -> String {
    let type = column.type.isEmpty ? "without a type," : column.type.uppercased()
    let generated = column.hidden == 0 ? "" : "GENERATED "
    return generated + type + (column.notNull ? " NOT NULL" : " NULL")
  }
}
