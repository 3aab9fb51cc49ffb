public import Foundation
import GRDB
public import StrataSchema

/// A reader of the facts that a file records about itself. Creates no other file beside that file.
package enum FileInspector {
  /// Each attempt but the last fails because another process has begun to write meanwhile.
  private static let maxAttempts = 10

  /// - Throws: ``RealmError`` for a path at which no database can be read, or if the table of
  ///   versions can't be read.
  package static func inspect(
    _ url: URL, _ key: FileKey?, countingObjects: Bool
  ) throws(RealmError) -> RealmInspection {
    try StoreFile.requireDatabase(url, ifEmpty: ErrorText.notInitialized(url.path))
    return try translatingErrors(at: url) {
      for _ in 1..<maxAttempts where !hasJournal(url) {
        let (queue, appearance) = try Connections.openReadOnly(url, key)
        // If the file was treated as immutable, the result may mix two states, even if it looks
        // damaged.
        let result = Result { try read(queue, url, countingObjects) }
        if appearance == nil || appearance == FileAppearance(of: url) { return try result.get() }
      }
      return try read(Connections.openChecker(url, key), url, countingObjects)
    }
  }

  /// Whether a process has ended in the middle of a transaction without a WAL, which the next
  /// connection that may write must roll back.
  private static func hasJournal(_ url: URL) -> Bool {
    FileNames.bytes(ofFileAt: url.path + "-journal") > 0
  }

  private static func read(
    _ queue: DatabaseQueue, _ url: URL, _ countingObjects: Bool
  ) throws -> RealmInspection {
    let inspection = try queue.unsafeRead { db in
      try db.readingOneVersion { try read(db, url, countingObjects) }
    }
    try queue.close()
    return inspection
  }

  private static func read(
    _ db: Database, _ url: URL, _ countingObjects: Bool
  ) throws -> RealmInspection {
    let catalog = Catalog(items: try Catalog.readItems(db))
    let current =
      catalog.hasTable(VersionTable.name) ? try VersionTable.current(db, at: url) : nil
    let record = try current.map { try VersionTable.decodeRecord($0.schema, at: url) }
    let schema = record?.schema ?? Schema()
    return RealmInspection(
      fileURL: url, schemaVersion: current?.version, schema: schema,
      history: current == nil ? [] : try VersionTable.history(db, at: url),
      objectCounts: countingObjects ? try counts(schema, catalog, db) : [:],
      otherTables: catalog.otherTables(than: record?.schemaWithRetired ?? schema),
      fileSize: Int(FileNames.bytes(ofFileAt: url.path)),
      logSize: Int(FileNames.bytes(ofFileAt: url.path + "-wal")), unusedSize: try unusedSize(db))
  }

  private static func counts(
    _ schema: Schema, _ catalog: Catalog, _ db: Database
  ) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for name in schema.objectSchema.lazy.map(\.className) where catalog.hasTable(name) {
      counts[name] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(SQLName.quote(name))")
    }
    return counts
  }

  private static func unusedSize(_ db: Database) throws -> Int {
    let pages = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
    return try pages * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
  }
}

extension Catalog {
  /// Returns the tables and views that belong neither to the classes nor to the library, GRDB or
  /// SQLite.
  fileprivate func otherTables(than schema: Schema) -> [String] {
    var own: Set<String> = [
      VersionTable.name, MigrationLedger.name, OlderWrites.name, FileOrigins.name,
    ]
    own.formUnion(HistoryTable.all)
    for object in schema.objectSchema {
      own.insert(SQLName.folded(object.className))
      own.formUnion(object.collectionTables.lazy.map { SQLName.folded($0.name) })
      for table in object.textTables {
        let start = "\(table.className).\(table.column)"
        own.formUnion(TextTable.suffixes.lazy.map { SQLName.folded(start + $0) })
      }
    }
    return items.lazy.filter { $0.type == "table" || $0.type == "view" }.map(\.name)
      .filter { !own.contains(SQLName.folded($0)) && !SQLName.folded($0).hasPrefix("sqlite_") }
      .sorted { SQLName.precedes($0, $1) }
  }
}

/// The contents of a file, read without the classes of a program:
/// ``Realm/inspection(at:encryptionKey:countingObjects:)``.
///
/// Everything is read from one snapshot.
public struct RealmInspection: Sendable, Hashable {
  /// The file.
  public let fileURL: URL

  /// The file's version; nil for a database that never had one, such as a database of another
  /// program.
  public let schemaVersion: UInt64?

  /// The classes of that version as recorded in the file, with the names of columns.
  /// ``Realm/problems(for:progress:)`` checks whether the tables still match them.
  public let schema: Schema

  /// All versions of the file, the oldest first.
  public let history: [SchemaVersion]

  /// The number of objects of each class. Classes whose table is missing are left out; if objects
  /// were not counted, the dictionary is empty.
  public let objectCounts: [String: Int]

  /// The tables and views of other programs, sorted by name.
  public let otherTables: [String]

  /// The size of the file in bytes, without its WAL.
  public let fileSize: Int

  /// The size of the WAL (write-ahead log) in bytes: changes that are not in the file itself yet.
  public let logSize: Int

  /// The number of free bytes in the file, for new objects. Compacting returns them to the system.
  public let unusedSize: Int
}
