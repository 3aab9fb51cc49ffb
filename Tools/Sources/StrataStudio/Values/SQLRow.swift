import GRDB
import StrataSchema
import StrataStorage

/// The current row of a statement, with the values as stored. A text may have a zero byte, where
/// the texts of GRDB's rows end.
struct SQLRow {
  fileprivate let statement: Statement

  subscript(column: Int) -> StoredValue { statement.storedValue(Int32(column)) }

  func integer(_ column: Int) -> Int64? {
    if case .integer(let number) = self[column] { number } else { nil }
  }

  func text(_ column: Int) -> String? {
    if case .text(let text) = self[column] { text } else { nil }
  }

  /// The first characters of a text, and its full length; nil for other types.
  ///
  /// SQLite's `substr` and `length` stop at a zero byte.
  func text(_ column: Int, atMost longest: Int) -> (start: String, length: Int)? {
    withTextColumn(statement.sqliteStatement, Int32(column)) { bytes in
      var length = 0
      var end = bytes.endIndex
      for (index, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
        if length == longest { end = index }
        length += 1
      }
      return (String(decoding: bytes[..<end], as: UTF8.self), length)
    }
  }
}

/// A cursor over the rows of a statement.
struct SQLRows {
  private let statement: Statement

  fileprivate init(_ statement: Statement, _ parameters: [StoredValue]) throws {
    self.statement = statement
    for (index, parameter) in parameters.enumerated() {
      try statement.bindRaw(parameter, at: Int32(index + 1))
    }
  }

  /// Returns the next row, which is valid until the next call; nil at the end.
  func next() throws -> SQLRow? {
    try statement.stepRaw() ? SQLRow(statement: statement) : nil
  }
}

extension Database {
  /// The integer in the first column of the first row. The statement is cached.
  func kept(_ sql: String, _ parameters: [StoredValue]) throws -> Int64? {
    let statement = try cachedStatement(sql: sql)
    defer { statement.resetRaw() }
    return try SQLRows(statement, parameters).next()?.integer(0)
  }

  func rows(_ sql: String, _ parameters: [StoredValue] = []) throws -> SQLRows {
    try SQLRows(makeStatement(sql: sql), parameters)
  }

  /// Runs a statement, and calls a closure with each row.
  func forEachRow(
    _ sql: String, _ parameters: [StoredValue] = [], _ body: (SQLRow) throws -> Void
  ) throws {
    let rows = try rows(sql, parameters)
    while let row = try rows.next() { try body(row) }
  }

  /// The integer in the first column of the first row.
  func integer(_ sql: String, _ parameters: [StoredValue] = []) throws -> Int64? {
    try rows(sql, parameters).next()?.integer(0)
  }

  /// The result of a statement that counts.
  func count(_ sql: String, _ parameters: [StoredValue] = []) throws -> Int {
    Int(try integer(sql, parameters) ?? 0)
  }

  /// Whether an object of a class with a table exists. The statement is cached.
  func hasObject(_ identity: Int64, in table: ObjectSchema) throws -> Bool {
    try kept(
      """
      SELECT 1 FROM \(SQLName.quote(table.className)) \
      WHERE \(SQLName.quote(table.identityColumn)) = ?
      """, [.integer(identity)]) != nil
  }
}
