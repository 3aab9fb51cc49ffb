import Foundation
package import GRDB
import GRDBSQLite
package import StrataSchema

/// The rows that differ between two states of a file, each read by a connection.
///
/// Both tables are read in the order of their keys and compared column by column. Nothing is
/// decoded: texts and blobs are compared by their bytes, doubles by their bits. A missing table
/// counts as empty.
package struct SnapshotDifference {
  /// A connection in a read transaction, with the state before.
  package let old: Database
  /// A connection in a read transaction, with the state after.
  package let new: Database

  package init(old: Database, new: Database) {
    self.old = old
    self.new = new
  }

  /// Returns the rows of a class that were added, deleted, or changed. If the tables have different
  /// columns, all rows differ.
  package func rows(of table: String, identity: String) throws -> RowSet {
    let before = try Self.columns(of: table, old)
    let after = try Self.columns(of: table, new)
    let order = "FROM \(SQLName.quote(table)) ORDER BY \(SQLName.quote(identity))"
    if before.isEmpty || after.isEmpty || before != after {
      let sql = "SELECT \(SQLName.quote(identity)) \(order)"
      return try allRows(before.isEmpty ? nil : sql, after.isEmpty ? nil : sql)
    }
    let compared = before.filter { $0 != identity }
    let sql = "SELECT \(SQLName.list([identity] + compared)) \(order)"
    return try differing(sql, columns: compared.count)
  }

  /// Returns the owners whose collections differ.
  ///
  /// The elements of a list are compared in their order, whatever their stored positions.
  package func owners(of table: CollectionTable) throws -> RowSet {
    let before = try Self.columns(of: table.name, old)
    let after = try Self.columns(of: table.name, new)
    let elements = [CollectionTable.value] + (table.typeColumnName.map { [$0] } ?? [])
    let columns = table.kind == .map ? [CollectionTable.key] + elements : elements
    let order = [CollectionTable.owner] + (table.slot.map { [$0] } ?? elements)
    let sql = """
      SELECT \(SQLName.list([CollectionTable.owner] + columns)) \
      FROM \(SQLName.quote(table.name)) ORDER BY \(SQLName.list(order))
      """
    guard !before.isEmpty, !after.isEmpty else {
      return try allRows(before.isEmpty ? nil : sql, after.isEmpty ? nil : sql)
    }
    return try differing(sql, columns: columns.count)
  }

  /// Returns the names of the columns of a table; none if there is no such table.
  private static func columns(of table: String, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db.cachedStatement(sql: "SELECT name FROM pragma_table_info(?)"), arguments: [table])
  }

  /// Returns the keys of all rows, if one of the tables is missing or they can't be compared.
  private func allRows(_ oldSQL: String?, _ newSQL: String?) throws -> RowSet {
    var result = RowSet()
    for (db, sql) in [(old, oldSQL), (new, newSQL)] {
      guard let sql else { continue }
      let statement = try db.cachedStatement(sql: sql)
      defer { statement.resetRaw() }
      while try statement.stepRaw() { result.insert(statement.int64(0)) }
    }
    return result
  }

  /// Returns the keys whose rows differ. A key has one row in each state, or several in order.
  private func differing(_ sql: String, columns count: Int) throws -> RowSet {
    var before = try KeyedRows(old, sql)
    defer { before.end() }
    var after = try KeyedRows(new, sql)
    defer { after.end() }
    let columns = 1..<Int32(count + 1)
    var result = RowSet()
    while let key = before.key ?? after.key {
      guard let first = before.key, let second = after.key, first == second else {
        let isGone = after.key.map { key < $0 } ?? true
        if before.key != nil, isGone {
          result.insert(key)
          try before.skip(key)
        } else if let added = after.key {
          result.insert(added)
          try after.skip(added)
        }
        continue
      }
      var isSame = true
      repeat {
        isSame = isSame && before.hasSameValues(as: after, in: columns)
        try before.next()
        try after.next()
      } while before.key == key && after.key == key
      if !isSame || before.key == key || after.key == key { result.insert(key) }
      try before.skip(key)
      try after.skip(key)
    }
    return result
  }
}

/// The rows of a query whose first column is an ascending key.
private struct KeyedRows {
  private let statement: Statement
  /// The key of the current row; nil after the last one.
  private(set) var key: Int64?

  init(_ db: Database, _ sql: String) throws {
    statement = try db.cachedStatement(sql: sql)
    try next()
  }

  @inline(__always)
  mutating func next() throws {
    key = try statement.stepRaw() ? statement.int64(0) : nil
  }

  /// Moves to the first row after the rows of a key.
  mutating func skip(_ skipped: Int64) throws {
    while key == skipped { try next() }
  }

  /// Ends the reading, even before the last row.
  func end() { statement.resetRaw() }

  @inline(__always)
  func hasSameValues(as other: KeyedRows, in columns: Range<Int32>) -> Bool {
    let first = statement.sqliteStatement
    let second = other.statement.sqliteStatement
    for column in columns where !Self.isSame(first, second, column) { return false }
    return true
  }

  @inline(__always)
  private static func isSame(
    _ first: OpaquePointer, _ second: OpaquePointer, _ column: Int32
  ) -> Bool {
    let type = sqlite3_column_type(first, column)
    guard type == sqlite3_column_type(second, column) else { return false }
    switch type {
    case SQLITE_INTEGER:
      return sqlite3_column_int64(first, column) == sqlite3_column_int64(second, column)
    case SQLITE_FLOAT:
      return sqlite3_column_double(first, column).bitPattern
        == sqlite3_column_double(second, column).bitPattern
    case SQLITE_NULL:
      return true
    default:
      // The stored bytes of a text, without a conversion.
      let (bytes, others) = (
        sqlite3_column_blob(first, column), sqlite3_column_blob(second, column)
      )
      let count = Int(sqlite3_column_bytes(first, column))
      guard count == Int(sqlite3_column_bytes(second, column)) else { return false }
      guard count > 0, let bytes, let others else { return true }
      return memcmp(bytes, others, count) == 0
    }
  }
}
