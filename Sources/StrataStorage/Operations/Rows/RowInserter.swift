package import GRDB
import GRDBSQLite
import StrataSchema

/// An inserter of rows, many with one statement. Their identities are known at once.
package final class RowInserter {
  /// The rows that are not yet in the table. Set the columns of a row, and then call ``add()``.
  package let rows = RowBuffer()
  /// The rows that are being written in the background.
  private let written = RowBuffer()
  private var writing: BackgroundWork.Number?
  private let db: Database
  private let table: String
  private let identity: String
  private var nextIdentity: Int64
  private var statements: [Int: Statement] = [:]

  private static let maxRows = 32
  private let rowsPerStatement: Int

  /// - Parameters:
  ///   - columns: The columns that are set in each row.
  ///   - identity: The name of the identity.
  package init?(_ db: Database, table: String, identity: String, columns: [String]) throws {
    let last = try Int64.fetchOne(
      db, sql: InsertSQL.lastIdentity(of: table, identity: identity))
    // Near the limit, SQLite searches for a free identity, or reports an error.
    guard let last, last < .max - Int64(Int32.max) else { return nil }
    self.db = db
    self.table = SQLName.quote(table)
    self.identity = identity
    nextIdentity = last + 1
    rowsPerStatement = InsertSQL.rowsAtOnce(columns: columns.count + 1, atMost: Self.maxRows)
    for column in columns { _ = rows.addColumn(column) }
  }

  /// Finishes a row. Returns its identity.
  package func add() -> Int64 {
    let row = nextIdentity
    nextIdentity += 1
    rows.finish(row)
    return row
  }

  /// Writes the rows into the table.
  package func flush() throws {
    if rows.count > 0 { try work(rows)() }
  }

  /// Writes the rows while the caller continues. The connection must not be used until the work is
  /// done.
  package func flush(in background: BackgroundWork) throws {
    try background.wait(for: writing)
    // Compiling a statement uses the connection.
    if statements.isEmpty { try background.wait() }
    let work = try work(written)
    rows.move(to: written)
    writing = background.run(work)
  }

  /// Returns a closure that inserts the rows of a buffer. It uses only existing statements.
  private func work(_ buffer: RowBuffer) throws -> () throws -> Void {
    let many = try statement(rows: rowsPerStatement)
    let one = try statement(rows: 1)
    return { [rowsPerStatement] in
      defer { buffer.removeAll() }
      var position = 0
      while position < buffer.count {
        let count = buffer.count - position >= rowsPerStatement ? rowsPerStatement : 1
        try Self.insert(
          buffer, position..<position + count, with: count == rowsPerStatement ? many : one)
        position += count
      }
    }
  }

  private static func insert(
    _ rows: RowBuffer, _ positions: Range<Int>, with statement: Statement
  ) throws {
    let pointer = statement.sqliteStatement
    var index: Int32 = 1
    for position in positions {
      statement.bindRaw(rows.identities[position], at: index)
      for column in rows.columns.indices {
        index += 1
        let code = rows.bind(column, at: position, to: pointer, index)
        guard code == SQLITE_OK else {
          throw RealmError.unstorable(rows.stored(column, at: position), pointer)
        }
      }
      index += 1
    }
    _ = try statement.stepRaw()
  }

  private func statement(rows count: Int) throws -> Statement {
    if let statement = statements[count] { return statement }
    let columns = [identity] + rows.columns
    let statement = try db.makeStatement(
      sql: """
        INSERT INTO \(table) (\(SQLName.list(columns)))
        VALUES \(InsertSQL.parameters(columns: columns.count, rows: count))
        """)
    statements[count] = statement
    return statement
  }
}
