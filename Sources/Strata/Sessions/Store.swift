import Foundation
import GRDB
import Logging
import StrataStorage

/// An open file: its connections, shared by all realms of the process that show the file.
///
/// Any thread may use a store. One transaction writes at a time; reading never waits for it.
final class Store: @unchecked Sendable {
  let file: StoreFile
  let settings: StoreSettings
  let classes: StoreClasses
  let tableSet: TableSet
  let snapshots: SnapshotStore
  var clock: StampClock { snapshots.clock }
  var logger: Logger? { settings.logger }
  let readers: Readers
  /// The lookout for newer publications of a replica; nil for a file of this machine.
  let replica: ReplicaLookout?
  let sessions = SessionRegistry()
  let frozenSessions = FrozenSessions()
  let longLists = LongLists()
  let rangeAnswers = RangeAnswers()

  /// The reporter to observers; nil without observers.
  let activity: FileActivity?

  private let temporaryFolder: TemporaryFolder?
  let writer: WriteConnection
  let expectedSchema: ExpectedSchema
  // guarded by: the holder of the write queue.
  @exclusivity(unchecked) private var identities: Identities

  /// - Parameters:
  ///   - temporaryFolder: The folder of the file, for a realm in memory.
  ///   - missing: The names of the classes that a read-only file doesn't have.
  ///   - newer: The version of a file that is newer than the program; nil for other files.
  ///   - source: The source of a replica; nil for a file of this machine.
  init(
    _ file: StoreFile, _ settings: StoreSettings, _ classes: StoreClasses,
    _ connections: StoreConnections, in temporaryFolder: TemporaryFolder? = nil,
    missing: Set<String>, keepsHistory: Bool, newer: NewerFile? = nil,
    replica source: ReplicaLookout.Source? = nil, observers: ActivityObservers? = nil
  ) {
    self.file = file
    self.settings = settings
    self.classes = classes
    self.temporaryFolder = temporaryFolder
    let logger = settings.logger
    readers = connections.readers
    snapshots = SnapshotStore(readers)
    tableSet = TableSet.of(
      classes.discovered, missing: missing, readsNilAsDefault: settings.opensNewerVersions)
    identities = Identities(tables: tableSet.tables.count)
    let schema = classes.discovered.schema.stored
    expectedSchema = ExpectedSchema(
      settings.schemaVersion, openedAt: newer?.version ?? settings.schemaVersion, schema,
      program: classes.declared.schema.stored, readOnly: settings.isReadOnly, missing: missing,
      opensNewerVersions: settings.opensNewerVersions, newer?.compatibility)
    writer = WriteConnection(
      file, expectedSchema, readOnly: settings.isReadOnly,
      snapshots: snapshots, schema: schema, keepsHistory: keepsHistory,
      logger: logger, connection: connections.writer.map { FileConnection($0) },
      busyTimeout: connections.busyTimeout, observers: observers)
    replica = source.map { [writer, readers, snapshots] source in
      ReplicaLookout(
        source, schemaVersion: settings.schemaVersion, readers, snapshots, writer.log,
        logger: logger)
    }
    activity = observers.map { [writer, readers, snapshots, replica] observers in
      FileActivity(observers, file, readers, snapshots, writer, replica, logger)
    }
    activity?.start()
    if let replica {
      replica.watch()
    } else if !file.isTemporary {
      writer.watch()
    }
    if connections.writer != nil { writer.tidyUpAfterOpening() }
  }

  deinit {
    activity?.close()
    replica?.close()
    // Readers first: the last connection to close checkpoints and removes the WAL.
    readers.close()
    writer.close()
  }

  var discovered: DiscoveredSchema { classes.discovered }

  var tables: [Table] { tableSet.tables }

  func table(_ type: ObjectBase.Type) -> Table? { tableSet[type] }

  func table(className: String) -> Table? { tableSet[className] }

  /// Runs a closure with a reading connection of its own.
  func read<Result>(_ body: (Database) throws -> Result) throws(RealmError) -> Result {
    try translatingErrors(at: file.url) { try readers.read(body) }
  }

  /// The error to report. If SQL no longer fits the tables, the result says that another process
  /// has migrated the file.
  func explanation(of error: RealmError) -> RealmError {
    guard (error.underlyingError as? DatabaseError)?.resultCode == .SQLITE_ERROR else {
      return error
    }
    do throws(RealmError) {
      try read { db in
        try expectedSchema.check(db, at: file.url)
        try checkCollectionNames(db)
      }
      return error
    } catch let explanation {
      return explanation
    }
  }

  /// Whether the store can go on with a file of a version.
  func fits(_ version: UInt64?) throws(RealmError) -> Bool {
    if version == settings.schemaVersion { return true }
    guard settings.opensNewerVersions, let version, version > settings.schemaVersion else {
      return false
    }
    do throws(RealmError) {
      try read { try expectedSchema.check($0, at: file.url) }
      return true
    } catch {
      guard error.code == .newerVersion else { throw error }
      return false
    }
  }

  /// - Throws: ``RealmError`` with code `fail` if another process has added a class with the name
  ///   of a collection's table.
  private func checkCollectionNames(_ db: Database) throws {
    guard let current = try VersionTable.current(db, at: file.url) else { return }
    let schema = try VersionTable.decode(current.schema, at: file.url)
    guard discovered.named(besides: schema) !== discovered else { return }
    throw RealmError(.fail, ErrorText.collectionNameTaken, fileURL: file.url)
  }

  /// Runs a closure with the writing connection. May be called only inside of a transaction.
  func write<Result>(
    _ body: (Database, FileConnection) throws -> Result
  ) throws(RealmError) -> Result {
    try writer.use { db, connection in
      // SQLite rolls back a transaction by itself after a disk error. Later writes would be
      // committed at once.
      guard db.isInsideTransaction else {
        throw RealmError(
          .fail, "SQLite rolled back the transaction because of an error. Begin another one.",
          fileURL: file.url)
      }
      return try body(db, connection)
    }
  }

  /// Checks for commits of other processes now. Returns whether there were any.
  @discardableResult
  func refresh() throws(RealmError) -> Bool {
    try (activity?.observers.begin(.refresh)).measure { () throws(RealmError) in
      if let replica { replica.look() } else { try writer.refresh() }
    }
  }

  /// Returns an identity that no row of the table ever had. May be called only inside of a
  /// transaction.
  func nextIdentity(
    of table: Table, in transaction: WriteTransaction
  ) throws(RealmError) -> Int64 {
    try expectedSchema.checkInsertion(table.info.className, at: file.url)
    return try identities.next(of: table, countOfOthers: writer.countOfOthers, in: transaction)
  }
}

/// The classes of an open file, and how the program asked for them.
struct StoreClasses: Sendable {
  /// All classes of the file.
  let discovered: DiscoveredSchema
  /// The classes of the program.
  let declared: DiscoveredSchema
  /// Whether the program asked for every model class that it has.
  let includesAllDeclared: Bool
  let dynamic: DynamicClasses

  /// The types to request for the same classes; nil for every model class of the program, and if
  /// there are no types to request.
  var objectTypes: [ObjectBase.Type]? {
    if includesAllDeclared || dynamic == .all { return nil }
    return declared.classes.values.sorted { $0.className < $1.className }.map(\.type)
  }
}

/// The settings with which a program has opened a store.
struct StoreSettings {
  var schemaVersion: UInt64
  var isReadOnly: Bool
  /// The name of an in-memory realm, whose file is private.
  var memoryIdentifier: String?
  /// The author in the history of transactions that name none themselves.
  var author: String?
  /// The limit of kept snapshots when a transaction begins; nil for no limit.
  var maxActiveVersions: UInt?
  /// Whether the file may have a newer version than the program.
  var opensNewerVersions: Bool
  var logger: Logger?
}

/// A file of a newer version than the program's.
struct NewerFile {
  var version: UInt64
  var compatibility: Compatibility
}

/// The connections that an opening passes to a store.
struct StoreConnections {
  var readers: Readers
  /// The writing connection; nil if nothing had to be written yet.
  var writer: DatabaseQueue?
  var busyTimeout: BusyTimeout
}
