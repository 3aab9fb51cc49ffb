public import Foundation
package import GRDB
public import StrataSchema
import Synchronization

/// `strata_schema_version`: one row for every version that a file has been at.
package enum VersionTable {
  package static let name = "strata_schema_version"

  /// As the catalog has it.
  static let createSQL = """
    CREATE TABLE "strata_schema_version" (
      "version" INTEGER PRIMARY KEY,
      "schema" TEXT NOT NULL,
      "migrated_at" TEXT NOT NULL,
      "migrated_from" INTEGER,
      "seconds" REAL,
      "row_count" INTEGER,
      "library" TEXT
    ) STRICT
    """

  /// Further records of a migration. A file may lack their columns, such as the fixtures do.
  package struct History {
    package var from: UInt64?
    package var seconds: Double
    package var rows: Int

    package init(from: UInt64? = nil, seconds: Double, rows: Int) {
      self.from = from
      self.seconds = seconds
      self.rows = rows
    }
  }

  /// The columns of ``History``, with their types.
  private static let historyColumns = [
    ("migrated_from", "INTEGER"), ("seconds", "REAL"), ("row_count", "INTEGER"),
    ("library", "TEXT"),
  ]

  private static func missingHistoryColumns(
    _ db: Database
  ) throws -> [(name: String, type: String)] {
    let present = try Set(Catalog.columns(of: name, db).map(\.name))
    return historyColumns.filter { !present.contains($0.0) }.map { (name: $0.0, type: $0.1) }
  }

  /// The greatest version and its schema; nil when there is none.
  package static func current(
    _ db: Database, at url: URL
  ) throws -> (version: UInt64, schema: String)? {
    try newest("schema", db, at: url) { $0 }.map { (version: $0.version, schema: $0.value) }
  }

  /// The greatest version, and since when the file has been at it; nil when there is none.
  package static func newest(
    _ db: Database, at url: URL
  ) throws -> (version: UInt64, since: Date)? {
    try newest("migrated_at", db, at: url, DateText.decode).map {
      (version: $0.version, since: $0.value)
    }
  }

  /// The greatest version, and a text beside it.
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

  /// The schema at the greatest version; nil when there is none.
  ///
  /// Decoding it takes longer than reading a few rows, so the last ones are kept.
  package static func currentSchema(_ db: Database, at url: URL) throws -> Schema? {
    guard let json = try current(db, at: url)?.schema else { return nil }
    if let known = decoded.withLock({ $0.first { $0.json == json }?.schema }) { return known }
    let schema = try decode(json, at: url)
    decoded.withLock { $0 = [(json, schema)] + $0.prefix(3) }
    return schema
  }

  private static let decoded = Mutex<[(json: String, schema: Schema)]>([])

  /// - Throws: ``RealmError`` with code `fail` when another process has changed the version.
  package static func check(_ db: Database, isAt version: UInt64, at url: URL) throws {
    let current = try current(db, at: url)?.version
    guard current != version else { return }
    throw changed(from: version, to: current, at: url)
  }

  /// The error of a file that has another version than when it was opened.
  package static func changed(from version: UInt64, to current: UInt64?, at url: URL) -> RealmError
  {
    RealmError(
      .fail,
      "Unsupported schema changes were made by another client or process: the file is at schema "
        + "version \(current.map { "\($0)" } ?? "none") now, and was opened at \(version). Close the "
        + "realm and open it with the new version.",
      fileURL: url)
  }

  /// Every row, the oldest version first.
  package static func history(_ db: Database, at url: URL) throws -> [SchemaVersion] {
    let missing = try missingHistoryColumns(db).map(\.name)
    let more = historyColumns.map { missing.contains($0.0) ? "NULL" : "\"\($0.0)\"" }
    let sql = """
      SELECT version, schema, migrated_at, \(more.joined(separator: ", "))
      FROM strata_schema_version ORDER BY version
      """
    return try Row.fetchAll(db, sql: sql).map { row in
      guard let version = UInt64.fromDatabaseValue(row[0]),
        let json = String.fromDatabaseValue(row[1]),
        let date = String.fromDatabaseValue(row[2]).flatMap(DateText.decode)
      else { throw invalid(url) }
      return SchemaVersion(
        version: version, schema: try decode(json, at: url), migratedAt: date,
        migratedFrom: UInt64.fromDatabaseValue(row[3]), duration: duration(row[4]),
        rows: Int.fromDatabaseValue(row[5]), libraryVersion: String.fromDatabaseValue(row[6]))
    }
  }

  /// Longer than any migration, and well inside of the range of `Duration`.
  private static let longestDuration = 1e12

  /// A number outside of the range was not measured, and making a `Duration` of it would end the
  /// process.
  private static func duration(_ value: DatabaseValue) -> Duration? {
    guard case .real(let seconds) = StoredValue(value), (0...longestDuration).contains(seconds)
    else { return nil }
    return .seconds(seconds)
  }

  /// Whether a catalog has the table, with all columns that there are.
  package static func isComplete(in catalog: Catalog) -> Bool {
    catalog.items.contains { $0.name == name && $0.sql == createSQL }
  }

  /// Makes the table, or the columns that an older one lacks.
  private static func complete(_ db: Database, in catalog: Catalog) throws {
    guard catalog.hasTable(name) else { return try db.execute(sql: createSQL) }
    for column in try missingHistoryColumns(db) {
      try db.execute(
        sql: "ALTER TABLE strata_schema_version ADD COLUMN \"\(column.name)\" \(column.type)")
    }
  }

  /// Writes the row of a version, or replaces its schema.
  ///
  /// - Parameter catalog: The items that are in the file at this moment; read where it is nil.
  /// - Returns: The schema as text.
  @discardableResult
  package static func record(
    _ db: Database, version: UInt64, schema: Schema, history: History? = nil,
    in catalog: Catalog? = nil
  ) throws -> String {
    let catalog = try catalog ?? .readWithoutColumns(db)
    if !isComplete(in: catalog) { try complete(db, in: catalog) }
    let json = try encode(schema)
    try db.execute(
      sql: """
        INSERT INTO strata_schema_version
          (version, schema, migrated_at, migrated_from, seconds, row_count, library)
        VALUES (?, ?, strftime('%Y-%m-%d %H:%M:%f', 'now'), ?, ?, ?, ?)
        ON CONFLICT (version) DO UPDATE SET schema = excluded.schema
        """,
      arguments: [
        Int64(bitPattern: version), json,
        history?.from.map { Int64(bitPattern: $0) }, history?.seconds, history?.rows,
        LibraryRelease.current,
      ])
    return json
  }

  /// The JSON of a schema; the same schema gives the same text.
  package static func encode(_ schema: Schema) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(schema), as: UTF8.self)
  }

  private static func invalid(_ url: URL) -> RealmError {
    RealmError(
      .invalidDatabase,
      "Realm file at path '\(url.path)': table 'strata_schema_version' holds no valid version. "
        + "Correct it, or restore the file from a backup.", fileURL: url)
  }

  package static func decode(_ json: String, at url: URL) throws -> Schema {
    do {
      return try JSONDecoder().decode(Schema.self, from: Data(json.utf8))
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

/// A schema version that a file has been at.
public struct SchemaVersion: Sendable, Hashable {
  /// The version.
  public let version: UInt64

  /// The classes of that version, with the names of columns. Classes that the program no longer has
  /// are among them while the file keeps their tables.
  public let schema: Schema

  /// When the file was created at that version, or migrated to it.
  public let migratedAt: Date

  /// The version that the file was at before; nil for the one that it was created at, and
  /// where it isn't recorded.
  public let migratedFrom: UInt64?

  /// How long the stage took; nil where it isn't recorded.
  public let duration: Duration?

  /// How many rows were shown to closures, copied or filled; nil where it isn't recorded.
  public let rows: Int?

  /// The release of the library that did it; nil where it isn't recorded.
  public let libraryVersion: String?
}
