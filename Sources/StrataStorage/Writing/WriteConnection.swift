import Foundation
package import GRDB
import GRDBSQLite
import Logging
package import StrataSchema
import Synchronization

/// The writing connection of a store, and the right to use it.
///
/// Apart from the store, so that looking for the commits of other processes, which happens on a
/// thread of its own, never keeps a released store open.
package final class WriteConnection: Sendable {
  private let file: StoreFile
  var url: URL { file.url }
  private let isReadOnly: Bool
  let snapshots: SnapshotStore
  private var clock: StampClock { snapshots.clock }
  let busyTimeout: BusyTimeout
  let logger: Logger?
  private let connection: Mutex<Connection>
  /// Held by the user of a write transaction, which may change threads.
  package let queue = WriteQueue()
  package let log: CommitRecorder
  package let checkpointer: Checkpointer
  let checkpointQueue = DispatchQueue(label: "Strata.checkpoint", qos: .userInitiated)
  let others: OtherWriters
  /// How many rows the connection had changed when the transaction began.
  private let changesBefore = Atomic(0)
  /// Nil where nobody wants to hear of it.
  package let activity: WriteActivity?
  /// Looks for commits of other processes.
  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

  private enum Connection {
    case unopened
    case open(FileConnection)
    /// For good: a concurrent look for other processes must not create the file again.
    case closed
  }

  /// - Parameter connection: The connection, if it is open already; nil if the first use opens it.
  package init(
    _ file: StoreFile, schemaVersion: UInt64, readOnly: Bool, snapshots: SnapshotStore,
    schema: Schema, keepsHistory: Bool, logger: Logger?, connection: FileConnection?,
    busyTimeout: BusyTimeout, observers: ActivityObservers?
  ) {
    self.file = file
    isReadOnly = readOnly
    self.snapshots = snapshots
    log = CommitRecorder(schema, of: file, keepsHistory: keepsHistory)
    checkpointer = Checkpointer(snapshots, file.url, logger, observers)
    activity = observers.map { WriteActivity($0) }
    self.logger = logger
    self.busyTimeout = busyTimeout
    self.connection = Mutex(connection.map { .open($0) } ?? .unopened)
    others = OtherWriters(file, schemaVersion: schemaVersion, snapshots, log)
  }

  /// Closes the connection and stops looking for other processes.
  package func close() {
    timer.withLock { $0?.cancel() }
    others.close()
    let last = connection.withLock { connection in
      defer { connection = .closed }
      return connection
    }
    if case .open(let last) = last {
      last.queue.unsafeReentrantWrite { checkpointer.remove(from: $0) }
    }
  }

  /// Runs a closure with the connection. Only for the holder of the queue.
  func use<Result>(_ body: (Database) throws -> Result) throws(RealmError) -> Result {
    try use { db, _ in try body(db) }
  }

  /// Runs a closure with the connection and what finds its statements. Only for the holder of the
  /// queue.
  package func use<Result>(
    _ body: (Database, FileConnection) throws -> Result
  ) throws(RealmError) -> Result {
    try translatingErrors(at: url) {
      let connection = try opened()
      return try connection.queue.unsafeReentrantWrite { try body($0, connection) }
    }
  }

  /// Gives the connection to a closure while no transaction is open on it.
  package func whileIdle<Result>(
    _ body: (DatabaseQueue) throws -> Result
  ) throws(RealmError) -> Result {
    guard !isReadOnly else {
      throw RealmError(
        .fail, "A read-only realm makes no changes that could be observed.", fileURL: url)
    }
    _ = try queue.enter(for: nil, url)
    defer { queue.leave() }
    others.noteUse()
    return try translatingErrors(at: url) { try body(opened().queue) }
  }

  private func opened() throws -> FileConnection {
    try connection.withLock { connection in
      switch connection {
      case .open(let connection): return connection
      case .closed: throw RealmError(.fileAccess, "The realm is closed.", fileURL: url)
      case .unopened:
        let opened = FileConnection(
          try Connections.openWriter(url, file.key, busyTimeout: busyTimeout))
        connection = .open(opened)
        return opened
      }
    }
  }

  package var isOpen: Bool {
    connection.withLock { connection in
      if case .unopened = connection { false } else { true }
    }
  }

  // MARK: Transactions

  /// Waits for the other writers, and begins a transaction.
  package func begin(_ user: any WriteUser) throws(RealmError) {
    let asking = activity?.asks()
    do throws(RealmError) {
      guard try !queue.enter(for: user, url) else {
        // It was begun for a turn of the same user, which waits again.
        if let asking { activity?.began(asking) }
        return
      }
    } catch {
      asking?.failed(error)
      throw error
    }
    do {
      try beginNow(for: asking)
    } catch {
      queue.leave()
      throw error
    }
  }

  /// A turn to write, which ``WriteQueue/ask(_:by:_:)`` asks for.
  package func turn(of user: any WriteUser, wake: @escaping @Sendable () -> Void) -> WriteTurn {
    let asking = activity?.asks()
    return WriteTurn(
      user,
      begin: { [self] () throws(RealmError) in try beginNow(for: asking) },
      rollBack: { [self] in
        activity?.tookAway()
        do throws(RealmError) {
          try rollbackNow()
        } catch {
          logger?.error("Rolling back failed: \(error.loggedMessage)")
        }
      }, wake: wake)
  }

  private func beginNow(for asking: RunningActivity?) throws(RealmError) {
    do throws(RealmError) {
      try beginNow()
    } catch {
      asking?.failed(error)
      throw error
    }
    if let asking { activity?.began(asking) }
  }

  private func beginNow() throws(RealmError) {
    try use { db, connection in
      try run(Self.beginning, db, connection)
      do {
        try checkHasNotMoved(db)
        try others.notice(db)
        try log.begin(db)
        try checkpointer.install(on: db)
        changesBefore.store(db.totalChangesCount, ordering: .relaxed)
      } catch {
        try db.rollback()
        throw error
      }
    }
  }

  private static let beginning = StatementText("BEGIN IMMEDIATE TRANSACTION")
  private static let end = StatementText("COMMIT TRANSACTION")

  /// Runs a statement that begins or ends a transaction, of which GRDB's observers hear.
  private func run(_ text: StatementText, _ db: Database, _ connection: FileConnection) throws {
    guard !others.haveHadConnection else {
      return try db.cachedStatement(sql: text.sql).execute()
    }
    _ = try connection.inTurn(text, db) { try $0.stepRaw() }
  }

  /// A deleted or replaced file continues to exist for the connections that have it open: their
  /// writes are lost with the last of them.
  private func checkHasNotMoved(_ db: Database) throws(RealmError) {
    var hasMoved: CInt = 0
    let result = sqlite3_file_control(
      db.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard result == SQLITE_OK, hasMoved != 0 else { return }
    // SQLite looks for the file by its name, and can't tell a file that is gone from one that it
    // may not see.
    guard !FileNames.isOutOfReach(url) else {
      throw RealmError(
        .filePermissionDenied,
        "The file at path '\(url.path)' can't be reached any more: \(FileReason.text(EACCES)) Allow the "
          + "program to enter its folder again, and repeat the transaction.", fileURL: url)
    }
    throw RealmError(
      .fileNotFound,
      "The file at path '\(url.path)' was deleted, moved or replaced while it was open: new changes "
        + "would be lost. Release all realms of the path, and open it again.", fileURL: url)
  }

  /// Commits; on an error the transaction is rolled back.
  ///
  /// - Parameters:
  ///   - changed: The tables with changes that GRDB's observers haven't seen.
  ///   - details: What is known of the changes beside the rows that they touched.
  package func commit(
    changed: @autoclosure () -> [String], _ details: CommitDetails
  ) throws(RealmError) -> CommittedTransaction {
    defer { leaveAfterCommit() }
    do {
      let committed = try use { db, connection in
        if others.haveHadConnection { try tellObservers(changed(), db) }
        let changedRows = db.totalChangesCount - changesBefore.load(ordering: .relaxed)
        let number = try commit(db, connection, details)
        return CommittedTransaction(number: number, changedRows: changedRows)
      }
      activity?.committed(rows: committed.changedRows, author: details.author)
      return committed
    } catch {
      activity?.rolledBack(because: error, author: details.author)
      do {
        try rollbackNow()
      } catch let second {
        logger?.error("Rolling back failed as well: \(second.loggedMessage)")
      }
      throw error
    }
  }

  /// Tells GRDB's observers, which see statements of GRDB only.
  private func tellObservers(_ changed: [String], _ db: Database) throws {
    // GRDB asks SQLite for the columns of the table, with a name that ends at a quotation mark.
    for table in changed where !table.contains("\"") {
      try db.notifyChanges(in: GRDB.Table(table))
    }
  }

  private func commit(
    _ db: Database, _ connection: FileConnection, _ details: CommitDetails
  ) throws -> UInt64 {
    let end = { [self] in try run(Self.end, db, connection) }
    let changes = try log.end(
      db, connection, details, mayBeUndone: others.haveHadConnection,
      readCommitted: snapshots.readCommitted)
    guard let receiver = log.receiver else { return try snapshots.commit(end) }
    return try snapshots.commit(end) { snapshot in
      do {
        let snapshot = try snapshot.get()
        // Another process may have committed before the snapshot began.
        let isAlone = try !self.others.haveCommitted(db)
        receiver.receive(
          Commit(snapshot: snapshot, changes: isAlone ? changes : nil, details: details))
      } catch {
        receiver.missed(error)
      }
    }
  }

  package func rollback() throws(RealmError) {
    defer { queue.leave() }
    defer { clock.advance() }
    activity?.rolledBack()
    try rollbackNow()
  }

  private func rollbackNow() throws(RealmError) {
    try use { db in
      if db.isInsideTransaction { try db.rollback() }
    }
  }

  /// Runs a closure that deletes, and returns the rows that it deleted from a table; nil, without
  /// running it, where that isn't known: SQLite may lack the hook, or code that isn't the library's
  /// have taken it.
  package func deletedRows(
    of table: String, on db: Database, _ body: () throws -> Void
  ) rethrows -> RowSet? {
    guard ChangeHook.isAvailable, !others.haveHadConnection else { return nil }
    return try log.deletedRows(of: table, on: db, body)
  }

  /// Runs a statement that sets some properties of objects: see ``CommitRecorder``.
  package func updating(
    _ className: String, slots: UInt64, columns: () -> [String], _ body: () throws -> Void
  ) rethrows {
    try log.updating(className, slots: slots, columns, body)
  }

  // MARK: Others

  /// Notes that code which isn't the library's has the connection.
  package func noteUseByOthers() { others.noteUse() }

  /// A number that grows when rows may have been written by others than the sessions of the store:
  /// by other processes, or by statements of the program.
  package var countOfOthers: UInt64 { others.count }

  /// Looks for commits of other processes now. Returns at once when a transaction is being written.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  package func refresh() throws(RealmError) -> Bool {
    guard queue.enterAtOnce() else {
      queue.takeFromEnded()
      return false
    }
    defer { queue.leave() }
    let before = clock.now
    if isOpen {
      try use { db in try others.notice(db) }
    } else {
      try translatingErrors(at: url) { try others.look() }
    }
    return clock.now != before
  }

  /// Looks for commits of other processes five times a second, from now on.
  package func watch() {
    if isReadOnly { lookNow() }
    timer.withLock { $0 = LookTimer.start { [weak self] in self?.lookNow() } }
  }

  private func lookNow() {
    do throws(RealmError) {
      try refresh()
    } catch {
      logger?.debug("Looking for commits of other processes failed: \(error.loggedMessage)")
    }
  }
}
