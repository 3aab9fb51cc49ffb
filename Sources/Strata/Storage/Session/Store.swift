import Foundation
import GRDB
import Logging
import Synchronization

/// An open file: its connections, shared by all realms of the process that show it.
///
/// Any thread may use a store. One transaction writes at a time; reading never waits for it.
final class Store: @unchecked Sendable {
  let file: StoreFile
  let schemaVersion: UInt64
  let discovered: DiscoveredSchema
  /// Whether the program asked for every model class that it has.
  let opensAllClasses: Bool
  let isReadOnly: Bool
  let tables: [Table]
  let clock = StampClock()
  let logger: Logger?
  let readers: Readers
  private let patience: Patience

  private let tablesByType: [ObjectIdentifier: Table]
  private let tablesByName: [String: Table]
  private let temporaryFolder: TemporaryFolder?
  private let writer = Mutex<DatabaseQueue?>(nil)
  /// Held by the realm that is in a write transaction, on whatever thread it goes on.
  private let gate = DispatchSemaphore(value: 1)
  private var foreignCommits: (any DispatchSourceTimer)?
  private let lastDataVersion = Mutex<Int64?>(nil)
  /// The next identity of each table, for the one who holds the gate. Only ever grows: a row that
  /// was rolled back does not leave its identity to another.
  @exclusivity(unchecked) private var nextIdentities: [Int64]
  private var knowsIdentities: [Bool]

  init(
    file: StoreFile, temporaryFolder: TemporaryFolder?, discovered: DiscoveredSchema,
    opensAllClasses: Bool, schemaVersion: UInt64, readOnly: Bool, missingClasses: Set<String>,
    logger: Logger?,
    readers: Readers, writer: DatabaseQueue?, patience: Patience
  ) {
    self.patience = patience
    self.file = file
    self.temporaryFolder = temporaryFolder
    self.discovered = discovered
    self.schemaVersion = schemaVersion
    self.logger = logger
    isReadOnly = readOnly
    self.opensAllClasses = opensAllClasses
    self.readers = readers
    tables = discovered.classes.values.sorted { $0.className < $1.className }.enumerated().map {
      Table($1, index: $0, exists: !missingClasses.contains($1.className))
    }
    tablesByType = Dictionary(
      uniqueKeysWithValues: tables.map { (ObjectIdentifier($0.info.type), $0) })
    tablesByName = Dictionary(uniqueKeysWithValues: tables.map { ($0.info.className, $0) })
    nextIdentities = Array(repeating: 1, count: tables.count)
    knowsIdentities = Array(repeating: false, count: tables.count)
    self.writer.withLock { $0 = writer }
    if !file.isTemporary { watchForeignCommits() }
  }

  deinit {
    foreignCommits?.cancel()
    // Readers first: the last connection to close checkpoints and removes the log.
    readers.close()
    writer.withLock { $0 = nil }
  }

  func table(_ type: ObjectBase.Type) -> Table? { tablesByType[ObjectIdentifier(type)] }

  func table(named name: String) -> Table? { tablesByName[name] }

  /// Runs a closure with a reading connection of its own.
  func read<Result>(_ body: (Database) throws -> Result) throws(RealmError) -> Result {
    try translatingErrors(at: file.url) { try readers.read(body) }
  }

  /// Runs a closure with the writing connection. Only for the one who holds the gate.
  func write<Result>(_ body: (Database) throws -> Result) throws(RealmError) -> Result {
    try translatingErrors(at: file.url) { try openedWriter().unsafeReentrantWrite(body) }
  }

  private func openedWriter() throws -> DatabaseQueue {
    try writer.withLock { writer in
      if let writer { return writer }
      let opened = try Connections.openWriter(path: file.path, patience: patience)
      writer = opened
      return opened
    }
  }

  // MARK: Transactions

  /// Waits for the other writers, and begins a transaction.
  func beginTransaction() throws(RealmError) {
    gate.wait()
    do {
      for index in knowsIdentities.indices { knowsIdentities[index] = false }
      try write { db in
        try db.beginTransaction(.immediate)
        do {
          try noticeForeignCommits(db)
        } catch {
          try db.rollback()
          throw error
        }
      }
    } catch {
      gate.signal()
      throw error
    }
  }

  /// Commits; on an error the transaction is rolled back.
  ///
  /// - Parameter changed: The tables with changes that GRDB's observers haven't seen.
  func commit(changed: [Table]) throws(RealmError) {
    defer { gate.signal() }
    do {
      try write { db in
        for table in changed { try db.notifyChanges(in: GRDB.Table(table.info.className)) }
        try db.commit()
      }
      clock.advance()
    } catch {
      clock.advance()
      try rollbackKeeping(error)
    }
  }

  func rollback() throws(RealmError) {
    defer { gate.signal() }
    defer { clock.advance() }
    try write { db in
      if db.isInsideTransaction { try db.rollback() }
    }
  }

  private func rollbackKeeping(_ error: RealmError) throws(RealmError) -> Never {
    do {
      try write { db in
        if db.isInsideTransaction { try db.rollback() }
      }
    } catch {
      logger?.error("Rolling back failed as well: \(error.loggedMessage)")
    }
    throw error
  }

  /// An identity that no row of the table ever had. Only for the one who holds the gate.
  func nextIdentity(of table: Table) throws(RealmError) -> Int64 {
    if !knowsIdentities[table.index] {
      let sql = """
        SELECT max(
          ifnull((SELECT seq FROM sqlite_sequence WHERE name = ?), 0),
          ifnull((SELECT max(\(table.identity)) FROM \(table.name)), 0))
        """
      let last = try write { try Int64.fetchOne($0, sql: sql, arguments: [table.info.className]) }
      nextIdentities[table.index] = max(nextIdentities[table.index], (last ?? 0) &+ 1)
      knowsIdentities[table.index] = true
    }
    let next = nextIdentities[table.index]
    guard next > 0, next < .max else {
      throw RealmError(
        .fail,
        "Table '\(table.info.className)' has given away its last identity: its greatest "
          + "'\(table.schema.identityColumn)' is \(Int64.max). Give that row a smaller one.",
        fileURL: file.url)
    }
    nextIdentities[table.index] = next + 1
    return next
  }

  // MARK: Other processes

  /// Advances the clock when another process has committed since the last look.
  ///
  /// `PRAGMA data_version` on the writing connection changes for the commits of others only.
  private func noticeForeignCommits(_ db: Database) throws {
    let version = try Int64.fetchOne(db, sql: "PRAGMA data_version")
    let changed = lastDataVersion.withLock { last in
      defer { last = version }
      // The first look counts as a change: somebody may have written since the file was opened.
      return last != version
    }
    guard changed else { return }
    clock.advance()
    db.clearSchemaCache()
    let current = try VersionTable.current(db, at: file.url)
    guard current?.version == schemaVersion else {
      throw RealmError(
        .fail,
        "Unsupported schema changes were made by another client or process: the file is at schema "
          + "version \(current.map { "\($0.version)" } ?? "none") now, and was opened at "
          + "\(schemaVersion). Close the realm and open it with the new version.",
        fileURL: file.url)
    }
  }

  /// Looks for commits of other processes now. Returns at once when a transaction is being written.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  func refresh() throws(RealmError) -> Bool {
    guard gate.wait(timeout: .now()) == .success else { return false }
    defer { gate.signal() }
    let before = clock.now
    if isReadOnly {
      clock.advance()
    } else {
      try write { db in try noticeForeignCommits(db) }
    }
    return clock.now != before
  }

  /// Looks for commits of other processes five times a second.
  private func watchForeignCommits() {
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(deadline: .now() + 0.2, repeating: 0.2, leeway: .milliseconds(50))
    timer.setEventHandler { [weak self] in
      do throws(RealmError) {
        try self?.refresh()
      } catch {
        self?.logger?.debug("Looking for commits of other processes failed: \(error.loggedMessage)")
      }
    }
    timer.resume()
    foreignCommits = timer
  }
}
