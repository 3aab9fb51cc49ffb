/// The operations on a file, in order, and what it will then contain.
package struct OperationList: Sendable, Hashable {
  /// The operations, to be run in this order.
  package var operations: [TableOperation]

  /// What is physically in the file after the operations.
  ///
  /// A primary key that is gone for the time of a migration block is absent here. A property that
  /// is to be removed after it is still present, behind those of the model; a row that is inserted
  /// meanwhile gives its column a value, for it may be NOT NULL.
  package var schema: Schema

  /// Describes a list of operations.
  package init(operations: [TableOperation], schema: Schema) {
    self.operations = operations
    self.schema = schema
  }
}

extension OperationList: CustomStringConvertible {
  /// The numbered operations, one a line: what a dry run prints.
  package var description: String {
    if operations.isEmpty { return "Nothing to do." }
    return operations.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "\n")
  }
}
