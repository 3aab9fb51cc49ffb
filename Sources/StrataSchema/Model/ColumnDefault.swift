/// What the rows that exist already get in a new column.
package enum ColumnDefault: Sendable, Hashable {
  /// The same value in every row.
  case constant(StoredValue)
  /// A value for each row, from evaluating the Swift default again (`UUID()`, `Date()`).
  case perRow
}
