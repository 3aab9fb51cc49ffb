public import GRDBSQLite

/// The values of a row, each an `sqlite3_value *`: of the columns of a statement's current row, or
/// of the arguments of a function. Valid until the statement moves on, or the function returns.
@usableFromInline
package struct RowValues {
  @usableFromInline let statement: OpaquePointer?
  @usableFromInline let arguments: UnsafeMutablePointer<OpaquePointer?>?

  /// The current row of an `sqlite3_stmt *`.
  @inlinable @inline(__always)
  package init(of statement: OpaquePointer) {
    self.statement = statement
    arguments = nil
  }

  @inlinable @inline(__always)
  package init(arguments: UnsafeMutablePointer<OpaquePointer?>) {
    statement = nil
    self.arguments = arguments
  }

  @inlinable
  package subscript(index: Int32) -> OpaquePointer? {
    @inline(__always) get {
      if let arguments { return arguments[Int(index)] }
      return sqlite3_column_value(statement, index)
    }
  }
}
