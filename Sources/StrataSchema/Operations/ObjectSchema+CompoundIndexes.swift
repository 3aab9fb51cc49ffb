/// Indexes of several columns of a class in its stored form.
extension ObjectSchema {
  /// Whether the class has an index of exactly these columns in this order.
  func hasCompoundIndex(_ columns: [String]) -> Bool {
    compoundIndexes.contains {
      $0.count == columns.count && zip($0, columns).allSatisfy(SQLName.same)
    }
  }

  /// Returns the compound indexes that contain a column.
  package func compoundIndexes(with column: String) -> [[String]] {
    compoundIndexes.filter { $0.contains { SQLName.same($0, column) } }
  }

  /// Records that the compound indexes with a column were dropped.
  package mutating func removeCompoundIndexes(with column: String) {
    compoundIndexes.removeAll { $0.contains { SQLName.same($0, column) } }
  }

  /// Records that the compound indexes of missing columns were dropped.
  mutating func removeCompoundIndexesOfMissingColumns() {
    compoundIndexes = compoundIndexes.filter { $0.allSatisfy { storedColumn($0) != nil } }
  }
}
