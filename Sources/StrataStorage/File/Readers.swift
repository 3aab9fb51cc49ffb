package import Foundation
package import GRDB
import Synchronization

/// The reading connections of a store. A thread borrows one, uses it alone, and gives it back.
///
/// Each statement on a reader sees the newest committed state. An unfinished statement continues to
/// see the state in which it began.
package final class Readers: Sendable {
  struct Pool {
    var idle: [FileConnection] = []
    /// The file that a replica shows; nil for other files.
    var publication: PublishedFile?
    /// The number of connections that were opened in advance.
    var reserved = 0
    /// The appearances of the file when the connections were opened that treat it as immutable.
    var appearances: [ObjectIdentifier: FileAppearance] = [:]
    /// The file of a store. Later connections must open the same file, and not a file that has
    /// replaced it under its name.
    var file: FileNumber?
  }

  private let url: URL
  let key: FileKey?
  private let purpose: OpenConnections.Purpose
  let pool: Mutex<Pool>
  /// Checks for a newer file of a replica when its present file was deleted.
  let checkForNewerFile = Mutex<(@Sendable () -> Void)?>(nil)
  /// The number of idle connections that are kept. Others are closed when they are given back.
  private static let keptIdle = 8

  package init(_ url: URL, _ key: FileKey?, for purpose: OpenConnections.Purpose) {
    self.url = url
    self.key = key
    self.purpose = purpose
    pool = Mutex(Pool())
  }

  /// Creates the connections of a replica, with its first file.
  package init(showing file: PublishedFile, _ key: FileKey?) {
    url = file.url
    self.key = key
    purpose = .store
    pool = Mutex(Pool(publication: file))
  }

  /// The file that a replica shows; nil for other files.
  package var publication: PublishedFile? { pool.withLock { $0.publication } }

  /// Returns a connection for exclusive use; give it back with ``giveBack(_:)``.
  ///
  /// - Parameter checksForNewerFile: Whether a replica whose file was deleted may check for a newer
  ///   one. False while no commit may happen.
  package func borrow(checksForNewerFile: Bool = true) throws -> FileConnection {
    while let (connection, appearance) = popIdle() {
      if appearance == nil || appearance == FileAppearance(of: url) { return connection }
      forget(connection)
    }
    if let file = publication {
      return try borrowPublished(file, checksForNewerFile: checksForNewerFile)
    }
    try checkFile()
    // Chooses the kind of connection each time, because the conditions may have changed: for
    // example, the file may have been deleted.
    let (queue, appearance) = try Connections.openReader(url, key, for: purpose)
    try checkFile()
    let connection = FileConnection(queue)
    if let appearance {
      pool.withLock { $0.appearances[ObjectIdentifier(connection)] = appearance }
    }
    return connection
  }

  /// Throws if the file was deleted, moved or replaced: SQLite would create a deleted file again,
  /// or read the file that replaced it.
  private func checkFile() throws(RealmError) {
    guard !showsNamedFile, !FileNames.isOutOfReach(url) else { return }
    throw RealmError(
      .fileNotFound,
      "The file at path '\(url.path)' was deleted, moved or replaced while it was open, and no further "
        + "connection to it can be opened. Release all realms of the path, and open it again.",
      fileURL: url)
  }

  private func popIdle() -> (FileConnection, FileAppearance?)? {
    pool.withLock { pool in
      pool.idle.popLast().map { ($0, pool.appearances[ObjectIdentifier($0)]) }
    }
  }

  private func forget(_ connection: FileConnection) {
    pool.withLock { $0.appearances[ObjectIdentifier(connection)] = nil }
  }

  package func giveBack(_ connection: FileConnection) {
    connection.tidy()
    pool.withLock { pool in
      if connection.publication === pool.publication,
        pool.idle.count < max(Self.keptIdle, pool.reserved)
      {
        pool.idle.append(connection)
      } else {
        pool.appearances[ObjectIdentifier(connection)] = nil
      }
    }
  }

  /// The file that the connections have open; nil if unknown yet, and for a replica.
  var file: FileNumber? { pool.withLock { $0.file } }

  /// Records the file that has the name now. All connections must open it from now on.
  package func recordFile() { pool.withLock { $0.file = FileNumber(url.path) } }

  /// Whether the recorded file still has the name.
  package var showsNamedFile: Bool { file.map { $0 == FileNumber(url.path) } ?? true }

  /// Opens an idle connection if necessary, so that the file stays readable after it is renamed or
  /// unlinked.
  package func keepOne() throws {
    if file == nil { recordFile() }
    giveBack(try borrow())
  }

  /// Runs a closure with a borrowed connection.
  package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    let connection = try borrow()
    defer { giveBack(connection) }
    return try connection.queue.unsafeRead(body)
  }

  /// Runs a closure with the statement of a text, on a borrowed connection.
  package func read<Result>(
    _ text: StatementText, _ body: (RawStatement) throws -> Result
  ) throws -> Result {
    let connection = try borrow()
    defer { giveBack(connection) }
    return try connection.borrowed(text, body)
  }

  package func close() {
    // Outside of the lock, because closing takes time.
    let idle = pool.withLock { pool in
      defer { pool.idle.removeAll() }
      return pool.idle
    }
    withExtendedLifetime(idle) {}
  }
}

extension Readers {
  /// Runs a closure with a connection that keeps seeing the present state of the file.
  ///
  /// The closure must return before the commit: while it reads, the WAL can't be checkpointed.
  package func readSnapshot<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try read { old in
      old.clearSchemaCache()
      return try old.readingOneVersion {
        // The first read fixes the snapshot. No other connection can have committed since the lock
        // was taken.
        _ = try Int.fetchOne(old, sql: "SELECT count(*) FROM sqlite_schema")
        return try body(old)
      }
    }
  }
}

/// The reading connections of a replica, which shows one file after the other.
extension Readers {
  /// The least number of idle connections. A file may be deleted at any time, and then no further
  /// connection can be opened.
  static let reserved = 4
  /// The least number of idle connections to a file that has been replaced in the folder, but is
  /// still shown.
  static let reservedForLong = 16

  private static let longestWait = Duration.seconds(5)
  private static let maxAttempts = 3

  /// Opens a connection to a file that isn't shown yet.
  package func openCandidate(_ file: PublishedFile) throws -> FileConnection {
    FileConnection(try Connections.openPublication(file.url, key), publication: file)
  }

  /// Shows another file from now on. A connection to the previous file is closed when it is given
  /// back.
  ///
  /// - Returns: Connections to be released outside of all locks, because closing takes time.
  package func exchange(with connection: FileConnection) -> [FileConnection] {
    pool.withLock { pool in
      defer {
        pool.publication = connection.publication
        pool.idle = [connection]
        pool.reserved = 0
      }
      return pool.idle
    }
  }

  /// Opens connections in advance, while the file exists.
  ///
  /// - Parameter isReplaced: Whether the folder has a newer file, so that this one may be deleted.
  package func reserve(isReplaced: Bool) throws {
    let wanted = isReplaced ? Self.reservedForLong : Self.reserved
    let isEnough = pool.withLock { $0.reserved >= wanted }
    guard !isEnough, let file = publication, file.hasName else { return }
    let missing = pool.withLock { pool in
      defer { pool.reserved = max(pool.reserved, wanted) }
      return pool.reserved < wanted ? wanted - pool.idle.count : 0
    }
    for _ in 0..<max(0, missing) { giveBack(try openCandidate(file)) }
  }

  /// Returns a connection to the present file when no idle one is left.
  func borrowPublished(_ first: PublishedFile, checksForNewerFile: Bool) throws -> FileConnection {
    var file = first
    var attempts = 0
    while true {
      do {
        return try openCandidate(file)
      } catch {
        guard !file.hasName else { throw error }
        attempts += 1
        if checksForNewerFile { checkForNewerFile.withLock { $0 }?() }
        guard attempts <= Self.maxAttempts, let shown = publication, shown !== file else {
          return try waitForIdle(file, error)
        }
        file = shown
      }
    }
  }

  private func waitForIdle(_ file: PublishedFile, _ error: any Error) throws -> FileConnection {
    let start = ContinuousClock.now
    repeat {
      if let idle = pool.withLock({ $0.idle.popLast() }) { return idle }
      usleep(1_000)
    } while ContinuousClock.now - start < Self.longestWait
    throw RealmError(
      .fileNotFound,
      "The version '\(file.name)' of the replica in '\(file.url.deletingLastPathComponent().path)' "
        + "was deleted while it is shown, and all connections to it are in use. Keep more versions "
        + "in the folder (`strata follow --keep`), or close the realm and open it again.",
      fileURL: file.url, underlyingError: error)
  }
}

/// A complete file that never changes: a version of a replica.
///
/// The file may be deleted while it is read: open connections keep its contents.
package final class PublishedFile: Sendable {
  /// The name in the folder, without the parts that name the kind of file.
  package let name: String
  package let url: URL
  package let publishedAt: Date
  private let notes = Mutex(Notes())

  /// The times that the writer of the folder recorded while this was the newest file.
  package struct Notes: Sendable {
    package var sentAt: Date?
    package var checkedAt: Date?
  }

  package init(name: String, url: URL) throws(RealmError) {
    self.name = name
    self.url = url
    try StoreFile.requireDatabase(url)
    publishedAt = FileAppearance.timeOfChange(url) ?? Date(timeIntervalSince1970: 0)
  }

  /// Whether the file still has its name.
  package var hasName: Bool { FileNumber(url.path) != nil }

  /// Records times; a nil argument keeps the earlier time.
  package func record(sentAt: Date?, checkedAt: Date?) {
    notes.withLock { notes in
      notes.sentAt = sentAt ?? notes.sentAt
      notes.checkedAt = checkedAt ?? notes.checkedAt
    }
  }

  package var noted: Notes { notes.withLock { $0 } }
}
