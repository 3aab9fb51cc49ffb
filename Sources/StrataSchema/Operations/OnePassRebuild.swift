/// The rebuild of a table that is done while something goes through its rows: a loop of a block, or
/// one statement that computes columns.
package struct OnePassRebuild: Sendable, Hashable {
  /// What is to be done before.
  package let operationsBefore: [TableOperation]
  /// The rebuild.
  package let rebuild: TableRebuild
  /// What is to be done afterwards.
  package let operationsAfter: [TableOperation]
  /// The properties whose columns the new table doesn't have.
  package let removed: [Property]
}

extension OperationList {
  /// The rebuild among the operations on one class; nil where there is none, or where it must not
  /// be done with the rows.
  ///
  /// Defaults that differ from row to row must be there before the block sees the rows; and objects
  /// that the block deletes must still be found by the links that lead to them.
  package func onePassRebuild(of schema: ObjectSchema) -> OnePassRebuild? {
    for (index, operation) in operations.enumerated() {
      guard case .rebuildTable(let rebuild) = operation else { continue }
      let removed = schema.properties(withoutColumnsIn: rebuild.target)
      guard !operations.contains(where: \.isFilling),
        !removed.contains(where: { $0.type == .object || $0.type == .any })
      else { return nil }
      return OnePassRebuild(
        operationsBefore: Array(operations[..<index]), rebuild: rebuild,
        operationsAfter: Array(operations[(index + 1)...]), removed: removed)
    }
    return nil
  }
}

extension TableOperation {
  fileprivate var isFilling: Bool {
    if case .fillColumns = self { true } else { false }
  }
}

extension ObjectSchema {
  /// The properties whose columns another schema of the table doesn't have.
  fileprivate func properties(withoutColumnsIn other: ObjectSchema) -> [Property] {
    let columns = Set(other.properties.flatMap(\.columns).map { SQLName.folded($0.name) })
    return properties.filter { property in
      property.isStoredInColumn
        && property.columns.allSatisfy { !columns.contains(SQLName.folded($0.name)) }
    }
  }
}
