package import GRDB

/// `grdb_migrations`: the ledger of GRDB's migrators, in which each version that a file has been at
/// has a name.
///
/// A migrator of another part of the program uses the same ledger, and ignores names that it
/// doesn't know.
package enum MigrationLedger {
  package static let name = "grdb_migrations"

  /// What the names of versions begin with.
  package static let prefix = "strata schema version "

  /// The table as GRDB makes it.
  private static let createSQL =
    "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

  /// Makes the ledger where a catalog has none.
  package static func make(_ db: Database, in catalog: Catalog) throws {
    guard !catalog.hasTable(name) else { return }
    try db.execute(sql: createSQL)
  }

  /// Enters a version. One that was entered before gets a name with a number: each name occurs
  /// once.
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
