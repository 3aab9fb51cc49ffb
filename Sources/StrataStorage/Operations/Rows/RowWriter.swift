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
    _ db: Database, table: String, identity: String, rebuilder: TableRebuilder?
  ) {
    self.db = db
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
    return { [statement = try statement(shape), parameters] in
      defer { buffer.removeAll() }
      buffer.source.bind(to: statement.sqliteStatement, at: 3)
      if isEachAlone {
        for row in buffer.identities {
          statement.bindRaw(row, at: 1)
          _ = try statement.stepRaw()
        }
      } else {
        for (index, value) in parameters.enumerated() {
          statement.bindRaw(value, at: Int32(index + 1))
        }
        _ = try statement.stepRaw()
      }
    }
  }

  /// Copies the remaining rows, and replaces the old table by the new one.
  package func finish(through row: Int64) throws {
    try write(through: row, of: changes.count)
    guard let rebuilder else { return }
    statement = nil
    if let next { try db.execute(sql: rebuilder.copy { $2 }, arguments: [next, Int64.max]) }
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
      return NewValueFunction.value(
        of: identity, column: index, source: "?3", otherwise: expression)
    }
  }

  private func update(_ shape: Shape) -> String {
    let identity = SQLName.quote(identity)
    let assignments = changes.columns.enumerated().map { index, column in
      let column = SQLName.quote(column)
      let value = NewValueFunction.value(
        of: identity, column: index, source: "?3", otherwise: column)
      return "\(column) = \(value)"
    }
    let condition =
      switch shape.density {
      case .all: "BETWEEN ?1 AND ?2"
      case .many: "BETWEEN ?1 AND ?2 AND \(NewValueFunction.hasValues(of: identity, source: "?3"))"
      case .few: "= ?1"
      }
    return """
      UPDATE \(SQLName.quote(table)) SET \(assignments.joined(separator: ", "))
      WHERE \(identity) \(condition)
      """
  }
}

/// An inserter of rows, many with one statement. Set all columns of a row in ``rows``, then finish
/// the row there.
package final class RowInserter {
  /// The rows that are not yet in the table.
  package let rows = RowBuffer()
  /// The rows that are being written in the background.
  private let written = RowBuffer()
  private var writing: BackgroundWork.Number?
  /// Nil if the rows are discarded.
  private var db: Database?
  private let insertion: String
  private var statements: [Int: Statement] = [:]

  private static let maxRows = 64
  private let rowsPerStatement: Int

  /// Returns the identity of a new row; nil near the limit, where SQLite searches for a free
  /// identity, or reports an error.
  package static func nextIdentity(
    _ db: Database, table: String, identity: String
  ) throws -> Int64? {
    let last = try Int64.fetchOne(db, sql: InsertSQL.lastIdentity(of: table, identity: identity))
    return last.flatMap { $0 < .max - Int64(Int32.max) ? $0 + 1 : nil }
  }

  /// - Parameters:
  ///   - db: The database; nil to discard all rows.
  ///   - ignoresDuplicates: Whether to skip a row whose key exists already.
  package init(
    _ db: Database?, table: String, columns: [String], ignoresDuplicates: Bool = false
  ) {
    self.db = db
    // After a failure, the caller rolls back everything.
    insertion = """
      INSERT OR \(ignoresDuplicates ? "IGNORE" : "FAIL") INTO \(SQLName.quote(table)) \
      (\(SQLName.list(columns))) VALUES
      """
    rowsPerStatement = InsertSQL.rowsAtOnce(columns: columns.count, atMost: Self.maxRows)
    for column in columns { _ = rows.addColumn(column) }
  }

  /// Finishes a row, and writes the rows if there are many.
  package func finish(_ row: Int64) throws {
    rows.finish(row)
    if rows.isFull { try flush() }
  }

  /// Discards the rows that aren't written, and all further rows.
  package func stop() { db = nil }

  package func flush() throws {
    if rows.count > 0 { try work(rows.count, in: rows)() }
  }

  /// Writes the rows while the caller continues. The connection must not be used until the work is
  /// done.
  package func flush(in background: BackgroundWork) throws {
    try background.wait(for: writing)
    // Compiling a statement uses the connection.
    if statements.count < 2 { try background.wait() }
    let work = try work(rows.count, in: written)
    rows.move(to: written)
    writing = background.run(work)
  }

  /// Returns a closure that inserts the rows which a buffer then has. It uses only existing
  /// statements.
  private func work(_ count: Int, in buffer: RowBuffer) throws -> () throws -> Void {
    guard let db else { return { buffer.removeAll() } }
    let many = count < rowsPerStatement ? nil : try statement(rows: rowsPerStatement, db)
    let one = try statement(rows: 1, db)
    return { [rowsPerStatement] in
      defer { buffer.removeAll() }
      var position = 0
      while position < buffer.count {
        let isTogether = buffer.count - position >= rowsPerStatement
        let end = position + (isTogether ? rowsPerStatement : 1)
        try Self.insert(buffer, position..<end, with: isTogether ? many ?? one : one)
        position = end
      }
    }
  }

  private static func insert(
    _ rows: RowBuffer, _ positions: Range<Int>, with statement: Statement
  ) throws {
    let pointer = statement.sqliteStatement
    var index: Int32 = 1
    for position in positions {
      for column in rows.columns.indices {
        let code = rows.bind(column, at: position, to: pointer, index)
        guard code == SQLITE_OK else {
          throw RealmError.unstorable(rows.stored(column, at: position), pointer)
        }
        index += 1
      }
    }
    _ = try statement.stepRaw()
  }

  private func statement(rows count: Int, _ db: Database) throws -> Statement {
    if let statement = statements[count] { return statement }
    let statement = try db.makeStatement(
      sql: insertion + " " + InsertSQL.parameters(columns: rows.columns.count, rows: count))
    statements[count] = statement
    return statement
  }
}
