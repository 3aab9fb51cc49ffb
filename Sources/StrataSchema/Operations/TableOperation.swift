/// One thing to do to a file. All names are those of tables and columns.
package enum TableOperation: Sendable, Hashable {
  /// Makes an empty table with the indexes and the primary key that the schema has.
  case createTable(ObjectSchema)
  /// Adds a column in place. With `perRow` it has the type's zero until a `fillColumns` operation.
  case addColumn(table: String, Property, ColumnDefault)
  /// Rebuilds a table.
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
  /// Makes an index of several columns.
  case createCompoundIndex(table: String, columns: [String])
  /// Removes an index of several columns.
  case dropCompoundIndex(table: String, columns: [String])
  /// Makes the full-text index of a column, together with the triggers that keep it: when all else
  /// is done.
  case createTextIndex(table: String, column: String)
  /// Removes the full-text index of a column, with its triggers.
  case dropTextIndex(table: String, column: String)
  /// Makes a column the primary key, after a look for duplicates.
  case createPrimaryKey(table: String, Property)
  /// Makes the primary key an ordinary column.
  case dropPrimaryKey(table: String, column: String)
  /// Makes the empty table of a collection.
  case createCollection(CollectionTable)
  /// Removes the table of a collection and all its elements.
  case dropCollection(CollectionTable)
  /// Makes the index of the elements of a collection.
  case createElementsIndex(CollectionTable)
  /// Removes the index of the elements of a collection.
  case dropElementsIndex(CollectionTable)
  /// Gives the table of a collection another name.
  case renameCollection(CollectionTable, to: CollectionTable)
  /// Rebuilds the table of a collection whose elements become optional or required. Those that
  /// are nil and may not be take the type's zero.
  case rebuildCollection(from: CollectionTable, to: CollectionTable)
  /// Makes the objects of a class embedded ones, or ordinary ones. The schema is what is in the
  /// file then, all changes of kind included.
  case changeKind(class: String, toEmbedded: Bool, in: Schema)
  /// Removes a class with its rows and collections, and the links that other classes have to it:
  /// their columns would refer to a table that is not there. The schema is what is in the file
  /// before; ``Schema/removing(_:)`` is what is in it then.
  case dropTable(String, in: Schema)
  /// Gives a class another name, with its collections, its indexes and the links that lead to it.
  /// The schema is what is in the file before; ``Schema/renaming(_:to:)`` is what is in it then.
  case renameTable(String, to: String, in: Schema)
  /// Gives columns of all rows, or of those for which SQL is true, values that are computed of the
  /// row.
  case setColumns(table: String, [TableRebuild.Column], where: String?)
}

extension TableOperation {
  /// Whether triggers stand in the way, because SQLite refuses to change what they mention.
  package var needsTriggersGone: Bool {
    switch self {
    case .createTable, .addColumn, .fillColumns, .createIndex, .dropIndex, .createPrimaryKey,
      .dropPrimaryKey, .createCollection, .createElementsIndex, .dropElementsIndex, .setColumns,
      .createTextIndex, .dropTextIndex, .createCompoundIndex, .dropCompoundIndex:
      false
    case .rebuildTable, .dropColumn, .renameColumn, .dropCollection, .renameCollection,
      .rebuildCollection, .changeKind, .dropTable, .renameTable:
      true
    }
  }
}

extension TableOperation: CustomStringConvertible {
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
    case .createCompoundIndex(let table, let columns):
      "Create the index of '\(IndexSQL.name(table: table, columns: columns))'."
    case .dropCompoundIndex(let table, let columns):
      "Drop the index of '\(IndexSQL.name(table: table, columns: columns))'."
    case .createTextIndex(let table, let column):
      "Create the full-text index of '\(table).\(column)'."
    case .dropTextIndex(let table, let column):
      "Drop the full-text index of '\(table).\(column)'."
    case .createPrimaryKey(let table, let property):
      "Make '\(property.columnName)' the primary key of '\(table)'."
    case .dropPrimaryKey(let table, let column):
      "Make '\(column)' no longer the primary key of '\(table)'."
    case .createCollection(let table):
      "Create table '\(table.name)'."
    case .dropCollection(let table):
      "Drop table '\(table.name)'."
    case .createElementsIndex(let table):
      "Create the index of '\(table.className).\(table.property.columnName)'."
    case .dropElementsIndex(let table):
      "Drop the index of '\(table.className).\(table.property.columnName)'."
    case .renameCollection(let old, let new):
      "Rename table '\(old.name)' to '\(new.name)'."
    case .rebuildCollection(_, let table):
      "Rebuild table '\(table.name)'."
    case .changeKind(let name, toEmbedded: true, _):
      "Embed the objects of '\(name)' in those that link to them."
    case .changeKind(let name, toEmbedded: false, _):
      "Make '\(name)' a top-level class."
    case .dropTable(let table, _):
      "Drop table '\(table)'."
    case .renameTable(let table, let new, _):
      "Rename table '\(table)' to '\(new)'."
    case .setColumns(let table, let values, _):
      "Set \(Self.columns(values.map(\.property))) of '\(table)'."
    }
  }

  private static func columns(_ properties: [Property]) -> String {
    let names = properties.map { "'\($0.columnName)'" }.joined(separator: ", ")
    return properties.count == 1 ? "column \(names)" : "columns \(names)"
  }
}

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
