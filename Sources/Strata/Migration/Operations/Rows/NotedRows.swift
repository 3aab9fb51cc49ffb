import GRDB

/// Identities of rows in a temporary table of a connection: memory stays flat however many there
/// are.
struct NotedRows {
  private let db: Database
  private let table: String

  /// - Parameter number: Tells the table apart from others of the connection.
  init(_ db: Database, number: Int) throws {
    self.db = db
    table = "temp.strata_noted_rows_\(number)"
    try db.execute(sql: "CREATE TABLE \(table) (\"row\" INTEGER PRIMARY KEY)")
  }

  /// The statement for the identities.
  var sql: String { "SELECT \"row\" FROM \(table)" }

  func add(_ row: Int64) throws {
    _ = try db.runRaw("INSERT INTO \(table) (\"row\") VALUES (?)", row)
  }

  func cleanUp() throws { try db.execute(sql: "DROP TABLE IF EXISTS \(table)") }
}
