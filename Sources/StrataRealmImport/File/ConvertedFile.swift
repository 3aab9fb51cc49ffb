import Foundation
import GRDB
import StrataSchema
import StrataStorage
import Synchronization

/// The file that a conversion writes, until it is complete.
struct ConvertedFile {
  let db: Database
  let schema: Schema

  /// Opens a new file for writing at full speed. If the computer stops meanwhile, the file is
  /// removed.
  static func open(_ url: URL, _ key: FileKey?) throws -> DatabaseQueue {
    var configuration = configuration(key)
    configuration.prepareDatabase { db in
      // A WAL would have to be merged, and the pages of a new file need no journal.
      try db.execute(
        sql: """
          PRAGMA journal_mode = MEMORY;
          PRAGMA synchronous = OFF;
          PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA cache_size = -\(cacheKilobytes);
          """)
    }
    return try DatabaseQueue(path: url.path, configuration: configuration)
  }

  static func configuration(_ key: FileKey?) -> Configuration {
    var configuration = Connections.configuration(key)
    configuration.label = "Strata.conversion"
    configuration.foreignKeysEnabled = false
    return configuration
  }

  private static let cacheKilobytes = 8_000

  /// Runs a closure in one transaction, and adds the version to GRDB's ledger.
  static func migrate<Result: Sendable>(
    _ queue: DatabaseQueue, to version: UInt64, _ body: @escaping (Database) throws -> Result
  ) throws -> Result {
    // The closure runs before the call returns, while this thread waits.
    nonisolated(unsafe) let body = body
    var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
    let result = Mutex<Result?>(nil)
    migrator.registerMigration("\(MigrationLedger.prefix)\(version)") { db in
      let made = try body(db)
      result.withLock { $0 = made }
    }
    try migrator.migrate(queue)
    guard let made = result.withLock({ $0 }) else {
      throw RealmError(.fail, "The new file has been written by another program meanwhile.")
    }
    return made
  }

  /// Creates the tables without indexes, which are created faster after all rows were inserted.
  func createTables() throws {
    for item in schema.stored.objectSchema {
      try db.execute(sql: TableSQL.create(item))
      for table in item.collectionTables { try db.execute(sql: table.createTable()) }
    }
  }

  /// Creates indexes, primary keys, triggers and full-text indexes.
  func createIndexes(
    _ notes: ConversionNotes, keys: (_ className: String) throws -> ObjectKeys
  ) throws {
    for item in schema.stored.objectSchema {
      do {
        for sql in IndexSQL.createAll(of: item) { try db.execute(sql: sql) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        guard let property = item.primaryKey else { throw error }
        let keys = try keys(item.className)
        for identity in try duplicates(item, property) {
          let object = keys.key(of: identity)
          notes.refuse(
            ConversionFinding(
              .duplicateKey, className: item.className, property: property, objectKey: object))
        }
      }
    }
    guard !notes.isRefused else { return }
    try HelperItems.make(of: schema, in: db)
  }

  /// Returns the identities of objects whose primary key an earlier object has.
  private func duplicates(_ item: ObjectSchema, _ property: String) throws -> [Int64] {
    let identity = SQLName.quote(item.identityColumn)
    let table = SQLName.quote(item.className)
    return try Int64.fetchAll(
      db,
      sql: """
        SELECT \(identity) FROM \(table) WHERE \(identity) NOT IN
          (SELECT min(\(identity)) FROM \(table) GROUP BY \(SQLName.quote(property)))
        ORDER BY 1
        """)
  }

  /// Counts the rows of a class, and compares them with the objects that were read.
  func count(_ counts: inout ConversionReport.Class) throws {
    guard let item = schema.stored[counts.name] else { return }
    let links = item.properties.filter(\.isStoredInColumn).compactMap { property -> String? in
      let column = SQLName.quote(property.columnName)
      if property.type == .object { return "count(\(column))" }
      guard let type = property.typeColumnName.map(SQLName.quote) else { return nil }
      return "coalesce(sum(\(type) < 'a'), 0)"
    }
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT \((["count(*)"] + links).joined(separator: ", ")) FROM \(SQLName.quote(counts.name))
        """)
    guard let row else { return }
    counts.written.objects = row[0]
    counts.written.links = links.indices.reduce(0) { $0 + (row[$1 + 1] as Int) }
    for table in item.collectionTables {
      counts.written.elements +=
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(SQLName.quote(table.name))") ?? 0
    }
    // Two elements of a set can become equal.
    if item.collectionTables.contains(where: { $0.kind == .set }) {
      let missing = counts.read.elements - counts.leftOut.elements - counts.written.elements
      counts.leftOut.elements += max(0, missing)
    }
    guard counts.read == counts.leftOut + counts.written else {
      throw RealmError(
        .fail,
        "The counts of class '\(counts.name)' don't add up: \(counts.read) were read, "
          + "\(counts.leftOut) left out, and \(counts.written) written. No new file was made. "
          + "Please report this bug.")
    }
  }
}

extension ConversionReport.Counts: CustomStringConvertible {
  /// A text such as `3 objects, 2 links, 8 elements`.
  public var description: String { "\(objects) objects, \(links) links, \(elements) elements" }
}
