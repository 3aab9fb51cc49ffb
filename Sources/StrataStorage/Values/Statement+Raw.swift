public import CStrataRuntime
public import GRDB
public import GRDBSQLite
package import StrataSchema

// The hot path of reading and writing objects steps statements by hand: values go from SQLite into
// an object's memory and back without a row, a dictionary or an `Any` between them. Nothing in here
// asks GRDB, which ends the process on another thread than the connection's: see
// ``BackgroundWork``.

/// A prepared statement, of GRDB or by its number, that is stepped by hand.
@usableFromInline
package protocol SteppedStatement {
  var sqliteStatement: OpaquePointer { get }
}

extension Statement: SteppedStatement {}

/// A prepared statement of a connection, which keeps it.
@usableFromInline
package struct RawStatement: SteppedStatement {
  @usableFromInline package let sqliteStatement: OpaquePointer

  @inlinable @inline(__always)
  package init(_ sqliteStatement: OpaquePointer) { self.sqliteStatement = sqliteStatement }
}

extension SteppedStatement {
  /// Moves to the next row; false when there is none. The statement is reset when it ends or fails.
  @inlinable @inline(__always)
  package func stepRaw() throws -> Bool {
    let code = sqlite3_step(sqliteStatement)
    if code == SQLITE_ROW { return true }
    if code != SQLITE_DONE { throw rawError() }
    sqlite3_reset(sqliteStatement)
    return false
  }

  /// Makes the statement ready for another run, and ends its reading.
  @inlinable @inline(__always)
  package func resetRaw() {
    sqlite3_reset(sqliteStatement)
  }

  /// The error that the connection reports, without the values of parameters.
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

  /// Binds parameters and runs the statement, its texts in memory of the stack: SQLite would
  /// allocate memory for each.
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

  /// Binds values to the parameters from the first one on; those that the statement doesn't have
  /// are left out, as a count has none for the order of a query.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a value that is longer than SQLite keeps.
  package func bindRaw(_ values: [StoredValue]) throws(RealmError) {
    let count = Int(sqlite3_bind_parameter_count(sqliteStatement))
    for (index, value) in values.prefix(count).enumerated() {
      try bindRaw(value, at: Int32(index + 1))
    }
  }

  /// The identity or another integer in a column of the current row.
  @inlinable @inline(__always)
  package func int64(_ column: Int32) -> Int64 {
    sqlite3_column_int64(sqliteStatement, column)
  }

  /// The text in a column of the current row; nil for any other value.
  package func text(_ column: Int32) -> String? {
    withTextColumn(sqliteStatement, column) { String(sqliteText: $0) }
  }

  /// Binds a stored value.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a value that is longer than SQLite keeps.
  package func bindRaw(_ value: StoredValue, at index: Int32) throws(RealmError) {
    guard StrataStorage.bindRaw(value, sqliteStatement, index) else {
      throw .unstorable(value, sqliteStatement)
    }
  }

  /// Binds a value to one parameter, or to two with the type of an `AnyRealmValue`, and moves the
  /// index behind them.
  ///
  /// - Throws: ``RealmError`` with code `fail` for a value that is longer than SQLite keeps.
  package func bind(
    _ element: _StoredElement, _ columns: Int, at index: inout Int32
  ) throws(RealmError) {
    try bindRaw(element.value, at: index)
    if columns > 1 { try bindRaw(element.type.map { .text($0) } ?? .null, at: index + 1) }
    index += Int32(columns)
  }

  /// The value in one column of the current row, or in two with the type of an `AnyRealmValue`.
  package func element(_ column: Int32, columns: Int) -> _StoredElement {
    columns > 1
      ? _StoredElement(RowValues(of: sqliteStatement), column) : _StoredElement(storedValue(column))
  }

  /// The value in a column of the current row.
  package func storedValue(_ column: Int32) -> StoredValue {
    StoredValue(sqliteStatement, column: column)
  }
}

/// Binds a stored value to a parameter of an `sqlite3_stmt *`; false when SQLite refuses it.
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
  /// Why SQLite refused a value: it is longer than the connection keeps.
  ///
  /// - Parameter place: The property, as in `'Person.name'`; nil where it isn't known.
  package static func unstorable(
    _ value: StoredValue?, _ statement: OpaquePointer, of place: String? = nil
  ) -> RealmError {
    let connection = sqlite3_db_handle(statement)
    let limit = Int(sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, -1))
    guard let value, value.byteCount > limit else {
      return RealmError(
        .fail, "A value can't be stored: SQLite error \(sqlite3_errcode(connection)).")
    }
    return RealmError(.fail, ErrorText.tooLong(value.byteCount, limit: limit, place: place))
  }
}

extension StoredValue {
  /// How long a text or a blob is.
  fileprivate var byteCount: Int {
    switch self {
    case .null, .integer, .real: 0
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }
}

extension StoredValue {
  /// The value in a column of the current row of an `sqlite3_stmt *`.
  package init(_ statement: OpaquePointer, column: Int32) {
    self.init(sqlite3_column_value(statement, column))
  }

  /// That of an `sqlite3_value *`.
  package init(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT: self = withText(of: value) { .text(String(sqliteText: $0)) } ?? .null
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
  /// The integers in the only column of a query.
  package func integers(_ sql: String, _ parameters: [StoredValue]) throws -> [Int64] {
    let statement = try cachedStatement(sql: sql)
    try statement.bindRaw(parameters)
    var values: [Int64] = []
    while try statement.stepRaw() { values.append(statement.int64(0)) }
    return values
  }

  /// Runs one statement with one integer parameter, and says whether it changed a row.
  @discardableResult
  package func runRaw(_ sql: String, _ id: Int64) throws -> Bool {
    let statement = try cachedStatement(sql: sql)
    statement.bindRaw(id, at: 1)
    _ = try statement.stepRaw()
    return changesCount > 0
  }

  /// The kept statement of a text, or one of its own where that is in the middle of a row: code of
  /// the program that makes a value of it may read by the same text.
  package func freeStatement(sql: String) throws -> Statement {
    let kept = try cachedStatement(sql: sql)
    return sqlite3_stmt_busy(kept.sqliteStatement) == 0 ? kept : try makeStatement(sql: sql)
  }

  /// Runs several statements that read in one transaction: each transaction asks for a lock of the
  /// file, which takes longer than reading a row.
  package func readingAtOnce<Result>(isWanted: Bool, _ body: () throws -> Result) throws -> Result {
    guard isWanted, !isInsideTransaction else { return try body() }
    _ = try cachedStatement(sql: "BEGIN DEFERRED TRANSACTION").stepRaw()
    let result = Swift.Result { try body() }
    _ = try cachedStatement(sql: "COMMIT TRANSACTION").stepRaw()
    return try result.get()
  }
}
