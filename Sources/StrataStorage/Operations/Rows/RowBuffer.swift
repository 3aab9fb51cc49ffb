import Foundation
package import GRDB
import GRDBSQLite
package import StrataSchema

/// The values that a loop over the rows of a table has set and not yet written.
///
/// The rows are sorted by identity. The last one, after the finished rows, is being changed.
/// Setting a value is a store into existing memory, and no statement runs until there are many rows
/// to write. The texts and blobs of all rows are in one block.
package final class RowBuffer {
  package enum Kind: UInt8 { case unchanged, null, integer, real, text, blob }

  /// A value. For a text or a blob, its location in ``bytes``.
  package struct Value {
    package var kind: Kind
    package var length: Int
    /// The integer, the bits of the floating-point number, or the offset.
    var bits: Int64
  }

  /// The number of rows that are written at once: enough to share the cost of a statement, few
  /// enough for the CPU's caches. Tests use a small number, so that they need several statements.
  @TaskLocal package static var rowsAtOnce = 4_096
  private let capacity = RowBuffer.rowsAtOnce
  private static let maxBytes = 1_024 * 1_024

  /// The names of the columns that were ever set.
  package private(set) var columns: [String] = []
  @exclusivity(unchecked) private var values: [UnsafeMutablePointer<Value>] = []
  @exclusivity(unchecked) private var rows: UnsafeMutablePointer<Int64>
  /// The number of finished rows with changes.
  @exclusivity(unchecked) package private(set) var count = 0
  /// Whether the row that is being changed has changes.
  @exclusivity(unchecked) package private(set) var hasCurrent = false
  @exclusivity(unchecked) private var bytes: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var size = 4_096
  @exclusivity(unchecked) private var used = 0
  /// The position at which the last row was found.
  @exclusivity(unchecked) private var place = 0

  package init() {
    rows = .allocate(capacity: capacity + 1)
    bytes = .allocate(byteCount: size, alignment: 16)
  }

  deinit {
    rows.deallocate()
    bytes.deallocate()
    for column in values { column.deallocate() }
  }

  /// Whether the rows must be written now.
  package var isFull: Bool { count >= capacity || used >= Self.maxBytes }

  /// Whether there are enough rows to write them in the background.
  package var isHalfFull: Bool { 2 * count >= capacity || 2 * used >= Self.maxBytes }

  // MARK: Setting

  /// Adds a column, which is unset in the finished rows. Returns its position.
  package func addColumn(_ name: String) -> Int {
    let column = UnsafeMutablePointer<Value>.allocate(capacity: capacity + 1)
    column.initialize(
      repeating: Value(kind: .unchanged, length: 0, bits: 0), count: capacity + 1)
    columns.append(name)
    values.append(column)
    return columns.count - 1
  }

  @inline(__always)
  package func finish(_ row: Int64) {
    guard hasCurrent else { return }
    rows[count] = row
    count += 1
    hasCurrent = false
  }

  /// Discards the changes of the row that is being changed.
  package func forgetCurrent() {
    for column in values { column[count].kind = .unchanged }
    hasCurrent = false
  }

  /// Moves the finished rows to another, empty buffer, to be written from there.
  ///
  /// - Precondition: No row is being changed.
  package func move(to other: RowBuffer) {
    precondition(!hasCurrent && other.count == 0)
    for column in columns[other.columns.count...] { _ = other.addColumn(column) }
    swap(&values, &other.values)
    swap(&rows, &other.rows)
    swap(&count, &other.count)
    swap(&bytes, &other.bytes)
    swap(&size, &other.size)
    swap(&used, &other.used)
    swap(&place, &other.place)
  }

  /// Removes the finished rows, which have been written.
  package func removeAll() {
    for column in values {
      for index in 0...count { column[index].kind = .unchanged }
    }
    count = 0
    used = 0
    place = 0
  }

  @inline(__always)
  package func set(_ column: Int, _ kind: Kind, _ bits: Int64) {
    values[column][count] = Value(kind: kind, length: 0, bits: bits)
    hasCurrent = true
  }

  @inline(__always)
  package func set(_ column: Int, _ text: String) {
    var text = text
    text.withUTF8 { set(column, .text, UnsafeRawBufferPointer($0)) }
  }

  package func set(_ column: Int, _ value: StoredValue) {
    switch value {
    case .null: set(column, .null, 0)
    case .integer(let value): set(column, .integer, value)
    case .real(let value): set(column, .real, Int64(bitPattern: value.bitPattern))
    case .text(let text): set(column, text)
    case .blob(let blob): blob.withUnsafeBytes { set(column, .blob, $0) }
    }
  }

  /// Sets a value of the usual type for a property of this type. Returns false for any other type,
  /// which may still be convertible.
  ///
  /// This is the fast path for values that a migration sets in each row: comparing two types takes
  /// a tenth of the time of a cast, which looks up conformances.
  @inline(__always)
  package func set(_ column: Int, exactly value: Any, _ type: PropertyType) -> Bool {
    func set<Value>(_ value: Value) -> Bool {
      if type == .string, Value.self == String.self {
        self.set(column, unsafeBitCast(value, to: String.self))
      } else if type == .int, Value.self == Int.self {
        self.set(column, .integer, Int64(unsafeBitCast(value, to: Int.self)))
      } else if type == .bool, Value.self == Bool.self {
        self.set(column, .integer, unsafeBitCast(value, to: Bool.self) ? 1 : 0)
      } else if type == .int, Value.self == NSNumber.self {
        // A value that was read by name from another property.
        let number = unsafeDowncast(value as AnyObject, to: NSNumber.self)
        guard number.isInteger else { return false }
        self.set(column, .integer, number.int64Value)
      } else {
        return false
      }
      return true
    }
    return _openExistential(value, do: set)
  }

  /// Sets a text or a blob. Copies its bytes.
  @inline(__always)
  package func set(_ column: Int, _ kind: Kind, _ source: UnsafeRawBufferPointer) {
    if used + source.count > size { grow(to: used + source.count) }
    if let start = source.baseAddress, source.count > 0 {
      (bytes + used).copyMemory(from: start, byteCount: source.count)
    }
    values[column][count] = Value(
      kind: kind, length: source.count, bits: Int64(used))
    used += source.count
    hasCurrent = true
  }

  private func grow(to needed: Int) {
    size = max(2 * size, needed)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    larger.copyMemory(from: bytes, byteCount: used)
    bytes.deallocate()
    bytes = larger
  }

  // MARK: Reading

  /// Returns the value that was set in the row that is being changed; nil if missing.
  package func current(_ column: Int) -> StoredValue? { stored(column, at: count) }

  /// Returns the value that was set in a row; nil if missing.
  package func stored(_ column: Int, at position: Int) -> StoredValue? {
    let value = values[column][position]
    switch value.kind {
    case .unchanged: return nil
    case .null: return .null
    case .integer: return .integer(value.bits)
    case .real: return .real(Double(bitPattern: UInt64(bitPattern: value.bits)))
    case .text: return .text(String(decoding: content(of: value), as: UTF8.self))
    case .blob: return .blob(Array(content(of: value)))
    }
  }

  /// The values of the finished rows, for a statement that writes them.
  private(set) lazy var source = NewValueFunction.Source(
    Unmanaged.passUnretained(self).toOpaque(),
    has: { buffer, row in
      Unmanaged<RowBuffer>.fromOpaque(buffer)._withUnsafeGuaranteedRef {
        $0.position(of: row) != nil
      }
    },
    give: { buffer, row, column, context in
      Unmanaged<RowBuffer>.fromOpaque(buffer)._withUnsafeGuaranteedRef {
        $0.give(row, column, context)
      }
    })

  @inline(__always)
  private func give(_ row: Int64, _ column: Int, _ context: OpaquePointer) -> Bool {
    guard let position = position(of: row) else { return false }
    let value = values[column][position]
    switch value.kind {
    case .unchanged: return false
    case .null: sqlite3_result_null(context)
    case .integer: sqlite3_result_int64(context, value.bits)
    case .real:
      sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: value.bits)))
    case .text:
      // No destructor, here and below: the bytes stay until the statement is done.
      let text = content(of: value)
      sqlite3_result_text64(
        context, text.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(text.count), nil,
        UInt8(SQLITE_UTF8))
    case .blob:
      let blob = content(of: value)
      sqlite3_result_blob64(context, blob.baseAddress, UInt64(blob.count), nil)
    }
    return true
  }

  /// Returns the bytes of a text or a blob, valid until the next change.
  @inline(__always)
  package func content(of value: Value) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + Int(value.bits), count: value.length)
  }

  /// The first and the last finished row.
  package var range: ClosedRange<Int64>? { count == 0 ? nil : rows[0]...rows[count - 1] }

  /// The finished rows.
  package var identities: UnsafeBufferPointer<Int64> {
    UnsafeBufferPointer(start: rows, count: count)
  }

  @inline(__always)
  package func value(_ column: Int, at position: Int) -> Value { values[column][position] }

  /// Binds the value of a finished row to a parameter. The bound value is valid until the rows are
  /// removed.
  package func bind(_ column: Int, at position: Int, to statement: OpaquePointer, _ index: Int32)
    -> Int32
  {
    let value = values[column][position]
    switch value.kind {
    case .unchanged, .null: return sqlite3_bind_null(statement, index)
    case .integer: return sqlite3_bind_int64(statement, index, value.bits)
    case .real:
      return sqlite3_bind_double(
        statement, index, Double(bitPattern: UInt64(bitPattern: value.bits)))
    case .text:
      // No destructor, here and below: the bytes stay until the statement is done.
      let text = content(of: value)
      return sqlite3_bind_text64(
        statement, index, text.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt64(text.count), nil, UInt8(SQLITE_UTF8))
    case .blob:
      let blob = content(of: value)
      return sqlite3_bind_blob64(statement, index, blob.baseAddress, UInt64(blob.count), nil)
    }
  }

  /// Returns the position of a finished row; nil for a row without changes.
  ///
  /// Statements usually ask for the rows in order.
  @inline(__always)
  package func position(of row: Int64) -> Int? {
    if place < count {
      if rows[place] == row { return place }
      if rows[place] < row {
        guard place + 1 < count, rows[place + 1] <= row else { return nil }
        if rows[place + 1] == row {
          place += 1
          return place
        }
      }
    }
    return search(row)
  }

  private func search(_ row: Int64) -> Int? {
    let found = (0..<count).bisected { rows[$0] < row }
    // The previous row, so that the row is between it and the next.
    place = found < count && rows[found] == row ? found : max(0, found - 1)
    return found < count && rows[found] == row ? found : nil
  }
}

/// The identities of rows in a temporary table of a connection. Their number doesn't affect memory.
package struct NotedRows {
  private let db: Database
  private let table: String

  /// - Parameter number: A number that distinguishes the table from others of the connection.
  package init(_ db: Database, number: Int) throws {
    self.db = db
    table = "temp.strata_noted_rows_\(number)"
    try db.execute(sql: "CREATE TABLE \(table) (\"row\" INTEGER PRIMARY KEY)")
  }

  /// The statement that selects the identities.
  package var sql: String { "SELECT \"row\" FROM \(table)" }

  package func add(_ row: Int64) throws {
    _ = try db.runRaw("INSERT INTO \(table) (\"row\") VALUES (?)", row)
  }

  package func cleanUp() throws { try db.execute(sql: "DROP TABLE IF EXISTS \(table)") }
}
