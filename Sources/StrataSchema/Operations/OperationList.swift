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
