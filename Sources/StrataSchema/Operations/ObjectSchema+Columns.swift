/// The columns and indexes of a class in its stored form, for the translation of changes.
extension ObjectSchema {
  /// Returns the property with this column of the table, byte for byte.
  ///
  /// A collection of the same name does not count. During a migration from one to the other a class
  /// has both.
  package func storedColumn(_ column: String) -> Property? {
    properties.first { $0.isStoredInColumn && SQLName.same($0.columnName, column) }
  }

  /// Whether a column has an index other than the primary key's.
  ///
  /// Links always have one. Without it SQLite reads the whole table whenever a target is deleted.
  func hasPlainIndex(_ property: Property) -> Bool {
    guard property.isStoredInColumn, property.wantsIndex || property.type == .object else {
      return false
    }
    return primaryKey.map { !SQLName.same($0, property.columnName) } ?? true
  }

  /// Whether the class has a column of this name, with an index other than the primary key's.
  func hasPlainIndex(column: String) -> Bool {
    storedColumn(column).map(hasPlainIndex) ?? false
  }

  /// Records that a column has no index of its own.
  mutating func removeIndex(of property: Property) {
    for index in properties.indices
    where properties[index].isStoredInColumn
      && SQLName.same(properties[index].columnName, property.columnName)
    {
      properties[index].wantsIndex = false
    }
  }
}
