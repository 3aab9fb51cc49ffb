/// The type that a column is declared with. STRICT tables know these and no others.
package enum ColumnType: String, Sendable, Hashable {
  /// Integers, booleans, and the identities that links hold.
  case integer = "INTEGER"
  /// Floating point numbers.
  case real = "REAL"
  /// Text, and everything that has a readable and sortable text form.
  case text = "TEXT"
  /// Bytes.
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
