package import GRDB
import GRDBSQLite
import StrataSchema

/// A writer of the values that a loop sets in the rows of a table. It writes many rows with one
/// statement, into the table or into its replacement.
package final class RowWriter {
  package let changes = RowBuffer()
  /// The rows that are being written in the background.
  private let written = RowBuffer()
  private var writing: BackgroundWork.Number?
  private let db: Database
  private let functions: RowBufferFunctions
  private let table: String
  /// The name of the identity, if no table is being rebuilt.
  package var identity: String {
    didSet {
      statement = nil
      shape = nil
    }
  }
  /// The table that is being rebuilt; nil without a rebuild, or when it is done.
  package private(set) var rebuilder: TableRebuilder?
  private var statement: Statement?
  /// The shape for which the statement was compiled.
  private var shape: Shape?

  private struct Shape: Equatable {
    /// The number of columns that are set.
    var width: Int
    var density: Density
  }

  /// The density of rows with changes between the first and the last one.
  private enum Density { case all, many, few }

  /// If fewer than one row in this number has changes, each is updated by its identity.
  private static let few = 8

  /// The first row that is not yet copied to the new table; nil after the last possible row.
  private var next: Int64? = .min

  package init(
    _ db: Database, _ functions: RowBufferFunctions, table: String, identity: String,
    rebuilder: TableRebuilder?
  ) {
    self.db = db
    self.functions = functions
    self.table = table
    self.identity = identity
    self.rebuilder = rebuilder
  }

  /// Writes the finished rows, which end at or before `row`.
  ///
  /// - Parameter count: The number of rows from the first one with changes to the last.
  package func write(through row: Int64, of count: Int) throws {
    try work(through: row, of: count, changes)?()
  }

  /// Writes the rows while the caller continues. The connection must not be used until the work is
  /// done.
  package func write(through row: Int64, of count: Int, in background: BackgroundWork) throws {
    try background.wait(for: writing)
    guard let work = try work(through: row, of: count, written, background) else { return }
    changes.move(to: written)
    writing = background.run(work)
  }

  /// Returns a closure that writes the finished rows from a buffer. It uses only existing
  /// statements.
  private func work(
    through row: Int64, of count: Int, _ buffer: RowBuffer, _ background: BackgroundWork? = nil
  ) throws -> (() throws -> Void)? {
    guard let range = changes.range else { return nil }
    let density: Density =
      changes.count == count ? .all : changes.count * Self.few > count ? .many : .few
    // The first and the last row.
    var parameters = [range.lowerBound, range.upperBound]
    if rebuilder != nil {
      guard let next else { return nil }
      parameters = [next, row]
      self.next = row == .max ? nil : row + 1
    }
    let isEachAlone = rebuilder == nil && density == .few
    let shape = Shape(
      width: changes.columns.count, density: rebuilder == nil ? density : .all)
    // Compiling a statement uses the connection.
    if shape != self.shape { try background?.wait() }
    return { [statement = try statement(shape), functions, parameters] in
      defer { buffer.removeAll() }
      guard isEachAlone else {
        for (index, value) in parameters.enumerated() {
          statement.bindRaw(value, at: Int32(index + 1))
        }
        return try functions.run(statement, showing: buffer)
      }
      for row in buffer.identities {
        statement.bindRaw(row, at: 1)
        try functions.run(statement, showing: buffer)
      }
    }
  }

  /// Copies the remaining rows, and replaces the old table by the new one.
  package func finish(through row: Int64) throws {
    try write(through: row, of: changes.count)
    guard let rebuilder else { return }
    statement = nil
    if let next { try rebuilder.copyRest(from: next) }
    try rebuilder.finish()
    self.rebuilder = nil
    shape = nil
  }

  private func statement(_ shape: Shape) throws -> Statement {
    if let statement, self.shape == shape { return statement }
    let made = try db.makeStatement(sql: rebuilder.map(copy) ?? update(shape))
    statement = made
    self.shape = shape
    return made
  }

  private func copy(_ rebuilder: TableRebuilder) -> String {
    rebuilder.copy { column, identity, expression in
      guard let index = self.changes.columns.firstIndex(of: column) else { return expression }
      return "\(RowBufferFunctions.value)(\(index), \(identity), \(expression))"
    }
  }

  private func update(_ shape: Shape) -> String {
    let identity = SQLName.quote(identity)
    let assignments = changes.columns.enumerated().map { index, column in
      let column = SQLName.quote(column)
      return "\(column) = \(RowBufferFunctions.value)(\(index), \(identity), \(column))"
    }
    let condition =
      switch shape.density {
      case .all: "BETWEEN ? AND ?"
      case .many: "BETWEEN ? AND ? AND \(RowBufferFunctions.changed)(\(identity))"
      case .few: "= ?"
      }
    return """
      UPDATE \(SQLName.quote(table)) SET \(assignments.joined(separator: ", "))
      WHERE \(identity) \(condition)
      """
  }
}

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
