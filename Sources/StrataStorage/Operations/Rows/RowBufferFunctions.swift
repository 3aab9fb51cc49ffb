package import GRDB
import GRDBSQLite

/// Two SQL functions that pass a ``RowBuffer`` to a statement, so that one statement writes many
/// rows.
///
/// `strata_changed(identity)` returns whether a row has changes. `strata_value(column, identity,
/// value)` returns the new value of the row's column, or else its third argument. A function call
/// costs a tenth of a separate statement.
package final class RowBufferFunctions {
  package static let changed = "strata_changed"
  package static let value = "strata_value"

  private let connection: SQLiteConnection
  @exclusivity(unchecked) private var changes: RowBuffer?

  /// - Precondition: The connection has no other instance.
  package init(_ db: Database) throws {
    guard let connection = db.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "The connection is closed.")
    }
    self.connection = connection
    let this = Unmanaged.passUnretained(self).toOpaque()
    try add(Self.changed, 1, this) { context, _, arguments in
      guard let context, let changes = RowBufferFunctions.changes(context),
        let row = arguments?[0]
      else { return }
      sqlite3_result_int(context, changes.position(of: sqlite3_value_int64(row)) == nil ? 0 : 1)
    }
    try add(Self.value, 3, this) { context, _, arguments in
      guard let context, let arguments, let changes = RowBufferFunctions.changes(context) else {
        return
      }
      let value = changes.position(of: sqlite3_value_int64(arguments[1])).map {
        changes.value(Int(sqlite3_value_int(arguments[0])), at: $0)
      }
      RowBufferFunctions.result(value, of: changes, else: arguments[2], context)
    }
  }

  /// Removes the functions from the connection. No statement that uses them may be running.
  package func remove() {
    for (name, count) in [(Self.changed, Int32(1)), (Self.value, 3)] {
      sqlite3_create_function_v2(
        connection, name, count, SQLITE_UTF8, nil, nil, nil, nil, nil)
    }
  }

  /// Runs a statement whose function calls use the changes.
  package func run(_ statement: Statement, showing changes: RowBuffer) throws {
    self.changes = changes
    defer { self.changes = nil }
    _ = try statement.stepRaw()
  }

  private typealias Function =
    @convention(c) (
      OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Void

  private func add(
    _ name: String, _ count: Int32, _ data: UnsafeMutableRawPointer, _ function: Function
  ) throws {
    // Triggers and views of the file must not call them: the results would be undefined.
    let code = sqlite3_create_function_v2(
      connection, name, count, SQLITE_UTF8 | SQLITE_DIRECTONLY, data, function, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection))
      )
    }
  }

  @inline(__always)
  private static func changes(_ context: OpaquePointer) -> RowBuffer? {
    guard let data = sqlite3_user_data(context) else { return nil }
    return Unmanaged<RowBufferFunctions>.fromOpaque(data)._withUnsafeGuaranteedRef { $0.changes }
  }

  @inline(__always)
  private static func result(
    _ value: RowBuffer.Value?, of changes: RowBuffer, else given: OpaquePointer?,
    _ context: OpaquePointer
  ) {
    guard let value else { return sqlite3_result_value(context, given) }
    switch value.kind {
    case .unchanged: sqlite3_result_value(context, given)
    case .null: sqlite3_result_null(context)
    case .integer: sqlite3_result_int64(context, value.bits)
    case .real:
      sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: value.bits)))
    case .text:
      // No destructor: the bytes stay until the statement is done.
      let text = changes.content(of: value)
      sqlite3_result_text64(
        context, text.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(text.count), nil,
        UInt8(SQLITE_UTF8))
    case .blob:
      let blob = changes.content(of: value)
      sqlite3_result_blob64(context, blob.baseAddress, UInt64(blob.count), nil)
    }
  }
}
