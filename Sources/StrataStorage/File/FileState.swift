package import Foundation
package import GRDB
package import StrataSchema
import Synchronization

/// The state of a file, as stored in it: its version, the schema of that version, and its catalog.
package struct FileState {
  /// Nil for a file that never had a schema: an empty file, or a file of another library.
  package var version: UInt64?
  /// The schema at that version, with the tables of classes that were removed since.
  package var schema: Schema
  /// The record of the version, with the retired properties.
  package var record: SchemaRecord
  /// The schema as text, for comparing without decoding.
  package var schemaJSON: String
  package var catalog: Catalog
  /// The present classes with their retired properties.
  package var schemaWithRetired: Schema {
    var record = record
    record.schema = schema
    return record.schemaWithRetired
  }
  /// The settings of the history that the file keeps; nil if there is no history.
  package var history: HistorySettings? { catalog.history }
  /// Whether triggers, or indexes that always exist, are missing or changed. The next opening for
  /// writing creates them again.
  package var needsRepair = false
  /// Whether older programs may have added or changed objects: see ``OlderWrites``.
  package var mayHaveOlderWrites = false
  /// The moment at which a connection read the state; nil if unknown.
  var moment: FileMoment?

  package static let missing = FileState(
    version: nil, schema: Schema([]), record: SchemaRecord(Schema()), schemaJSON: "",
    catalog: Catalog(items: []))

  /// Reads the state in one transaction.
  ///
  /// - Throws: ``RealmError`` with code `invalidDatabase` if version table and catalog don't match.
  package static func read(_ db: Database, at url: URL) throws -> FileState {
    try db.readingOneVersion {
      let catalog = try Catalog.readWithoutColumns(db)
      let moment = FileMoment(db)
      // The columns of other programs' tables are never needed.
      var state = missing
      state.catalog = catalog
      if catalog.hasTable(VersionTable.name), let current = try VersionTable.current(db, at: url) {
        state = try of(current, catalog, db, at: url)
      }
      state.moment = moment
      return state
    }
  }

  /// Returns the state on a connection that has just begun a transaction: this state if nothing
  /// was written since it was read, otherwise the file's present state.
  package func now(_ db: Database, at url: URL) throws -> FileState {
    if let moment, moment.isNow(on: db) { return self }
    db.clearSchemaCache()
    return try Self.read(db, at: url)
  }

  /// Returns the state of a file with a version.
  ///
  /// - Parameter catalog: The items and the history of the file. Its columns are read if necessary.
  /// - Throws: ``RealmError`` with code `invalidDatabase` if they don't match each other.
  package static func of(
    _ current: (version: UInt64, schema: String), _ catalog: Catalog, _ db: Database, at url: URL
  ) throws -> FileState {
    let known = recent.withLock { recent in
      recent.first {
        $0.version == current.version && $0.schemaJSON == current.schema
          && $0.catalog.items == catalog.items && $0.history == catalog.history
      }
    }
    if let known { return known }
    var catalog = catalog
    catalog.columns = try Catalog.readColumns(db)
    let record = try VersionTable.decodeRecord(current.schema, at: url)
    let all = record.schemaWithRetired
    let problems =
      CatalogCheck.problems(stored: all, columns: catalog.columns)
      + catalog.missingPrimaryKeys(of: record.schema)
    guard problems.isEmpty else {
      throw RealmError(
        .invalidDatabase,
        "Realm file at path '\(url.path)' has been changed by another program:"
          + problems.map { "\n- \($0)" }.joined()
          + "\nRestore the missing parts, or the file from a backup.", fileURL: url)
    }
    let state = FileState(
      version: current.version, schema: catalog.withPresentIndexes(record.schema), record: record,
      schemaJSON: current.schema, catalog: catalog,
      needsRepair: !HelperItems(of: all, in: catalog).areRight || catalog.lacksHistoryTable,
      mayHaveOlderWrites: catalog.hasTable(OlderWrites.name))
    recent.withLock { $0 = [state] + $0.prefix(maxRecent - 1) }
    return state
  }

  /// The last results. They depend only on the version, the schema and the items of a catalog, and
  /// computing them takes much longer than reading these.
  private static let recent = Mutex<[FileState]>([])
  private static let maxRecent = 4
}
