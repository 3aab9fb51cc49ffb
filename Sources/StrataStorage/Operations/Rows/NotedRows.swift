package import GRDB

/// Identities of rows in a temporary table of a connection: memory stays flat however many there
/// are.
package struct NotedRows {
  private let db: Database
  private let table: String

  /// - Parameter number: Tells the table apart from others of the connection.
  package init(_ db: Database, number: Int) throws {
    self.db = db
    table = "temp.strata_noted_rows_\(number)"
    try db.execute(sql: "CREATE TABLE \(table) (\"row\" INTEGER PRIMARY KEY)")
  }

  /// The statement for the identities.
  package var sql: String { "SELECT \"row\" FROM \(table)" }

  package func add(_ row: Int64) throws {
    _ = try db.runRaw("INSERT INTO \(table) (\"row\") VALUES (?)", row)
  }

  package func cleanUp() throws { try db.execute(sql: "DROP TABLE IF EXISTS \(table)") }
}
