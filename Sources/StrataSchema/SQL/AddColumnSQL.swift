/// `ALTER TABLE … ADD COLUMN` for a property.
package enum AddColumnSQL {
  /// The statements that add the columns of a property: two for `AnyRealmValue`.
  ///
  /// SQLite refuses a new NOT NULL column without a default. It writes the default into no row but
  /// reads it from the table's definition, so this costs the same however many rows there are.
  package static func statements(
    table: String,
    property: Property,
    default: ColumnDefault
  ) -> [String] {
    property.columns.map { column in
      var sql = "ALTER TABLE \(SQLName.quote(table)) ADD COLUMN \(column.sql)"
      if column.isRequired {
        sql += " DEFAULT \(value(of: `default`, for: property.type).sqlLiteral)"
      }
      return sql
    }
  }

  private static func value(of default: ColumnDefault, for type: PropertyType) -> StoredValue {
    switch `default` {
    case .constant(let value) where value != .null: value
    case .constant, .perRow: .zero(for: type)
    }
  }
}
