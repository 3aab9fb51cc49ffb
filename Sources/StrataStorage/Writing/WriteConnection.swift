import Foundation
package import GRDB
import Logging
package import StrataSchema
import Synchronization

/// The writing connection of a store, and the right to use it.
///
/// The connection is separate from the store, so that polling for commits of other processes on
/// another thread never keeps a released store open.
package final class WriteConnection: Sendable {
  private let file: StoreFile
  var url: URL { file.url }
  private let isReadOnly: Bool
  /// The files that a later connection must find as well.
  let presence: FilePresence
  /// The loss of these files, as far as polling has detected it.
  private let loss = Mutex(Loss.none)
  let snapshots: SnapshotStore
  var clock: StampClock { snapshots.clock }
  let busyTimeout: BusyTimeout
  let logger: Logger?
  private let connection: Mutex<Connection>
  /// Held by the user of a write transaction, who may change threads.
  package let queue = WriteQueue()
  package let log: CommitRecorder
  package let checkpointer: Checkpointer
  let checkpointQueue = DispatchQueue(label: "Strata.checkpoint", qos: .userInitiated)
  let others: OtherWriters
  /// The connection's total of changed rows when the transaction began.
  let changesBefore = Atomic(0)
  /// Nil if there are no observers.
  package let activity: WriteActivity?
  /// Polls for commits of other processes.
  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

  private enum Connection {
    case unopened
    case open(FileConnection)
    /// Permanently: a concurrent poll for other processes must not create the file again.
    case closed
  }

  private enum Loss {
    case none
    /// The loss may be temporary: the file may be in the middle of a replacement.
    case suspected
    case known(RealmError)
  }

  /// - Parameter connection: The connection, if it is open already; nil if the first use opens it.
  package init(
    _ file: StoreFile, _ expected: ExpectedSchema, readOnly: Bool, snapshots: SnapshotStore,
    schema: Schema, keepsHistory: Bool, logger: Logger?, connection: FileConnection?,
    busyTimeout: BusyTimeout, observers: ActivityObservers?
  ) {
    self.file = file
    isReadOnly = readOnly
    // Otherwise SQLite may treat the file as immutable: other processes don't notice that it is
    // open, and may delete the files beside it.
    presence = FilePresence(
      file, snapshots.readers.file, isOpen: Connections.mayTidyUp(file.path))
    self.snapshots = snapshots
    log = CommitRecorder(schema, of: file, expected, keepsHistory: keepsHistory)
    checkpointer = Checkpointer(snapshots, file, logger, observers)
    activity = observers.map { WriteActivity($0) }
    self.logger = logger
    self.busyTimeout = busyTimeout
    self.connection = Mutex(connection.map { .open($0) } ?? .unopened)
    others = OtherWriters(file, expected, snapshots, log)
  }

  /// Closes the connection and stops polling for other processes.
  package func close() {
    timer.withLock { $0?.cancel() }
    others.close()
    let last = connection.withLock { connection in
      defer { connection = .closed }
      return connection
    }
    if case .open(let last) = last {
      last.queue.unsafeReentrantWrite { db in
        checkpointer.remove(from: db)
        emptyWALIfMoved(db)
      }
    }
  }

  /// Runs a closure with the connection. Only for the holder of the queue.
  func use<Result>(_ body: (Database) throws -> Result) throws(RealmError) -> Result {
    try use { db, _ in try body(db) }
  }

  /// Runs a closure with the database and its connection, which finds statements. Only for the
  /// holder of the queue.
  package func use<Result>(
    _ body: (Database, FileConnection) throws -> Result
  ) throws(RealmError) -> Result {
    try translatingErrors(at: url) {
      let connection = try opened()
      return try connection.queue.unsafeReentrantWrite { try body($0, connection) }
    }
  }

  /// Runs a closure with the connection while no transaction is open on it.
  package func whileIdle<Result>(
    _ body: (DatabaseQueue) throws -> Result
  ) throws(RealmError) -> Result {
    guard !isReadOnly else {
      throw RealmError(
        .fail, "A read-only realm makes no changes that could be observed.", fileURL: url)
    }
    _ = try queue.enter(for: nil, url)
    // Its statements may have made the WAL long.
    defer { leaveAfterCommit() }
    others.recordUse()
    try use { try checkpointer.install(on: $0) }
    return try translatingErrors(at: url) { try body(opened().queue) }
  }

  private func opened() throws -> FileConnection {
    try connection.withLock { connection in
      switch connection {
      case .open(let connection): return connection
      case .closed: throw RealmError(.fileAccess, "The realm is closed.", fileURL: url)
      case .unopened:
        // SQLite would create a deleted file again, and would open a file that replaced it.
        guard presence.isThere else { throw presence.moved }
        let opened = FileConnection(
          try Connections.openWriter(url, file.key, busyTimeout: busyTimeout))
        guard presence.isThere else { throw presence.moved }
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

  // MARK: Others

  /// Records that code outside of the library uses the connection.
  package func recordUseByOthers() { others.recordUse() }

  /// A number that increases when others than the store's sessions may have written rows: other
  /// processes, or statements of the program.
  package var countOfOthers: UInt64 { others.count }

  /// Checks for commits of other processes now. Returns at once while a transaction is being
  /// written.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  package func refresh() throws(RealmError) -> Bool {
    guard queue.enterAtOnce() else {
      queue.revokeEndedTurns()
      return false
    }
    defer { queue.leave() }
    let before = clock.now
    if isOpen {
      try use { db in try others.notice(db) }
    } else if presence.isThere {
      // SQLite would create a missing file.
      try translatingErrors(at: url) { try others.look() }
    }
    return clock.now != before
  }

  /// Polls for commits of other processes five times a second, from now on.
  package func watch() {
    snapshots.wal.begin(fileBytes: FileNames.bytes(ofFileAt: file.path + "-wal"))
    if isReadOnly { lookNow() }
    timer.withLock { $0 = LookTimer.start { [weak self] in self?.lookNow() } }
  }

  private func lookNow() {
    recordLoss()
    do throws(RealmError) {
      try refresh()
      if !isReadOnly { try tidyUpForOthers() }
    } catch {
      logger?.debug("Looking for commits of other processes failed: \(error.loggedMessage)")
    }
    recordWALOfOthers()
    checkpointer.warnOfOldVersions()
  }

  /// The reason why there will be no further commits: the file, or a file that belongs to it, was
  /// deleted or replaced.
  package var lossOfFile: RealmError? {
    loss.withLock { if case .known(let error) = $0 { error } else { nil } }
  }

  /// Notifies the receivers of commits when two successive polls have found the file missing.
  private func recordLoss() {
    let found = presence.loss
    let (known, isNew) = loss.withLock { loss -> (RealmError?, Bool) in
      switch (loss, found) {
      case (.known(let error), _): return (error, false)
      case (_, nil): loss = .none
      case (.none, _): loss = .suspected
      case (.suspected, let error?):
        loss = .known(error)
        return (error, true)
      }
      return (nil, false)
    }
    guard let known else { return }
    log.receiver?.failed(known)
    if isNew { snapshots.commits.send() }
  }

  /// Counts the frames that other processes write to the WAL while a version of it is kept.
  private func recordWALOfOthers() {
    guard snapshots.isAnyKept, queue.enterAtOnce() else { return }
    defer { queue.leave() }
    snapshots.wal.record(fileBytes: FileNames.bytes(ofFileAt: file.path + "-wal"))
  }
}

/// The result of a check whether a file can be written.
package enum WriteProbe: Sendable {
  /// Others write, and didn't end in time.
  case busy
  /// A transaction could begin. The file has this schema version.
  case ready(version: UInt64?)
}

extension WriteConnection {
  /// Begins a transaction as soon as no other connection is writing, and rolls it back.
  package func probe(until end: ContinuousClock.Instant) throws(RealmError) -> WriteProbe {
    while !queue.enterAtOnce() {
      guard ContinuousClock.now < end else { return .busy }
      usleep(Self.pause)
    }
    defer { queue.leave() }
    repeat {
      let version = try use { db, _ -> UInt64?? in
        guard try busyTimeout.withoutWaiting({ try beginsAtOnce(db) }) else { return nil }
        let version = Result {
          try checkHasNotMoved(db)
          return try VersionTable.current(db, at: url)?.version
        }
        try db.rollback()
        return .some(try version.get())
      }
      if let version { return .ready(version: version) }
      usleep(Self.pause)
    } while ContinuousClock.now < end
    return .busy
  }

  /// In microseconds.
  private static let pause: UInt32 = 2_000
}
