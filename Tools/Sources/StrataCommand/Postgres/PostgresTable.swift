import StrataSchema

/// The types of columns in PostgreSQL.
enum PostgresType: String, Hashable {
  case bigint
  case boolean
  case real
  case double = "double precision"
  case text
  case bytea
  case timestamptz
  case uuid
  case numeric
  case jsonb

  init(_ type: PropertyType) {
    self =
      switch type {
      case .int, .object, .linkingObjects: .bigint
      case .bool: .boolean
      case .float: .real
      case .double: .double
      case .string, .objectId: .text
      case .data: .bytea
      case .date: .timestamptz
      case .UUID: .uuid
      case .decimal128: .numeric
      case .any: .jsonb
      }
  }
}

/// A column of a table in PostgreSQL, and the source of its values in the file.
struct PostgresColumn: Hashable {
  var name: String
  /// The type of the property, or of the elements of a collection.
  var valueType: PropertyType
  var isRequired: Bool
  /// The column in the file.
  var source: String
  /// The column in the file with the type of an `AnyRealmValue`.
  var typeSource: String?
  /// The target of a link; nil for other columns.
  var reference: PostgresReference?

  var type: PostgresType { PostgresType(valueType) }

  /// Whether values can be so long that the index must be of another kind.
  var isOfAnyLength: Bool { [.text, .bytea, .jsonb].contains(type) }
}

/// A foreign key to the identity of another table.
struct PostgresReference: Hashable {
  enum Deletion: String, Hashable {
    case setNull = "SET NULL"
    case cascade = "CASCADE"
  }

  /// The table in PostgreSQL.
  var table: String
  /// The identity column of that table in PostgreSQL.
  var column: String
  /// The table in the file, and its identity.
  var sourceTable: String
  var sourceIdentity: String
  var onDelete: Deletion
  /// Whether the target is an embedded object, which is deleted with its parent.
  var isEmbedded: Bool
}

/// An index, which is created after the data is written.
struct PostgresIndex: Hashable {
  enum Kind: Hashable {
    case plain
    case unique
    /// A unique index that allows one NULL in its last column.
    case uniqueNil
    /// A unique index that gives each embedded object one parent.
    case child
    /// A full-text index.
    case text
    /// The columns of the primary key, as an index.
    case primaryKey
  }

  var name: String
  var kind: Kind
  var columns: [String]
}

/// A table in PostgreSQL, for a class or a collection.
struct PostgresTable: Hashable {
  enum Content: Hashable {
    case objects
    case elements(CollectionKind)
  }

  var name: String
  /// The table in the file.
  var source: String
  var content: Content
  /// The name in findings: `Person`, `Person.dogs`.
  var title: String
  var columns: [PostgresColumn]
  var indexes: [PostgresIndex]

  subscript(column: String) -> PostgresColumn? { columns.first { $0.name == column } }

  /// The name of a column in findings: `Person.name`, `Person.dogs`.
  func title(of column: PostgresColumn) -> String {
    switch content {
    case .objects: "\(title).\(column.source)"
    case .elements: title
    }
  }
}
