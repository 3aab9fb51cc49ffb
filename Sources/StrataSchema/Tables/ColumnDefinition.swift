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
