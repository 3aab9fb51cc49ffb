/// One column as it stands in a table.
package struct ColumnDefinition: Sendable, Hashable {
  package var name: String
  package var type: ColumnType
  package var isRequired: Bool
  package var references: String?
  /// Whether the row is deleted with the one that it refers to; if not, the column becomes NULL.
  package var cascades = false

  /// The definition in SQL, as `CREATE TABLE` and `ADD COLUMN` take it.
  ///
  /// A reference names no column and so means the identity, whatever that is called at the time.
  package var sql: String {
    var result = "\(SQLName.quote(name)) \(type.rawValue)"
    if isRequired { result += " NOT NULL" }
    if let references {
      result += " REFERENCES \(SQLName.quote(references))"
      result += cascades ? " ON DELETE CASCADE" : " ON DELETE SET NULL"
    }
    return result
  }
}

extension ColumnDefinition {
  /// The name of the column beside the one of an `AnyRealmValue`.
  package static func typeName(of column: String) -> String { column + "_type" }
}

extension Property {
  /// The column beside the one of an `AnyRealmValue` that says which type the value has.
  package var typeColumnName: String? {
    type == .any && isStoredInColumn ? ColumnDefinition.typeName(of: columnName) : nil
  }

  /// The columns that hold the property: one, two for `AnyRealmValue`, none for collections.
  package var columns: [ColumnDefinition] {
    guard isStoredInColumn else { return [] }
    let column = ColumnDefinition(
      name: columnName,
      type: ColumnType(type),
      isRequired: !isNullable,
      references: type == .object ? objectClassName : nil
    )
    guard let typeColumnName else { return [column] }
    return [column, ColumnDefinition(name: typeColumnName, type: .text, isRequired: false)]
  }
}

/// The type that a column is declared with. STRICT tables know these and no others.
package enum ColumnType: String, Sendable, Hashable {
  /// Integers, booleans, and the identities that links hold.
  case integer = "INTEGER"
  case real = "REAL"
  /// Text, and everything that has a readable and sortable text form.
  case text = "TEXT"
  case blob = "BLOB"
  /// Whatever the value is; stored without conversion.
  case any = "ANY"

  /// The type of the column that holds values of a property type.
  package init(_ type: PropertyType) {
    switch type {
    case .int, .bool, .object, .linkingObjects: self = .integer
    case .float, .double: self = .real
    case .string, .date, .UUID, .objectId, .decimal128: self = .text
    case .data: self = .blob
    case .any: self = .any
    }
  }
}

/// The value of a new column in existing rows.
package enum ColumnDefault: Sendable, Hashable {
  /// The same value in every row.
  case constant(StoredValue)
  /// A value for each row, from evaluating the Swift default again (`UUID()`, `Date()`).
  case perRow
}

/// A table to be rebuilt, because SQLite cannot change it in place.
///
/// ``RebuildTableSQL`` has the statements. After them the executor makes the plain indexes of
/// `target` (``IndexSQL/createAll(of:)``); an index that is added or removed together with the
/// rebuild has no operation of its own. The primary key's unique index is never made again: a
/// `createPrimaryKey` operation does that, after a look for duplicates.
package struct TableRebuild: Sendable, Hashable {
  /// The source of the values of a column.
  package enum Source: Sendable, Hashable {
    /// From a column of the old table.
    case column(String)
    /// From a column of the old table, and from a value where that is NULL.
    case columnOrDefault(String, StoredValue)
    /// The same value in every row.
    case value(StoredValue)
    /// Computed from columns of the old table, which the SQL names with the table.
    case expression(String)
  }

  package struct Column: Sendable, Hashable {
    package var property: Property
    package var source: Source

    package init(property: Property, source: Source) {
      self.property = property
      self.source = source
    }
  }

  /// The name of the table, before and after.
  package var table: String
  /// The table as wanted. Its primary key is nil, and only columns to be indexed have `wantsIndex`.
  package var target: ObjectSchema
  /// The columns in their new order, without the identity.
  package var columns: [Column]
  /// The name that the identity has in the old table.
  package var sourceIdentityColumn: String

  /// Describes a rebuild; without another name the identity is called as it will be.
  package init(
    table: String,
    target: ObjectSchema,
    columns: [Column],
    sourceIdentityColumn: String? = nil
  ) {
    self.table = table
    self.target = target
    self.columns = columns
    self.sourceIdentityColumn = sourceIdentityColumn ?? target.identityColumn
  }
}
