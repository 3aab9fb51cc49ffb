import GRDB

/// Writes what a loop sets in the rows of a table: many rows with one statement, into the table or
/// into the one that takes its place.
final class RowWriter {
  let changes = RowChanges()
  private let db: Database
  private let functions: RowChangeFunctions
  private let table: String
  private let identity: String
  /// The table that is being made anew; nil when there is none, or it is done.
  private(set) var rebuilder: TableRebuilder?
  private var statement: Statement?
  /// The number of columns that the statement sets.
  private var width = 0
  /// The first row that is not yet copied to the new table; nil when the last possible one is.
  private var next: Int64? = .min

  /// - Parameter identity: The name of the identity when no table is being made anew.
  init(
    _ db: Database, _ functions: RowChangeFunctions, table: String, identity: String,
    rebuilder: TableRebuilder?
  ) {
    self.db = db
    self.functions = functions
    self.table = table
    self.identity = identity
    self.rebuilder = rebuilder
  }

  /// Writes the finished rows, the last of which is `row` or before it.
  func write(through row: Int64) throws {
    guard changes.count > 0 else { return }
    if statement == nil || width != changes.columns.count { statement = try prepare() }
    guard let statement, let range = changes.range else { return }
    if rebuilder == nil {
      statement.bindRaw([range.lowerBound, range.upperBound])
    } else {
      guard let start = next else { return }
      statement.bindRaw([start, row])
      next = row == .max ? nil : row + 1
    }
    try functions.run(statement, showing: changes)
    changes.removeAll()
  }

  /// Copies the rows that are left, and puts the new table in the place of the old one.
  func finish(through row: Int64) throws {
    try write(through: row)
    guard let rebuilder else { return }
    statement = nil
    if let next { try rebuilder.copyRest(from: next) }
    try rebuilder.finish()
    self.rebuilder = nil
  }

  private func prepare() throws -> Statement {
    width = changes.columns.count
    if let rebuilder {
      return try db.makeStatement(sql: rebuilder.copy { column, identity, expression in
        guard let index = self.changes.columns.firstIndex(of: column) else { return expression }
        return "\(RowChangeFunctions.value)(\(index), \(identity), \(expression))"
      })
    }
    let identity = SQLName.quote(identity)
    let assignments = changes.columns.enumerated().map { index, column in
      let column = SQLName.quote(column)
      return "\(column) = \(RowChangeFunctions.value)(\(index), \(identity), \(column))"
    }
    return try db.makeStatement(
      sql: """
        UPDATE \(SQLName.quote(table)) SET \(assignments.joined(separator: ", "))
        WHERE \(identity) BETWEEN ? AND ? AND \(RowChangeFunctions.changed)(\(identity))
        """)
  }
}
