package import Foundation
package import GRDB
import GRDBSQLite
import Synchronization

/// The opening of connections to a file, and their waiting for other processes.
package enum Connections {
  /// SQLite 3.37 introduced STRICT tables.
  static let minimumSQLiteVersion: Int32 = 3_037_000

  package static func checkSQLiteVersion() throws(RealmError) {
    guard sqlite3_libversion_number() >= minimumSQLiteVersion else {
      throw RealmError(
        .fail,
        "SQLite \(SQLiteLibrary.current.version) is too old: STRICT tables need 3.37 or "
          + "later. Install a newer libsqlite3.")
    }
  }

  /// Opens a connection that only reads.
  ///
  /// If the program may write neither the file nor its folder, and no process has the file open,
  /// SQLite treats the file as immutable.
  ///
  /// The connection is opened as read-only only if necessary: even a reader of a WAL database
  /// creates two files beside it, and only a connection that may write removes them when it closes.
  /// - Returns: The connection, and the file's appearance if the file must not change.
  static func openReader(
    _ url: URL, _ key: FileKey?, for purpose: OpenConnections.Purpose
  ) throws -> (DatabaseQueue, FileAppearance?) {
    let configuration = readerConfiguration(url, key, purpose)
    if mayTidyUp(url.path) { return (try makeTidyReader(url, key, configuration), nil) }
    return try openReadOnly(url, key, configuration)
  }

  /// Whether the program may write both the file and its folder.
  static func mayTidyUp(_ path: String) -> Bool {
    FilePermissions.allows(W_OK, path)
      && FilePermissions.allows(W_OK | X_OK, PathName.folder(of: path))
  }

  static func makeTidyReader(
    _ url: URL, _ key: FileKey?, _ configuration: Configuration
  ) throws -> DatabaseQueue {
    var configuration = configuration
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = 1") }
    return try makeQueue(url, key, configuration)
  }

  /// Opens a connection that creates no file beside a file that no process has open.
  ///
  /// - Returns: The connection, and the file's appearance if the file must not change.
  package static func openReadOnly(
    _ url: URL, _ key: FileKey?
  ) throws -> (DatabaseQueue, FileAppearance?) {
    try openReadOnly(url, key, readerConfiguration(url, key, .inspection))
  }

  /// Opens a connection that changes no byte of a file and of its WAL.
  ///
  /// The last connection that may write moves the WAL into the file when it closes, and deletes the
  /// WAL. A read-only connection can't do that, so it is used for files that have a WAL.
  package static func openChecker(_ url: URL, _ key: FileKey?) throws -> DatabaseQueue {
    let isPublication = FilePermissions(of: url)?.isReadOnly == true
    if !isPublication, isQuiet(url), !StoreFile.hasLog(url.path) {
      return try openReader(url, key, for: .inspection).0
    }
    return try openReadOnly(url, key).0
  }

  /// Opens a connection to a file that only the caller knows.
  static func openCopy(_ url: URL, _ key: FileKey?) throws -> DatabaseQueue {
    try makeQueue(url, key, configuration(key))
  }

  /// Returns a configuration that first sets the connection's key, and disables checkpoints at
  /// commits: see ``Checkpointer``.
  package static func configuration(_ key: FileKey?) -> Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try key?.unlock(db)
      sqlite3_wal_autocheckpoint(db.sqliteConnection, 0)
    }
    return configuration
  }

  /// Returns the configuration of a connection for queries, whose transactions may begin and end in
  /// separate calls.
  static func configuration(
    _ key: FileKey?, _ label: String, keeping token: OpenConnections.Token? = nil
  ) -> Configuration {
    var configuration = configuration(key)
    configuration.label = label
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { db in
      withExtendedLifetime(token) { QueryFunctions.add(to: db) }
    }
    return configuration
  }

  /// - Parameter name: The name that is passed to SQLite instead of the path.
  static func makeQueue(
    _ url: URL, as name: String? = nil, _ key: FileKey?, _ configuration: Configuration
  ) throws -> DatabaseQueue {
    do {
      return try DatabaseQueue(path: name ?? url.path, configuration: configuration)
    } catch let error as DatabaseError where key != nil && error.resultCode == .SQLITE_NOTADB {
      throw FileKey.problem(of: url, readsWithoutKey: readsWithoutKey(url))
    }
  }

  static func readsWithoutKey(_ url: URL) -> Bool {
    do {
      _ = try openReadOnly(url, nil)
      return true
    } catch {
      return false
    }
  }

  static func readerConfiguration(
    _ url: URL, _ key: FileKey?, _ purpose: OpenConnections.Purpose
  ) -> Configuration {
    var configuration = configuration(
      key, purpose == .store ? "Strata.reader" : "Strata.checker",
      keeping: OpenConnections.shared.begin(url, for: purpose))
    configuration.busyMode = .timeout(10)
    return configuration
  }

  private static func openReadOnly(
    _ url: URL, _ key: FileKey?, _ configuration: Configuration
  ) throws -> (DatabaseQueue, FileAppearance?) {
    var configuration = configuration
    configuration.readonly = true
    let appearance = FileAppearance(of: url)
    // Everything is in the main file, and no process has its WAL open.
    let isUnused = isQuiet(url) && !StoreFile.hasLog(url.path)
    let queue = try makeQueue(url, as: isUnused ? immutable(url) : nil, key, configuration)
    return (queue, isUnused ? appearance : nil)
  }

  private static func isQuiet(_ url: URL) -> Bool { StoreFile.isQuiet(url.path) }

  /// Returns a URI that declares the file immutable. SQLite then needs no other files, which
  /// couldn't be created in a read-only folder.
  static func immutable(_ url: URL) -> String {
    guard sqlite3_compileoption_used("USE_URI") != 0 else { return url.path }
    // Uses the path, because the URL may have a query, or bytes that its path doesn't encode.
    let path = url.path
    return path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
      .map { "file://\($0)?immutable=1" } ?? path
  }
}

extension Connections {
  /// Opens a connection to a file that never changes. SQLite takes no locks and creates no file
  /// beside it, so the folder may be read-only.
  package static func openPublication(_ url: URL, _ key: FileKey?) throws -> DatabaseQueue {
    var configuration = configuration(key, "Strata.replica")
    configuration.readonly = true
    return try makeQueue(url, as: immutable(url), key, configuration)
  }
}

extension Connections {
  /// Opens the writing connection of a file. Turns the file into a WAL database if necessary.
  package static func openWriter(
    _ url: URL, _ key: FileKey?, busyTimeout: BusyTimeout
  ) throws -> DatabaseQueue {
    var configuration = configuration(
      key, "Strata.writer", keeping: OpenConnections.shared.begin(url, for: .store))
    configuration.busyMode = .callback { busyTimeout.shouldWait(attempts: $0) }
    configuration.prepareDatabase(prepareWriting)
    // Not a `DatabasePool`: it creates and drops a table when it opens, and a migration that fails
    // must leave the file as it was.
    return try untilNotBusy(busyTimeout) { try makeQueue(url, key, configuration) }
  }

  /// Opens the connection with which an opening reads a file. If the file must change,
  /// ``makeWriter(of:busyTimeout:)`` turns it into the writing connection.
  ///
  /// - Returns: Nil if the program may not write the file or its folder.
  package static func openChangeable(
    _ url: URL, _ key: FileKey?, busyTimeout: BusyTimeout
  ) throws -> FileConnection? {
    guard mayTidyUp(url.path) else { return nil }
    var configuration = readerConfiguration(url, key, .store)
    configuration.busyMode = .callback { busyTimeout.shouldWait(attempts: $0) }
    return FileConnection(try makeTidyReader(url, key, configuration))
  }

  /// Turns a connection into the writing connection of its file, like
  /// ``openWriter(_:_:busyTimeout:)``.
  package static func makeWriter(
    of connection: FileConnection, busyTimeout: BusyTimeout
  ) throws -> DatabaseQueue {
    try untilNotBusy(busyTimeout) {
      try connection.queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA query_only = 0")
        try prepareWriting(db)
      }
    }
    return connection.queue
  }

  private static func prepareWriting(_ db: Database) throws {
    let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw RealmError(
        .fileAccess,
        "SQLite can't keep a write-ahead log for the file (its journal mode stays "
          + "'\(mode ?? "unknown")'). Use a file system with shared memory and locks.")
    }
    // Safe with WAL: a power failure may lose the last transactions, but never damages the file.
    try db.execute(sql: "PRAGMA synchronous = NORMAL")
    try HistoryGuard.add(to: db)
  }

  /// Repeats a closure until the file isn't busy.
  ///
  /// SQLite doesn't call the busy handler when it switches to WAL, so two processes that create a
  /// file at the same moment must retry explicitly.
  private static func untilNotBusy<Result>(
    _ busyTimeout: BusyTimeout, _ body: () throws -> Result
  ) throws -> Result {
    let start = ContinuousClock.now
    while true {
      do {
        return try body()
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && ContinuousClock.now - start < busyTimeout.limit
      {
        usleep(UInt32.random(in: 1_000...20_000))
      }
    }
  }
}

/// A connection to a file: GRDB's connection, and the statements with numbers.
///
/// Only one thread at a time may use it: a thread that has borrowed it, has its turn, or may write.
package final class FileConnection: Sendable {
  package let queue: DatabaseQueue
  /// The file of a replica; nil for other files.
  package let publication: PublishedFile?
  // guarded by: the right to use the connection.
  nonisolated(unsafe) private let statements: NumberedStatements
  /// The number of uses since the last check of ``tidy()``.
  private let uses = Atomic(0)

  /// The number of uses between two checks, and the limit of GRDB's statements in bytes.
  private static let usesBetweenLooks = 256
  private static let maxBytes = 2 << 20

  package init(_ queue: DatabaseQueue, publication: PublishedFile? = nil) {
    self.queue = queue
    self.publication = publication
    let connection = queue.unsafeReentrantRead { $0.sqliteConnection }
    guard let connection else { stopForProgrammerError("A closed connection can't be used.") }
    statements = NumberedStatements(connection)
  }

  /// Runs a closure with the statement of a text, without GRDB's queue. Only for the thread that
  /// has borrowed the connection.
  @inline(__always)
  package func borrowed<Result>(
    _ text: StatementText, _ body: (RawStatement) throws -> Result
  ) throws -> Result {
    if let number = text.number { return try body(statements.statement(text, number)) }
    return try queue.unsafeRead { try inTurn(text, $0, body) }
  }

  /// Runs the statement of a kept text up to its first row, for its effect. Only for the caller
  /// that has the connection, or its turn.
  package func run(_ text: StatementText) throws {
    try borrowed(text) { statement in
      if try statement.stepRaw() { statement.resetRaw() }
    }
  }

  /// Clears GRDB's statement cache when it takes some megabytes.
  ///
  /// The texts of conditions differ, so a program with user-defined conditions makes new ones
  /// forever. Call it only while no caller uses a statement of the connection without a reference
  /// to it.
  package func tidy() {
    // One thread at a time has the connection, so there are no concurrent increments.
    let count = uses.load(ordering: .relaxed) + 1
    uses.store(count < Self.usesBetweenLooks ? count : 0, ordering: .relaxed)
    guard count >= Self.usesBetweenLooks else { return }
    guard statements.bytes > Self.maxBytes else { return }
    queue.unsafeReentrantRead { $0.clearSchemaCache() }
  }

  package var isInTransaction: Bool { statements.isInTransaction }

  /// Runs a closure with the statement of a text, in a turn of the connection.
  package func inTurn<Result>(
    _ text: StatementText, _ db: Database, _ body: (RawStatement) throws -> Result
  ) throws -> Result {
    if let number = text.number { return try body(statements.statement(text, number)) }
    let statement = try db.freeStatement(sql: text.sql)
    return try withExtendedLifetime(statement) {
      try body(RawStatement(statement.sqliteStatement))
    }
  }
}

/// The time that a connection waits for the write lock of another process.
///
/// A migration may take much longer; another process that opens the file meanwhile waits for it
/// instead of failing.
package final class BusyTimeout: Sendable {
  package static let ordinary = Duration.seconds(10)
  package static let migration = Duration.seconds(600)

  private struct State {
    var limit: Duration
    var start: ContinuousClock.Instant?
    /// The cancellation that ends the wait.
    var cancellation: Cancellation?
  }

  private let ofWrites: Duration
  private let state: Mutex<State>
  private let isPatient = Atomic<Bool>(true)

  package init(ofWrites: Duration = ordinary, _ cancellation: Cancellation? = nil) {
    self.ofWrites = ofWrites
    state = Mutex(State(limit: ofWrites, cancellation: cancellation))
  }

  package var limit: Duration { state.withLock { $0.limit } }

  package func set(_ limit: Duration) {
    state.withLock { $0.limit = limit }
  }

  /// Ends the opening: restores the limit of an ordinary write, and ignores a later cancellation.
  package func endOpening() {
    state.withLock { $0 = State(limit: ofWrites) }
  }

  /// Runs a closure without waiting for other processes: SQLite fails at once if the file is
  /// locked.
  package func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
    isPatient.store(false, ordering: .relaxed)
    defer { isPatient.store(true, ordering: .relaxed) }
    return try body()
  }

  /// Waits as SQLite's busy handler, a little longer each time. Returns false when the limit is
  /// reached.
  func shouldWait(attempts: Int) -> Bool {
    guard isPatient.load(ordering: .relaxed) else { return false }
    let waits = state.withLock { state in
      let now = ContinuousClock.now
      if attempts == 0 { state.start = now }
      return now - (state.start ?? now) < state.limit && state.cancellation?.isCancelled != true
    }
    guard waits else { return false }
    // Rarer polls would miss the pauses of another program of the library.
    usleep(UInt32(min(1_000 * (attempts + 1), 5_000)))
    return true
  }
}
