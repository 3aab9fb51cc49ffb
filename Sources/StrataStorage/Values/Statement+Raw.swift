public import CStrataRuntime
public import GRDB
public import GRDBSQLite
package import StrataSchema

// The hot path of reading and writing objects steps statements directly: values move between SQLite
// and an object's memory without a row, a dictionary or an `Any`. This code never calls GRDB, which
// stops the process if it is called on another thread than the connection's: see
// ``BackgroundWork``.

/// A prepared statement, of GRDB or with a number, that is stepped directly.
@usableFromInline
package protocol SteppedStatement {
  var sqliteStatement: OpaquePointer { get }
}

extension Statement: SteppedStatement {}

/// A prepared statement that its connection owns.
@usableFromInline
package struct RawStatement: SteppedStatement {
  @usableFromInline package let sqliteStatement: OpaquePointer

  @inlinable @inline(__always)
  package init(_ sqliteStatement: OpaquePointer) { self.sqliteStatement = sqliteStatement }
}

extension SteppedStatement {
  /// Moves to the next row. Returns false at the end. The statement is reset when it ends or
  /// fails.
  @inlinable @inline(__always)
  package func stepRaw() throws -> Bool {
    let code = sqlite3_step(sqliteStatement)
    if code == SQLITE_ROW { return true }
    if code != SQLITE_DONE { throw rawError() }
    sqlite3_reset(sqliteStatement)
    return false
  }

  /// Resets the statement for another run, and ends its reading.
  @inlinable @inline(__always)
  package func resetRaw() {
    sqlite3_reset(sqliteStatement)
  }

  /// Returns what a closure reads in the first row, and resets the statement; nil without a row.
  @inlinable @inline(__always)
  package func firstRow<Result>(_ body: (Self) throws -> Result) throws -> Result? {
    guard try stepRaw() else { return nil }
    defer { resetRaw() }
    return try body(self)
  }

  /// Returns the error of the connection, without the values of parameters.
  @usableFromInline
  package func rawError() -> DatabaseError {
    let connection = sqlite3_db_handle(sqliteStatement)
    let error = DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
      message: sqlite3_errmsg(connection).map { String(cString: $0) },
      sql: sqlite3_sql(sqliteStatement).map { String(cString: $0) })
    sqlite3_reset(sqliteStatement)
    return error
  }

  /// Binds parameters and runs the statement. Its texts are in memory on the stack, because SQLite
  /// would allocate memory for each.
  @inlinable @inline(__always)
  package func runRaw(_ bind: () throws -> Void) throws {
    try withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { memory in
      let outer = strata_texts_begin(memory.baseAddress, memory.count)
      // The statement must not keep addresses of the stack.
      defer { sqlite3_clear_bindings(sqliteStatement) }
      do {
        defer { strata_texts_end(outer) }
        try bind()
      }
      _ = try stepRaw()
    }
  }

  /// Binds an integer, for example an identity.
  @inlinable @inline(__always)
  package func bindRaw(_ value: Int64, at index: Int32) {
    sqlite3_bind_int64(sqliteStatement, index, value)
  }

  /// Binds values to the parameters from the first one on. Values without a parameter are ignored,
  /// such as the order of a query when its objects are counted.
  package func bindRaw(_ values: [StoredValue]) throws(RealmError) {
    let count = Int(sqlite3_bind_parameter_count(sqliteStatement))
    for (index, value) in values.prefix(count).enumerated() {
      try bindRaw(value, at: Int32(index + 1))
    }
  }

  /// Returns the identity or another integer in a column of the current row.
  @inlinable @inline(__always)
  package func int64(_ column: Int32) -> Int64 {
    sqlite3_column_int64(sqliteStatement, column)
  }

  /// Returns the text in a column of the current row; nil for any other value.
  package func text(_ column: Int32) -> String? {
    withTextColumn(sqliteStatement, column) { String(decoding: $0, as: UTF8.self) }
  }

  package func bindRaw(_ value: StoredValue, at index: Int32) throws(RealmError) {
    guard StrataStorage.bindRaw(value, sqliteStatement, index) else {
      throw .unstorable(value, sqliteStatement)
    }
  }

  /// Binds a value to one parameter, or to two with the type of an `AnyRealmValue`, and advances
  /// the index.
  package func bind(
    _ element: _StoredElement, _ columns: Int, at index: inout Int32
  ) throws(RealmError) {
    try bindRaw(element.value, at: index)
    if columns > 1 { try bindRaw(element.type.map { .text($0) } ?? .null, at: index + 1) }
    index += Int32(columns)
  }

  /// Returns the value in one column of the current row, or in two with the type of an
  /// `AnyRealmValue`.
  package func element(_ column: Int32, columns: Int) -> _StoredElement {
    columns > 1
      ? _StoredElement(RowValues(of: sqliteStatement), column) : _StoredElement(storedValue(column))
  }

  package func storedValue(_ column: Int32) -> StoredValue {
    StoredValue(sqliteStatement, column: column)
  }
}

/// Binds a stored value to a parameter of an `sqlite3_stmt *`. Returns false if SQLite refuses the
/// value.
package func bindRaw(_ value: StoredValue, _ statement: OpaquePointer, _ index: Int32) -> Bool {
  switch value {
  case .null: return sqlite3_bind_null(statement, index) == SQLITE_OK
  case .integer(let value): return sqlite3_bind_int64(statement, index, value) == SQLITE_OK
  case .real(let value): return sqlite3_bind_double(statement, index, value) == SQLITE_OK
  case .text(var value): return value.withUTF8 { bindText($0, statement, index) }
  case .blob(let value):
    return value.withUnsafeBytes { bytes in
      // A null pointer would bind NULL.
      let code =
        bytes.count == 0
        ? sqlite3_bind_zeroblob(statement, index, 0)
        : sqlite3_bind_blob64(
          statement, index, bytes.baseAddress, UInt64(bytes.count), transient)
      return code == SQLITE_OK
    }
  }
}

extension RealmError {
  /// Returns the error of a value that SQLite refused because of its length.
  ///
  /// - Parameter place: The property, as in `'Person.name'`; nil if unknown.
  package static func unstorable(
    _ value: StoredValue?, _ statement: OpaquePointer, of place: String? = nil
  ) -> RealmError {
    let connection = sqlite3_db_handle(statement)
    let limit = Int(sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, -1))
    guard let value, value.byteCount > limit else {
      return RealmError(
        .fail, "A value can't be stored: SQLite error \(sqlite3_errcode(connection)).")
    }
    return RealmError(
      .fail,
      "\(place.map { "The value of \($0)" } ?? "A value") can't be stored: it has \(value.byteCount) "
        + "bytes, and SQLite stores at most \(limit) in a value or row. Keep it in a separate file, or "
        + "divide it among several objects.")
  }
}

extension StoredValue {
  /// The length of a text or a blob.
  fileprivate var byteCount: Int {
    switch self {
    case .null, .integer, .real: 0
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }
}

extension StoredValue {
  /// Creates the value in a column of the current row of an `sqlite3_stmt *`.
  package init(_ statement: OpaquePointer, column: Int32) {
    self.init(sqlite3_column_value(statement, column))
  }

  /// Creates the value of an `sqlite3_value *`.
  package init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      self = withText(of: value) { .text(String(decoding: $0, as: UTF8.self)) } ?? .null
    case SQLITE_BLOB:
      self = .blob(
        Array(
          UnsafeRawBufferPointer(
            start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))))
    default: self = .null
    }
  }
}

extension Database {
  /// Returns the integers in the only column of a query.
  package func integers(_ sql: String, _ parameters: [StoredValue]) throws -> [Int64] {
    let statement = try cachedStatement(sql: sql)
    try statement.bindRaw(parameters)
    var values: [Int64] = []
    while try statement.stepRaw() { values.append(statement.int64(0)) }
    return values
  }

  /// Returns what a closure reads in the first row of a query with one integer parameter.
  package func firstRow<Result>(
    _ sql: String, _ id: Int64, _ body: (Statement) throws -> Result
  ) throws -> Result? {
    let statement = try cachedStatement(sql: sql)
    statement.bindRaw(id, at: 1)
    return try statement.firstRow(body)
  }

  /// Whether a query with one integer parameter finds a row.
  package func hasRow(_ sql: String, _ id: Int64) throws -> Bool {
    try firstRow(sql, id) { _ in true } ?? false
  }

  /// Runs one statement with one integer parameter. Returns whether the statement changed a row.
  @discardableResult
  package func runRaw(_ sql: String, _ id: Int64) throws -> Bool {
    let statement = try cachedStatement(sql: sql)
    statement.bindRaw(id, at: 1)
    _ = try statement.stepRaw()
    return changesCount > 0
  }

  /// Returns the cached statement of a text. If that is in the middle of a row, returns a new one:
  /// code of the program that creates a value of the row may read with the same text.
  package func freeStatement(sql: String) throws -> Statement {
    let kept = try cachedStatement(sql: sql)
    return sqlite3_stmt_busy(kept.sqliteStatement) == 0 ? kept : try makeStatement(sql: sql)
  }
}

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

  /// Runs a closure in the open transaction, or in one that only reads. Each transaction takes a
  /// lock of the file, which takes longer than reading a row.
  package func readingOneVersion<Result>(_ body: () throws -> Result) throws -> Result {
    if isInsideTransaction { return try body() }
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
