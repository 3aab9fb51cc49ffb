package import GRDB
import GRDBSQLite
package import StrataSchema

/// A writer of rows into a table of a new file, many with one statement.
///
/// Texts are kept in its own memory until the statement runs. If the last statement has more
/// parameters than rows, the unused ones are NULL in their first column and excluded by a
/// condition. Without a database it accepts values and writes nothing.
package final class RowBatch {
  private let statement: Statement?
  /// The same statement for SQLite; nil if nothing more is written.
  private var raw: OpaquePointer?
  private let width: Int32
  private let rows: Int
  private var count = 0
  /// The number of parameters before the present row.
  private var offset: Int32 = 0
  private var texts: UnsafeMutableRawPointer
  private var usedBytes = 0

  private static let maxRows = 64
  private static let textBytes = 65_536

  /// Creates batches for tables of one file, with the parameters of the initializer.
  package typealias Maker = (
    _ table: String, _ columns: [String], _ ignoresDuplicates: Bool
  ) throws -> RowBatch

  /// - Parameter db: The database; nil for batches that accept values and write nothing.
  package static func maker(_ db: Database?) -> Maker {
    { table, columns, ignoresDuplicates in
      try RowBatch(db, table: table, columns: columns, ignoresDuplicates: ignoresDuplicates)
    }
  }

  /// - Parameters:
  ///   - columns: The names of the columns. The first one is never NULL.
  ///   - ignoresDuplicates: Whether to skip a row whose key exists already.
  package init(
    _ db: Database?, table: String, columns: [String], ignoresDuplicates: Bool
  ) throws {
    width = Int32(columns.count)
    rows = InsertSQL.rowsAtOnce(columns: columns.count, atMost: Self.maxRows)
    texts = .allocate(byteCount: Self.textBytes, alignment: 8)
    guard let db else {
      statement = nil
      return
    }
    let names = SQLName.list(columns)
    let selected = columns.indices.map { "column\($0 + 1)" }.joined(separator: ", ")
    let made = try db.makeStatement(
      sql: """
        INSERT OR \(ignoresDuplicates ? "IGNORE" : "FAIL") INTO \(SQLName.quote(table)) (\(names))
        SELECT \(selected) FROM (VALUES \(InsertSQL.parameters(columns: columns.count, rows: rows)))
        WHERE column1 IS NOT NULL
        """)
    statement = made
    raw = made.sqliteStatement
  }

  deinit { texts.deallocate() }

  @inline(__always)
  package func null(_ column: Int32) {
    guard let raw else { return }
    sqlite3_bind_null(raw, offset + column)
  }

  @inline(__always)
  package func integer(_ value: Int64, _ column: Int32) {
    guard let raw else { return }
    sqlite3_bind_int64(raw, offset + column, value)
  }

  @inline(__always)
  package func real(_ value: Double, _ column: Int32) {
    guard let raw else { return }
    sqlite3_bind_double(raw, offset + column, value)
  }

  /// Binds a text as UTF-8, which is copied.
  @inline(__always)
  package func text(_ bytes: UnsafeRawBufferPointer, _ column: Int32) throws {
    guard let raw else { return }
    guard let start = bytes.baseAddress else {
      // A null pointer would bind NULL.
      sqlite3_bind_text(raw, offset + column, "", 0, transient)
      return
    }
    let place = usedBytes
    var code: Int32
    if bytes.count <= Self.textBytes - place {
      let copy = texts + place
      copy.copyMemory(from: start, byteCount: bytes.count)
      usedBytes = place + bytes.count
      code = sqlite3_bind_text64(
        raw, offset + column, copy.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
        UInt8(SQLITE_UTF8))
    } else {
      code = sqlite3_bind_text64(
        raw, offset + column, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
        transient, UInt8(SQLITE_UTF8))
    }
    if code != SQLITE_OK { throw tooLong(bytes.count, raw) }
  }

  package func text(_ text: String, _ column: Int32) throws {
    var text = text
    try text.withUTF8 { try self.text(UnsafeRawBufferPointer($0), column) }
  }

  package func blob(_ bytes: UnsafeRawBufferPointer, _ column: Int32) throws {
    guard let raw else { return }
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      sqlite3_bind_zeroblob(raw, offset + column, 0)
      return
    }
    let code = sqlite3_bind_blob64(raw, offset + column, start, UInt64(bytes.count), transient)
    if code != SQLITE_OK { throw tooLong(bytes.count, raw) }
  }

  /// Binds a value of any storage class.
  package func stored(_ value: StoredValue, _ column: Int32) throws {
    switch value {
    case .null: null(column)
    case .integer(let value): integer(value, column)
    case .real(let value): real(value, column)
    case .text(let value): try text(value, column)
    case .blob(let value): try value.withUnsafeBytes { try blob($0, column) }
    }
  }

  private func tooLong(_ count: Int, _ statement: OpaquePointer) -> RealmError {
    let limit = Int(sqlite3_limit(sqlite3_db_handle(statement), SQLITE_LIMIT_LENGTH, -1))
    return RealmError(.fail, ErrorText.tooLong(count, limit: limit, place: nil))
  }

  @inline(__always)
  package func endRow() throws {
    guard raw != nil else { return }
    count += 1
    offset += width
    if count == rows { try write() }
  }

  package func stop() { raw = nil }

  /// Writes the remaining rows.
  package func finish() throws {
    guard count > 0, let raw else { return }
    for row in count..<rows { sqlite3_bind_null(raw, Int32(row) * width + 1) }
    try write()
    sqlite3_clear_bindings(raw)
  }

  private func write() throws {
    guard let statement else { return }
    _ = try statement.stepRaw()
    count = 0
    offset = 0
    usedBytes = 0
  }
}
