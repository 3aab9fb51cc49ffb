package import GRDB
import GRDBSQLite

extension RawStatement {
  /// Compiles a statement, which the caller must finalize.
  static func prepared(
    _ sql: String, on connection: OpaquePointer?, _ flags: Int32 = 0
  ) throws -> RawStatement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(flags), &statement, nil)
    guard code == SQLITE_OK, let statement else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
        message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
    return RawStatement(statement)
  }
}

extension Database {
  /// Runs a closure with a statement that is used once.
  ///
  /// GRDB would cache it, and find its tables and columns. With the rows, that takes a seventh of
  /// reading the state of a file (270,000 instructions, and 233,000 without).
  package func once<Result>(
    _ sql: String, _ body: (RawStatement) throws -> Result
  ) throws -> Result {
    let statement = try RawStatement.prepared(sql, on: sqliteConnection)
    defer { sqlite3_finalize(statement.sqliteStatement) }
    return try body(statement)
  }

  /// Runs a closure in a transaction that only reads.
  func readingOneVersion<Result>(_ body: () throws -> Result) throws -> Result {
    try once("BEGIN") { _ = try $0.stepRaw() }
    do {
      let result = try body()
      try once("COMMIT") { _ = try $0.stepRaw() }
      return result
    } catch {
      // After some errors SQLite has ended the transaction already.
      if isInsideTransaction { try once("ROLLBACK") { _ = try $0.stepRaw() } }
      throw error
    }
  }
}
