/// Indexes of several columns of a class in its stored form.
extension ObjectSchema {
  /// Whether the class has an index of just these columns in this order.
  func hasCompoundIndex(_ columns: [String]) -> Bool {
    compoundIndexes.contains {
      $0.count == columns.count && zip($0, columns).allSatisfy(SQLName.same)
    }
  }

  /// The indexes of several columns of which this is one.
  package func compoundIndexes(with column: String) -> [[String]] {
    compoundIndexes.filter { $0.contains { SQLName.same($0, column) } }
  }

  /// Notes that the indexes of several columns of which this is one are gone.
  package mutating func removeCompoundIndexes(with column: String) {
    compoundIndexes.removeAll { $0.contains { SQLName.same($0, column) } }
  }

  /// Notes that an index goes with a column.
  mutating func removeCompoundIndexesOfMissingColumns() {
    compoundIndexes = compoundIndexes.filter { $0.allSatisfy { storedColumn($0) != nil } }
  }
}
