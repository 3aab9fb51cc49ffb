package import Foundation
package import GRDB

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
