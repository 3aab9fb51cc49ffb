public import Foundation
package import GRDB
public import StrataSchema
import Synchronization

/// `strata_schema_version`: one row for every version that the file has had.
package enum VersionTable {
  package static let name = "strata_schema_version"

  /// The table's text in the catalog.
  static let createSQL = """
    CREATE TABLE "strata_schema_version" (
      "version" INTEGER PRIMARY KEY,
      "schema" TEXT NOT NULL,
      "migrated_at" TEXT NOT NULL,
      "migrated_from" INTEGER,
      "seconds" REAL,
      "row_count" INTEGER,
      "library" TEXT,
      "oldest_reader" INTEGER,
      "oldest_writer" INTEGER
    ) STRICT
    """

  /// Further records of a migration. A file may lack their columns, such as the test fixtures.
  package struct History {
    package var from: UInt64?
    package var seconds: Double
    package var rows: Int
    /// The oldest version of programs that may read the file, and that may write to it; nil if the
    /// classes alone decide.
    package var oldestReader: UInt64?
    package var oldestWriter: UInt64?

    package init(from: UInt64? = nil, seconds: Double, rows: Int) {
      self.from = from
      self.seconds = seconds
      self.rows = rows
    }
  }

  /// The columns of ``History``, with their types.
  private static let historyColumns = [
    ("migrated_from", "INTEGER"), ("seconds", "REAL"), ("row_count", "INTEGER"),
    ("library", "TEXT"), ("oldest_reader", "INTEGER"), ("oldest_writer", "INTEGER"),
  ]

  /// Returns the greatest version and its schema; nil if missing.
  package static func current(
    _ db: Database, at url: URL
  ) throws -> (version: UInt64, schema: String)? {
    try newest("schema", db, at: url) { $0 }.map { (version: $0.version, schema: $0.value) }
  }

  /// Returns the greatest version, and the time of the migration to it; nil if missing.
  package static func newest(
    _ db: Database, at url: URL
  ) throws -> (version: UInt64, since: Date)? {
    try newest("migrated_at", db, at: url, DateText.decode).map {
      (version: $0.version, since: $0.value)
    }
  }

  /// Returns the greatest version, and the value of another column in its row.
  private static func newest<Value>(
    _ column: String, _ db: Database, at url: URL, _ decode: (String) -> Value?
  ) throws -> (version: UInt64, value: Value)? {
    let sql = "SELECT version, \(column) FROM strata_schema_version ORDER BY version DESC LIMIT 1"
    return try db.once(sql) { statement in
      guard try statement.stepRaw() else { return nil }
      guard case .integer(let number) = statement.storedValue(0),
        let version = UInt64(exactly: number), case .text(let text) = statement.storedValue(1),
        let value = decode(text)
      else { throw invalid(url) }
      return (version, value)
    }
  }

  /// Returns the schema of the greatest version; nil if missing.
  ///
  /// Decoding takes longer than reading a few rows, so the last results are cached.
  package static func currentSchema(_ db: Database, at url: URL) throws -> Schema? {
    guard let json = try current(db, at: url)?.schema else { return nil }
    if let known = decoded.withLock({ $0.first { $0.json == json }?.schema }) { return known }
    let schema = try decode(json, at: url)
    decoded.withLock { $0 = [(json, schema)] + $0.prefix(3) }
    return schema
  }

  private static let decoded = Mutex<[(json: String, schema: Schema)]>([])

  package static func check(_ db: Database, isAt version: UInt64, at url: URL) throws {
    let current = try current(db, at: url)?.version
    guard current != version else { return }
    throw changed(from: version, to: current, at: url)
  }

  /// Returns the error of a file that was opened at another version.
  package static func changed(from version: UInt64, to current: UInt64?, at url: URL) -> RealmError
  {
    RealmError(
      .fail,
      "Unsupported schema changes were made by another client or process: the file is at schema "
        + "version \(current.map { "\($0)" } ?? "none") now, and was opened at \(version). Close the "
        + "realm and open it with the new version.",
      fileURL: url)
  }

  /// Returns the facts that decide which programs may use the file, in its present version.
  package static func recorded(_ db: Database, at url: URL) throws -> RecordedFile {
    RecordedFile(
      try rows(db).map { try entry($0, at: url) }, columns: try Catalog.readColumns(db))
  }

  /// Returns all rows, the oldest version first.
  package static func history(_ db: Database, at url: URL) throws -> [SchemaVersion] {
    try rows(db).map { row in
      guard let date = String.fromDatabaseValue(value("migrated_at", row)).flatMap(DateText.decode)
      else { throw invalid(url) }
      return SchemaVersion(
        entry: try entry(row, at: url), migratedAt: date,
        migratedFrom: UInt64.fromDatabaseValue(value("migrated_from", row)),
        duration: duration(value("seconds", row)),
        rows: Int.fromDatabaseValue(value("row_count", row)),
        libraryVersion: String.fromDatabaseValue(value("library", row)))
    }
  }

  /// Returns the oldest versions of programs that may read the file, and write to it.
  package static func limits(_ db: Database) throws -> [UInt64?] {
    let sql = "SELECT * FROM strata_schema_version ORDER BY version DESC LIMIT 1"
    return try Row.fetchOne(db, sql: sql).map(limits) ?? []
  }

  private static func limits(_ row: Row) -> [UInt64?] {
    ["oldest_reader", "oldest_writer"].map { UInt64.fromDatabaseValue(value($0, row)) }
  }

  private static func rows(_ db: Database) throws -> [Row] {
    try Row.fetchAll(db, sql: "SELECT * FROM strata_schema_version ORDER BY version")
  }

  /// Returns a value of a row; NULL if the file lacks the column.
  private static func value(_ column: String, _ row: Row) -> DatabaseValue {
    row[column] ?? .null
  }

  private static func entry(_ row: Row, at url: URL) throws -> RecordedFile.Entry {
    guard let version = UInt64.fromDatabaseValue(value("version", row)),
      let json = String.fromDatabaseValue(value("schema", row))
    else { throw invalid(url) }
    let limits = limits(row)
    return RecordedFile.Entry(
      version, try decodeRecord(json, at: url), oldestReader: limits[0], oldestWriter: limits[1])
  }

  /// Longer than any migration, and well inside the range of `Duration`.
  private static let longestDuration = 1e12

  /// A number outside the range was not measured. Converting it to a `Duration` could stop the
  /// process.
  private static func duration(_ value: DatabaseValue) -> Duration? {
    guard case .real(let seconds) = StoredValue(value), (0...longestDuration).contains(seconds)
    else { return nil }
    return .seconds(seconds)
  }

  /// Whether a catalog has the table with all columns.
  package static func isComplete(in catalog: Catalog) -> Bool {
    catalog.items.contains { $0.name == name && $0.sql == createSQL }
  }

  /// Creates the table, or the missing columns of an older one.
  private static func complete(_ db: Database, in catalog: Catalog) throws {
    guard catalog.hasTable(name) else { return try db.execute(sql: createSQL) }
    let present = try Set(Catalog.columns(of: name, db).map(\.name))
    for (column, type) in historyColumns where !present.contains(column) {
      try db.execute(sql: "ALTER TABLE strata_schema_version ADD COLUMN \"\(column)\" \(type)")
    }
  }

  /// Writes the row of a version, or replaces its schema.
  ///
  /// - Parameter catalog: The present items of the file; read if nil.
  @discardableResult
  package static func record(
    _ db: Database, version: UInt64, _ record: SchemaRecord, history: History? = nil,
    in catalog: Catalog? = nil
  ) throws -> String {
    let catalog = try catalog ?? .readWithoutColumns(db)
    if !isComplete(in: catalog) { try complete(db, in: catalog) }
    let json = try JSONEncoder.text(of: record)
    try db.execute(
      sql: """
        INSERT INTO strata_schema_version
          (version, schema, migrated_at, migrated_from, seconds, row_count, library,
           oldest_reader, oldest_writer)
        VALUES (?, ?, strftime('%Y-%m-%d %H:%M:%f', 'now'), ?, ?, ?, ?, ?, ?)
        ON CONFLICT (version) DO UPDATE SET schema = excluded.schema
        """,
      arguments: [
        Int64(bitPattern: version), json,
        history?.from.map { Int64(bitPattern: $0) }, history?.seconds, history?.rows,
        LibraryRelease.current, history?.oldestReader.map { Int64(bitPattern: $0) },
        history?.oldestWriter.map { Int64(bitPattern: $0) },
      ])
    return json
  }

  /// Returns the JSON of a schema. The same schema always gives the same text.
  package static func encode(_ schema: Schema) throws -> String {
    try JSONEncoder.text(of: SchemaRecord(schema))
  }

  private static func invalid(_ url: URL) -> RealmError {
    RealmError(
      .invalidDatabase,
      "Realm file at path '\(url.path)': table 'strata_schema_version' holds no valid version. "
        + "Correct it, or restore the file from a backup.", fileURL: url)
  }

  package static func decode(_ json: String, at url: URL) throws -> Schema {
    try decodeRecord(json, at: url).schema
  }

  package static func decodeRecord(_ json: String, at url: URL) throws -> SchemaRecord {
    do {
      return try JSONDecoder().decode(SchemaRecord.self, from: Data(json.utf8))
    } catch {
      throw RealmError(
        .invalidDatabase,
        "Realm file at path '\(url.path)': the schema in table 'strata_schema_version' can't be "
          + "read (\(reason(error))). Correct it, or restore the file from a backup.",
        fileURL: url, underlyingError: error)
    }
  }

  package static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .dataCorrupted(let context), .keyNotFound(_, let context),
      .typeMismatch(_, let context), .valueNotFound(_, let context):
      context.debugDescription
    default: "\(error)"
    }
  }
}

extension JSONEncoder {
  /// Returns a value as JSON: the same text for the same value.
  static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

/// A schema version of a file.
public struct SchemaVersion: Sendable, Hashable {
  /// The record of the version, with its facts for older programs.
  package let entry: RecordedFile.Entry

  /// The version.
  public var version: UInt64 { entry.version }

  /// The classes of that version, with the names of columns. Removed classes are included while the
  /// file keeps their tables.
  public var schema: Schema { entry.record.schema }

  /// The time at which the file was created at that version, or migrated to it.
  public let migratedAt: Date

  /// The previous version; nil for the first version of the file, or if it isn't recorded.
  public let migratedFrom: UInt64?

  /// The duration of the stage; nil if it isn't recorded.
  public let duration: Duration?

  /// The number of rows that were passed to closures, copied or filled; nil if it isn't recorded.
  public let rows: Int?

  /// The release of the library that created the version; nil if it isn't recorded.
  public let libraryVersion: String?
}

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

  package static func removeAll(_ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM grdb_migrations WHERE substr(identifier, 1, ?) = ?",
      arguments: [prefix.count, prefix])
  }
}
