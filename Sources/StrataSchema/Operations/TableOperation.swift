/// An operation on a file. All names are names of tables and columns.
package enum TableOperation: Sendable, Hashable {
  /// Creates an empty table with the indexes and the primary key of the schema.
  case createTable(ObjectSchema)
  /// Adds a column in place. With `perRow` it has the type's zero until a `fillColumns` operation.
  case addColumn(table: String, Property, ColumnDefault)
  case rebuildTable(TableRebuild)
  /// Evaluates the Swift defaults of properties for each row, or only if a column is NULL.
  case fillColumns(table: String, [Property], onlyNull: Bool)
  /// Removes a column in place, after its indexes.
  case dropColumn(table: String, column: String)
  /// Keeps the column, or the table, of a removed property for older programs. Precedes a rebuild
  /// of the table.
  case retire(table: String, Property)
  /// Renames a column in place.
  case renameColumn(table: String, from: String, to: String)
  /// Creates the index of one column, or of several in their order.
  case createIndex(table: String, columns: [String])
  case dropIndex(table: String, columns: [String])
  /// Creates the full-text index of a column, and the triggers that maintain it. Runs after all
  /// other operations.
  case createTextIndex(table: String, column: String)
  /// Drops the full-text index of a column, with its triggers.
  case dropTextIndex(table: String, column: String)
  /// Makes a column the primary key, after a check for duplicates.
  case createPrimaryKey(table: String, Property)
  /// Makes the primary key an ordinary column.
  case dropPrimaryKey(table: String, column: String)
  case createCollection(CollectionTable)
  case dropCollection(CollectionTable)
  case createElementsIndex(CollectionTable)
  case dropElementsIndex(CollectionTable)
  case renameCollection(CollectionTable, to: CollectionTable)
  /// Rebuilds the table of a collection whose elements become optional or required. Nil elements
  /// that become required get the type's zero.
  case rebuildCollection(from: CollectionTable, to: CollectionTable)
  /// Makes the objects of a class embedded or ordinary ones. The schema is the schema of the file
  /// after the operation, including all changes of kind.
  case changeKind(class: String, toEmbedded: Bool, in: Schema)
  /// Removes a class with its rows and collections, and the links of other classes to it, whose
  /// columns would refer to a missing table. The schema is the schema of the file before;
  /// ``Schema/removing(_:)`` returns the schema afterwards.
  case dropTable(String, in: Schema)
  /// Renames a class, with its collections, its indexes and the links to it. The schema is the
  /// schema of the file before; ``Schema/renaming(_:to:)`` returns the schema afterwards.
  case renameTable(String, to: String, in: Schema)
  /// Sets columns of all rows, or of the rows for which an SQL condition is true, to values that
  /// are computed from the row.
  case setColumns(table: String, [TableRebuild.Column], where: String?)
}

extension TableOperation {
  /// Whether triggers must be dropped first, because SQLite refuses to change tables that they
  /// mention.
  package var requiresDroppedTriggers: Bool {
    switch self {
    case .createTable, .addColumn, .fillColumns, .createIndex, .dropIndex, .createPrimaryKey,
      .dropPrimaryKey, .createCollection, .createElementsIndex, .dropElementsIndex, .setColumns,
      .createTextIndex, .dropTextIndex, .retire:
      false
    case .rebuildTable, .dropColumn, .renameColumn, .dropCollection, .renameCollection,
      .rebuildCollection, .changeKind, .dropTable, .renameTable:
      true
    }
  }
}

extension TableOperation: CustomStringConvertible {
  /// One line for people: `Add column 'email' to 'Person'.`
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
    case .retire(let table, let property):
      "Keep '\(property.columnName)' of '\(table)' for older programs."
    case .renameColumn(let table, let old, let new):
      "Rename column '\(old)' of '\(table)' to '\(new)'."
    case .createIndex(let table, let columns):
      "Create the index of '\(IndexSQL.name(table: table, columns: columns))'."
    case .dropIndex(let table, let columns):
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
      "Embed the objects of '\(name)' in the objects that link to them."
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
  /// The effort of an operation on a table.
  package enum Work: Sendable, Hashable {
    /// The duration doesn't depend on the number of rows.
    case constant
    /// The operation reads each row.
    case rows
    /// The operation writes the whole table again.
    case rebuild
  }

  /// The table of the operation, and the effort.
  package var work: (table: String, Work) {
    switch self {
    case .createTable(let schema): (schema.className, .constant)
    case .rebuildTable(let rebuild): (rebuild.table, .rebuild)
    // SQLite rewrites each row without the value.
    case .dropColumn(let table, _): (table, .rebuild)
    case .fillColumns(let table, _, _), .setColumns(let table, _, _), .createIndex(let table, _),
      .createTextIndex(let table, _), .createPrimaryKey(let table, _), .dropTable(let table, _):
      (table, .rows)
    case .addColumn(let table, _, _), .retire(let table, _), .renameColumn(let table, _, _),
      .renameTable(let table, _, _), .dropIndex(let table, _), .dropTextIndex(let table, _),
      .dropPrimaryKey(let table, _):
      (table, .constant)
    case .createCollection(let table), .dropCollection(let table),
      .dropElementsIndex(let table), .renameCollection(let table, _):
      (table.name, .constant)
    case .createElementsIndex(let table): (table.name, .rows)
    case .rebuildCollection(let table, _): (table.name, .rebuild)
    case .changeKind(let name, toEmbedded: let isEmbedded, _):
      (name, isEmbedded ? .rows : .constant)
    }
  }
}

/// The operations on a file, in order, and the schema of the file after them.
package struct OperationList: Sendable, Hashable {
  /// The operations, to be run in this order.
  package var operations: [TableOperation]

  /// The physical schema of the file after the operations.
  ///
  /// A primary key that is dropped during a migration block is absent here. A property that is
  /// removed after the block is still present, after the properties of the model. A row that is
  /// inserted meanwhile needs a value for its column, which may be NOT NULL.
  package var schema: Schema

  package init(operations: [TableOperation], schema: Schema) {
    self.operations = operations
    self.schema = schema
  }
}

extension OperationList: CustomStringConvertible {
  /// The numbered operations, one a line, as printed by a dry run.
  package var description: String {
    if operations.isEmpty { return "Nothing to do." }
    return operations.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "\n")
  }
}

/// A choice for objects that cannot be embedded as they are, in a class that becomes embedded.
package struct EmbeddingChoice: Sendable, Hashable {
  package var orphans: OrphanPolicy
  package var shared: SharedObjectPolicy

  /// Creates a choice. By default no object is deleted or copied.
  package init(orphans: OrphanPolicy = .refuse, shared: SharedObjectPolicy = .refuse) {
    self.orphans = orphans
    self.shared = shared
  }
}

/// A choice for objects without a parent when their class becomes an embedded one.
public enum OrphanPolicy: Sendable, Hashable {
  /// The migration fails. Its error gives the number of these objects, and names some of them.
  case refuse
  /// They are deleted, with their embedded objects.
  case delete
}

/// A choice for objects with several parents when their class becomes an embedded one.
public enum SharedObjectPolicy: Sendable, Hashable {
  /// The migration fails. Its error names these objects and their parents.
  case refuse
  /// The first parent keeps the object, and each other one gets a copy. Objects embedded in it are
  /// copied as well; objects that it links to are not.
  case copy
}

/// The properties of a table that were removed from the model.
///
/// A migration block may still rename them, so they stay until the block has finished.
struct Leftovers {
  /// All of these properties, in the order of the table.
  let all: [Property]

  private let columns: Set<String>

  init(from old: ObjectSchema, to new: ObjectSchema) {
    all = old.properties.filter { before in
      !new.properties.contains {
        $0.isStoredInColumn == before.isStoredInColumn
          && SQLName.same($0.columnName, before.columnName)
      }
    }
    columns = Set(new.properties.flatMap(\.columns).map { SQLName.folded($0.name) })
  }

  /// The properties that cannot stay, because a new column has the name of one of their columns.
  ///
  /// This happens if one schema has an `AnyRealmValue` `x`, with its helper `x_type`, and the other
  /// one a property `x_type`. The block still finds the values in the old objects.
  var inTheWay: [Property] { all.filter(isInTheWay) }

  var remaining: [Property] { all.filter { !isInTheWay($0) } }

  private func isInTheWay(_ property: Property) -> Bool {
    property.columns.contains { columns.contains(SQLName.folded($0.name)) }
  }
}
