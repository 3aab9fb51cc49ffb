/// The operations on a file, in order, and what it will then contain.
package struct OperationList: Sendable, Hashable {
  /// The operations, to be run in this order.
  package var operations: [TableOperation]

  /// What is physically in the file after the operations.
  ///
  /// A primary key that is gone for the time of a migration block is absent here. A property that
  /// is to be removed after it is still present, behind those of the model; a row that is inserted
  /// meanwhile gives its column a value, for it may be NOT NULL.
  package var schema: Schema

  /// Describes a list of operations.
  package init(operations: [TableOperation], schema: Schema) {
    self.operations = operations
    self.schema = schema
  }
}

extension OperationList: CustomStringConvertible {
  /// The numbered operations, one a line: what a dry run prints.
  package var description: String {
    if operations.isEmpty { return "Nothing to do." }
    return operations.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "\n")
  }
}

/// A choice for objects that cannot be embedded as they are, in a class that becomes embedded.
package struct EmbeddingChoice: Sendable, Hashable {
  package var orphans: OrphanPolicy
  package var shared: SharedObjectPolicy

  /// Describes a choice; without one nothing is lost and nothing multiplies.
  package init(orphans: OrphanPolicy = .refuse, shared: SharedObjectPolicy = .refuse) {
    self.orphans = orphans
    self.shared = shared
  }
}

/// A choice for objects without a parent when their class becomes an embedded one.
public enum OrphanPolicy: Sendable, Hashable {
  /// The migration fails, and says how many there are, and which.
  case refuse
  /// They are deleted, with what is embedded in them.
  case delete
}

/// A choice for objects with several parents when their class becomes an embedded one.
public enum SharedObjectPolicy: Sendable, Hashable {
  /// The migration fails, and says which they are, and whose.
  case refuse
  /// The first parent keeps the object, each other one gets a copy. What is embedded in the object
  /// is copied as well; objects that it links to are not.
  case copy
}

/// The properties of a table that the model no longer has.
///
/// A migration block may still rename them to something else, so they stay until it is done.
struct Leftovers {
  /// All of them, in the order of the table.
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

  /// Those that cannot stay, because a new column has the name of one of theirs.
  ///
  /// It takes an `AnyRealmValue` `x`, with its helper `x_type`, and a property `x_type` in the
  /// other schema. The block still finds the values in the old objects.
  var inTheWay: [Property] { all.filter(isInTheWay) }

  /// Those that can stay.
  var remaining: [Property] { all.filter { !isInTheWay($0) } }

  private func isInTheWay(_ property: Property) -> Bool {
    property.columns.contains { columns.contains(SQLName.folded($0.name)) }
  }
}
