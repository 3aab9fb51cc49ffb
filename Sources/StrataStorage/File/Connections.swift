package import Foundation
package import GRDB
import GRDBSQLite
import Synchronization

/// The opening of connections to a file, and how long they wait for other processes.
package enum Connections {
  /// SQLite 3.37 brought STRICT tables.
  static let minimumSQLiteVersion: Int32 = 3_037_000

  /// - Throws: ``RealmError`` with code `fail` when the SQLite library is too old.
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
  /// Where the program may write neither the file nor its folder, and no process has the file open,
  /// SQLite takes the file for one that doesn't change; the connection is good as long as that is
  /// so.
  ///
  /// It is not opened as read-only where that can be helped: even a reader of a WAL database makes
  /// two files beside it, and only a connection that may write removes them when it closes.
  /// - Returns: The connection; and how the file is where it must not change.
  static func openReader(
    _ url: URL, _ key: FileKey?, for purpose: OpenConnections.Purpose
  ) throws -> (DatabaseQueue, FileAppearance?) {
    let configuration = readerConfiguration(url, key, purpose)
    if mayTidyUp(url.path) { return (try makeTidyReader(url, key, configuration), nil) }
    return try openReadOnly(url, key, configuration)
  }

  /// Whether the program may write a file and its folder.
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

  /// Opens a connection that makes no file beside one that no process has open.
  ///
  /// - Returns: The connection; and how the file is where it must not change.
  package static func openReadOnly(
    _ url: URL, _ key: FileKey?
  ) throws -> (DatabaseQueue, FileAppearance?) {
    try openReadOnly(url, key, readerConfiguration(url, key, .look))
  }

  /// Opens a connection that leaves each byte of a file and of its WAL as it is.
  ///
  /// The last connection that may write moves the WAL into the file when it closes, and deletes it;
  /// one that may not can't tidy up, so it is for files that have a WAL.
  package static func openChecker(_ url: URL, _ key: FileKey?) throws -> DatabaseQueue {
    let isPublication = FilePermissions(of: url)?.isReadOnly == true
    if !isPublication, isQuiet(url), !StoreFile.hasLog(url.path) {
      return try openReader(url, key, for: .look).0
    }
    return try openReadOnly(url, key).0
  }

  /// Opens a connection to a file that only this caller knows of.
  static func openCopy(_ url: URL, _ key: FileKey?) throws -> DatabaseQueue {
    try makeQueue(url, key, configuration(key))
  }

  /// A configuration that gives the connection its key before everything else, and makes no
  /// checkpoint at a commit: see ``Checkpointer``.
  package static func configuration(_ key: FileKey?) -> Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try key?.unlock(db)
      sqlite3_wal_autocheckpoint(db.sqliteConnection, 0)
    }
    return configuration
  }

  /// - Parameter name: What SQLite is told in the place of the path.
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
    var configuration = configuration(key)
    configuration.label = purpose == .store ? "Strata.reader" : "Strata.checker"
    configuration.busyMode = .timeout(10)
    configuration.allowsUnsafeTransactions = true
    let token = OpenConnections.shared.begin(url, for: purpose)
    configuration.prepareDatabase { db in
      withExtendedLifetime(token) { QueryFunctions.add(to: db) }
    }
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

  /// A name that tells SQLite that the file doesn't change, which makes it need no other files:
  /// those couldn't be made in a folder that can't be written.
  static func immutable(_ url: URL) -> String {
    guard sqlite3_compileoption_used("USE_URI") != 0 else { return url.path }
    // Not what the URL is written like: it may have a query, or bytes that its path leaves encoded.
    let path = url.path
    return path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
      .map { "file://\($0)?immutable=1" } ?? path
  }
}

extension Connections {
  /// Opens a connection to a file that never changes: without locks, and without any file beside
  /// it, so that the folder need not be writable.
  package static func openPublication(_ url: URL, _ key: FileKey?) throws -> DatabaseQueue {
    var configuration = configuration(key)
    configuration.label = "Strata.replica"
    configuration.readonly = true
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { QueryFunctions.add(to: $0) }
    return try makeQueue(url, as: immutable(url), key, configuration)
  }
}

extension Connections {
  /// Opens the writing connection of a file, which becomes a WAL database if it isn't one.
  package static func openWriter(
    _ url: URL, _ key: FileKey?, busyTimeout: BusyTimeout
  ) throws -> DatabaseQueue {
    var configuration = configuration(key)
    configuration.label = "Strata.writer"
    configuration.busyMode = .callback { busyTimeout.shouldWait(attempts: $0) }
    // `beginWrite` and `commitWrite` are separate calls.
    configuration.allowsUnsafeTransactions = true
    // Not a `DatabasePool`: it makes and drops a table when it opens, and a migration that fails
    // has to leave the file as it was.
    let token = OpenConnections.shared.begin(url, for: .store)
    configuration.prepareDatabase { db in
      withExtendedLifetime(token) { QueryFunctions.add(to: db) }
      try prepareWriting(db)
    }
    return try untilNotBusy(busyTimeout) { try makeQueue(url, key, configuration) }
  }

  /// Opens the connection with which an opening looks at a file: a reading one, which
  /// ``makeWriter(of:busyTimeout:)`` turns into the writing one if the file must change.
  ///
  /// A second connection would take half of the time of an opening that has little to do.
  /// - Returns: Nil where the program may not write the file or its folder.
  package static func openChangeable(
    _ url: URL, _ key: FileKey?, busyTimeout: BusyTimeout
  ) throws -> FileConnection? {
    guard mayTidyUp(url.path) else { return nil }
    var configuration = readerConfiguration(url, key, .store)
    configuration.busyMode = .callback { busyTimeout.shouldWait(attempts: $0) }
    return FileConnection(try makeTidyReader(url, key, configuration))
  }

  /// Turns a connection into the writing one of its file, as ``openWriter(_:_:busyTimeout:)`` does.
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
    // Enough for WAL: a power failure may cost the last transactions, and never the file.
    try db.execute(sql: "PRAGMA synchronous = NORMAL")
    try HistoryGuard.add(to: db)
  }

  /// Runs a closure again until the file isn't busy.
  ///
  /// SQLite doesn't ask the busy handler when it switches to WAL, so two processes that create a
  /// file at the same moment must try again by hand.
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
