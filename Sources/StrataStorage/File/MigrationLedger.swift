package import GRDB

/// `grdb_migrations`: the ledger of GRDB's migrators, with a name for each version of the file.
///
/// A migrator in another part of the program uses the same ledger, and ignores unknown names.
package enum MigrationLedger {
  package static let name = "grdb_migrations"

  /// The beginning of the names of versions.
  package static let prefix = "strata schema version "

  /// The table as GRDB creates it.
  private static let createSQL =
    "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

  /// Creates the ledger if the catalog has none.
  package static func make(_ db: Database, in catalog: Catalog) throws {
    guard !catalog.hasTable(name) else { return }
    try db.execute(sql: createSQL)
  }

  /// Adds a version. A version that was added before gets a name with a number, so that each name
  /// occurs once.
  package static func enter(_ version: UInt64, _ db: Database) throws {
    let name = "\(prefix)\(version)"
    let statement = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO grdb_migrations (identifier) VALUES (?)")
    try statement.execute(arguments: [name])
    var number = 2
    while db.changesCount == 0 {
      try statement.execute(arguments: ["\(name) (\(number))"])
      number += 1
    }
  }

  /// Removes all versions.
  package static func removeAll(_ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM grdb_migrations WHERE substr(identifier, 1, ?) = ?",
      arguments: [prefix.count, prefix])
  }
}
