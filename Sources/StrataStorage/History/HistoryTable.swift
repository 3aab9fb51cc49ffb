package import GRDB
package import StrataSchema

/// The tables of a file that store the history of its changes.
package enum HistoryTable {
  package static let name = "strata_history"
  package static let settings = "strata_history_settings"
  package static let consumers = "strata_history_consumer"
  package static let all = [name, settings, consumers]

  /// The kinds of entries, as stored in the file.
  package enum Kind: String, Sendable {
    case began
    case write
    case other
    case migration
    case restored
  }

  /// The newest row is never deleted, so SQLite never reuses a position, even without
  /// `AUTOINCREMENT`.
  private static let createSQL = [
    """
    CREATE TABLE IF NOT EXISTS strata_history (
      position INTEGER PRIMARY KEY,
      mark INTEGER NOT NULL,
      at TEXT NOT NULL,
      kind TEXT NOT NULL,
      author TEXT,
      process TEXT,
      schema_version INTEGER NOT NULL,
      changes TEXT NOT NULL,
      kept TEXT
    ) STRICT
    """,
    """
    CREATE INDEX IF NOT EXISTS strata_history_migrations ON strata_history (position)
    WHERE kind = 'migration'
    """,
    """
    CREATE TABLE IF NOT EXISTS strata_history_consumer (
      name TEXT PRIMARY KEY,
      position INTEGER NOT NULL,
      mark INTEGER NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS strata_history_settings (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      settings TEXT NOT NULL
    ) STRICT
    """,
  ]

  /// SQL for the present time, at which a row is written.
  package static let now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"

  // MARK: Settings

  /// Returns the settings of the file's history; nil if the file keeps none.
  ///
  /// Unreadable settings are replaced by the defaults.
  package static func settings(_ db: Database) throws -> HistorySettings? {
    let sql = "SELECT settings FROM strata_history_settings WHERE id = 1"
    return try String.fetchOne(db, sql: sql).map { HistorySettings($0) ?? HistorySettings() }
  }

  /// Returns the same for a file that may have no such table.
  package static func settingsIfKept(_ db: Database) throws -> HistorySettings? {
    let sql = "SELECT 1 FROM sqlite_schema WHERE name = ?"
    let isThere = try Bool.fetchOne(db, sql: sql, arguments: [settings])
    return isThere == true ? try settings(db) : nil
  }

  /// Begins a history, or changes the settings of the existing one. The caller updates the file's
  /// triggers.
  package static func keep(_ settings: HistorySettings, version: UInt64, _ db: Database) throws {
    try makeTables(version: version, db)
    try db.execute(
      sql: """
        INSERT INTO strata_history_settings (id, settings) VALUES (1, ?)
        ON CONFLICT (id) DO UPDATE SET settings = excluded.settings
        """, arguments: [settings.text])
  }

  /// Creates the missing tables. A history without entries gets its first entry.
  package static func makeTables(version: UInt64, _ db: Database) throws {
    for sql in createSQL { try db.execute(sql: sql) }
    let isEmpty = try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM strata_history)")
    if isEmpty == true {
      try begin(version: version, db)
    } else if try FileOrigins.areMissing(db) {
      try FileOrigins.add(.began, db)
    }
  }

  /// Ends a history, and deletes all its entries.
  package static func drop(_ db: Database) throws {
    for table in all { try db.execute(sql: "DROP TABLE IF EXISTS \(SQLName.quote(table))") }
  }

  /// Deletes all entries, because the file has other objects from now on.
  package static func startOver(version: UInt64, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM strata_history")
    try db.execute(sql: "DELETE FROM strata_history_consumer")
    try begin(version: version, db)
  }

  private static func begin(version: UInt64, _ db: Database) throws {
    try add(.began, version: version, changes: "[]", db)
    try FileOrigins.add(.began, db)
  }

  /// Returns the position of the newest transaction; 0 for a file without a history.
  static func newestPosition(_ db: Database) throws -> Int64 {
    guard try settingsIfKept(db) != nil else { return 0 }
    return try Int64.fetchOne(db, sql: "SELECT max(position) FROM strata_history") ?? 0
  }

  // MARK: Entries that are not of a transaction

  /// Adds an entry of the library.
  package static func add(
    _ kind: Kind, version: UInt64, changes: String, _ db: Database
  ) throws {
    try db.execute(
      sql: """
        INSERT INTO strata_history (mark, at, kind, process, schema_version, changes)
        VALUES (\(newMark), \(now), ?, ?, ?, ?)
        """,
      arguments: [
        kind.rawValue, HistoryProcess.name, Int64(bitPattern: version), changes,
      ])
  }

  /// SQL for a random number that distinguishes a transaction from any other one at the same
  /// position.
  private static let newMark = "random() & 9223372036854775807"

  /// The statement that adds a transaction of the library: author, process, schema version,
  /// changes, kept values.
  package static let insertion = """
    INSERT INTO strata_history (mark, at, kind, author, process, schema_version, changes, kept)
    VALUES (\(newMark), \(now), 'write', ?, ?, ?, ?, ?)
    """
}
