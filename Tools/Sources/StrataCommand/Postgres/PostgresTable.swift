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

/// A column of a table in PostgreSQL, and where its values are in the file.
struct PostgresColumn: Hashable {
  var name: String
  /// What values mean: the type of the property, or of the elements of a collection.
  var valueType: PropertyType
  var isRequired: Bool
  /// The column in the file.
  var source: String
  /// The column in the file with the type of an `AnyRealmValue`.
  var typeSource: String?
  /// For a link: what it refers to.
  var reference: PostgresReference?

  var type: PostgresType { PostgresType(valueType) }

  /// Whether how long its values are decides which index it can have.
  var isOfAnyLength: Bool { [.text, .bytea, .jsonb].contains(type) }
}

/// A foreign key to the identity of another table.
struct PostgresReference: Hashable {
  enum Deletion: String, Hashable {
    case setNull = "SET NULL"
    case cascade = "CASCADE"
  }

  /// The name of the table in PostgreSQL.
  var table: String
  /// The column in PostgreSQL that is the identity of the other table.
  var column: String
  /// The table in the file, and its identity.
  var sourceTable: String
  var sourceIdentity: String
  var onDelete: Deletion
  /// Whether the other row is a child, which goes with its parent.
  var isEmbedded: Bool
}

/// An index that is made when all data is there.
struct PostgresIndex: Hashable {
  enum Kind: Hashable {
    case plain
    case unique
    /// A unique index that lets NULL occur once in the last of its columns.
    case uniqueNil
    /// Each embedded object has one parent.
    case child
    /// The words of a text.
    case text
    /// The elements of the primary key, in the place of one.
    case primaryKey
  }

  var name: String
  var kind: Kind
  var columns: [String]
}

/// A table in PostgreSQL: that of a class or of a collection.
struct PostgresTable: Hashable {
  enum Content: Hashable {
    case objects
    case elements(CollectionKind)
  }

  var name: String
  /// The table in the file.
  var source: String
  var content: Content
  /// What findings call it: `Person`, `Person.dogs`.
  var title: String
  var columns: [PostgresColumn]
  var indexes: [PostgresIndex]

  subscript(column: String) -> PostgresColumn? { columns.first { $0.name == column } }

  /// What findings call a column: `Person.name`, `Person.dogs`.
  func title(of column: PostgresColumn) -> String {
    switch content {
    case .objects: "\(title).\(column.source)"
    case .elements: title
    }
  }
}
