package import Foundation
package import GRDB
import GRDBSQLite

/// Copies of databases, made by SQLite's backup: complete, with the contents of the WAL, as of one
/// moment, and without touching the locks of any connection.
package enum DatabaseCopy {
  /// Copies a database that may be open, in this process or another one, to a new file.
  package static func make(of url: URL, at target: URL) throws {
    try Connections.openReadOnly(url, nil).0.unsafeRead {
      try make(of: $0, at: target, like: FilePermissions(of: url), Keys(nil))
    }
  }

  /// Work on a copy before it gets its name.
  package struct Options: OptionSet {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Checks each page of the copy.
    package static let check = Options(rawValue: 1)
    /// Writes the pages again, without free pages.
    package static let compact = Options(rawValue: 2)
  }

  package struct Keys {
    package var source: FileKey?
    package var copy: FileKey?

    package init(source: FileKey?, copy: FileKey?) {
      self.source = source
      self.copy = copy
    }

    /// Uses the same key for both.
    package init(_ key: FileKey?) { self.init(source: key, copy: key) }
  }

  /// Copies the state of a connection to a new file. The file is on the disk when this returns.
  ///
  /// - Parameters:
  ///   - source: The connection, in a transaction if it is copied in several steps.
  ///   - cancellation: Ends the copy, also in the middle of a statement.
  ///   - progress: Called after each step with the copied fraction, from 0 to 1. The closure ends
  ///     the copy by throwing. Without `cancellation` and `progress`, the copy is made in one step.
  ///   - permissions: The permissions of the copy; nil for the permissions of a new file.
  /// - Throws: ``RealmError``, a `DatabaseError` or `CancellationError`; then no file exists.
  package static func make(
    of source: Database, at url: URL, like permissions: FilePermissions?, _ keys: Keys,
    _ options: Options = [], _ cancellation: Cancellation? = nil,
    progress: ((Double) throws -> Void)? = nil
  ) throws {
    try PlainFile.create(url, like: permissions)
    do {
      let isWriting = sqlite3_txn_state(source.sqliteConnection, "main") == SQLITE_TXN_WRITE
      func copyPages(to url: URL, _ key: FileKey?) throws {
        if isWriting { return try writePages(of: source, to: url) }
        let queue = try Connections.openCopy(url, key)
        try queue.writeWithoutTransaction { copy in
          let step = cancellation == nil && progress == nil ? -1 : pagesPerStep
          try source.backup(to: copy, pagesPerStep: step) { done in
            try cancellation?.check()
            try progress?(Double(done.completedPageCount) / Double(max(1, done.totalPageCount)))
          }
        }
        try queue.close()
      }
      if isWriting, keys.source != nil {
        // Uncommitted changes must not reach the disk unencrypted.
        try exportFromMemory(source, to: url, keys.copy, cancellation)
      } else if keys.source != keys.copy {
        // From a file, because a read-only connection can't write to an attached file.
        try exportFromFile(keys, to: url, cancellation) { try copyPages(to: $0, keys.source) }
      } else {
        try copyPages(to: url, keys.copy)
      }
      let queue = try Connections.openCopy(url, keys.copy)
      try queue.writeWithoutTransaction { copy in
        // One file, without a WAL beside it.
        try copy.execute(sql: "PRAGMA journal_mode = DELETE")
        try Cancellation.watch(copy, for: cancellation) {
          if options.contains(.compact) { try copy.execute(sql: "VACUUM") }
          if options.contains(.check) { try check(copy, url) }
        }
      }
      try queue.close()
      try PlainFile.synchronize(url)
    } catch {
      remove(url)
      throw error
    }
  }

  /// Writes the pages of a connection with uncommitted changes, which SQLite's backup refuses to
  /// copy. All pages are in memory meanwhile.
  static func writePages(of source: Database, to url: URL) throws {
    let (pages, size) = try serialize(source, url)
    defer { sqlite3_free(pages) }
    try PlainFile.fill(url, with: UnsafeRawBufferPointer(start: pages, count: Int(size)))
  }

  /// Returns the pages that a connection sees. The caller frees them with `sqlite3_free`.
  static func serialize(
    _ source: Database, _ url: URL
  ) throws(RealmError) -> (UnsafeMutablePointer<UInt8>, sqlite3_int64) {
    var size: sqlite3_int64 = 0
    guard let pages = sqlite3_serialize(source.sqliteConnection, "main", &size, 0) else {
      throw RealmError(
        .fileAccess,
        "There is no memory for a copy with the changes of the transaction. Commit them first.",
        fileURL: url)
    }
    return (pages, size)
  }

  /// Large enough to be fast, small enough for a quick cancellation.
  static let pagesPerStep: CInt = 1_000

  /// - Throws: ``RealmError`` with code `invalidDatabase` for a damaged copy, or `DatabaseError` if
  ///   the disk can't be read.
  package static func check(_ db: Database, _ url: URL) throws {
    let problems = try PageCheck.problems("integrity_check(3)", db)
    guard problems.isEmpty else {
      throw RealmError(
        .invalidDatabase,
        "The copy of the file is damaged (\(problems.joined(separator: "; "))), and most likely the "
          + "file as well. Check the file with 'Realm.problems(for:)'.", fileURL: url)
    }
  }

  /// Adds an origin to a copy, and an entry to its history, so that consumers are notified.
  static func recordRestoration(
    _ kind: FileOrigins.Kind, mark: Int64 = FileOrigins.newMark(), _ version: UInt64,
    of copy: URL, _ key: FileKey?
  ) throws {
    let queue = try Connections.openCopy(copy, key)
    try queue.inTransaction(.immediate) { db in
      try FileOrigins.recordRestoration(kind, mark: mark, version: version, db)
      return .commit
    }
    try queue.close()
  }

  /// Removes a copy, and the files that SQLite may have created beside it.
  package static func remove(_ url: URL) {
    for companion in StoreFile.companions(of: url) {
      do {
        try FileManager.default.removeItem(at: companion)
      } catch {
        // There is no such file, or it stays as a harmless leftover.
      }
    }
  }
}

/// Copies between files with different keys, or between an encrypted and an unencrypted file.
///
/// SQLite's backup copies pages, and can't encrypt them differently. SQLCipher's `sqlcipher_export`
/// copies tables and rows, as VACUUM does. No byte of an encrypted file is ever on the disk
/// unencrypted.
extension DatabaseCopy {
  /// Copies the rows that a connection sees, including its uncommitted changes, to an empty file.
  static func exportFromMemory(
    _ source: Database, to url: URL, _ key: FileKey?, _ cancellation: Cancellation?
  ) throws {
    let memory = try DatabaseQueue()
    try memory.writeWithoutTransaction { memory in
      try readPages(of: source, into: memory, url)
      try Cancellation.watch(memory, for: cancellation) { try export(memory, to: url, key) }
    }
  }

  /// Copies a file that `write` makes beside an empty file into the empty file, with another key.
  static func exportFromFile(
    _ keys: Keys, to url: URL, _ cancellation: Cancellation?, write: (_ whole: URL) throws -> Void
  ) throws {
    let whole = between(url)
    defer { remove(whole) }
    try PlainFile.create(whole, like: FilePermissions(of: url))
    try write(whole)
    let queue = try Connections.openCopy(whole, keys.source)
    try queue.writeWithoutTransaction { copy in
      // The header of a WAL database requires a WAL.
      try copy.execute(sql: "PRAGMA journal_mode = DELETE")
      try Cancellation.watch(copy, for: cancellation) { try export(copy, to: url, keys.copy) }
    }
    try queue.close()
  }

  /// The temporary file with the key of the source, from which another file is made.
  package static func between(_ url: URL) -> URL { url.appendingPathExtension("whole") }

  private static func export(_ source: Database, to url: URL, _ key: FileKey?) throws {
    // Numbers in the header of a file, which SQLCipher's function doesn't copy.
    let numbers = try ["user_version", "application_id"].map { name in
      (name, try Int.fetchOne(source, sql: "PRAGMA main.\(name)") ?? 0)
    }
    try source.execute(
      sql: "ATTACH DATABASE ? AS copy KEY ?", arguments: [url.path, key?.literal ?? ""])
    _ = try Row.fetchOne(source, sql: "SELECT sqlcipher_export('copy')")
    for (name, number) in numbers { try source.execute(sql: "PRAGMA copy.\(name) = \(number)") }
    try source.execute(sql: "DETACH DATABASE copy")
  }

  /// Copies the pages that a connection sees, including its uncommitted changes, into memory.
  private static func readPages(
    of source: Database, into memory: Database, _ url: URL
  ) throws {
    let (pages, size) = try serialize(source, url)
    // These bytes require a WAL, which a database in memory can't have.
    pages[18] = 1
    pages[19] = 1
    let code = sqlite3_deserialize(
      memory.sqliteConnection, "main", pages, size, size,
      UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}

/// SQLite's check of pages and rows.
package enum PageCheck {
  /// Returns the lines in which SQLite reports damage.
  ///
  /// - Parameter pragma: The check and its argument, such as `quick_check(Person)`.
  /// - Throws: `DatabaseError` if a page can't be read. SQLite reports this as "Page 9: unable to
  ///   get the page. error code=266", which doesn't mean that the file is damaged.
  package static func problems(_ pragma: String, _ db: Database) throws -> [String] {
    let lines = try String.fetchAll(db, sql: "PRAGMA \(pragma)").filter { $0 != "ok" }
    if let failure = lines.lazy.compactMap(failedRead).first { throw failure }
    return lines
  }

  private static func failedRead(_ line: String) -> DatabaseError? {
    guard let match = line.firstMatch(of: /error code=(\d+)/), let code = CInt(match.1),
      code & 0xFF != SQLITE_CORRUPT
    else { return nil }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: "disk I/O error")
  }
}

/// The destination of a copy. The copy gets its name when it is complete, so that an interrupted
/// copy can't be mistaken for a complete one.
///
/// Meanwhile there are, beside `copy.sqlite`, the files `copy.sqlite.copy-ID` and
/// `copy.sqlite.copy-ID.lock`, which the process has locked, and for another key or a twin
/// `copy.sqlite.copy-ID.whole`. If no process holds the lock, the process was killed. The next
/// process that makes or restores a file of that name removes the leftover files.
package enum CopyDestination {
  /// Makes a copy and gives it its name.
  ///
  /// - Parameter make: Writes the file under a name that only this call knows. The file is on the
  ///   disk when the closure returns.
  /// - Returns: False if a file of that name exists already. The existing file is kept.
  /// - Throws: ``RealmError``, a `DatabaseError` or the error of the closure; then no copy exists.
  package static func fill(_ url: URL, _ make: (_ temporary: URL) throws -> Void) throws -> Bool {
    try withTemporary(beside: url) { temporary in
      try make(temporary)
      return try PlainFile.name(temporary, url)
    }
  }

  /// Calls a closure with a new temporary name beside a file, and then deletes the temporary file
  /// if it is still there.
  static func withTemporary<Result>(
    beside url: URL, _ body: (_ temporary: URL) throws -> Result
  ) throws -> Result {
    removeAbandoned(beside: url)
    let (temporary, lock) = try reserve(url)
    defer { withExtendedLifetime(lock) { remove(temporary) } }
    return try body(temporary)
  }

  /// Returns a new name, and its lock, which is taken before another process can consider it
  /// abandoned.
  private static func reserve(_ url: URL) throws(RealmError) -> (URL, FileLock) {
    while true {
      let temporary = url.appendingPathExtension("\(mark)\(UUID().uuidString)")
      if let excess = PathName.excess(of: temporary.path) {
        throw RealmError(
          .fileAccess, "The copy is made under a longer name, '\(temporary.path)'.\(excess)",
          fileURL: url)
      }
      if let lock = try FileLock.exclusive(making: lockURL(temporary)) { return (temporary, lock) }
    }
  }

  private static let mark = "copy-"
  private static let lockEnding = ".lock"

  private static func lockURL(_ temporary: URL) -> URL { temporary.appendingPathExtension("lock") }

  private static func remove(_ temporary: URL) {
    DatabaseCopy.remove(temporary)
    DatabaseCopy.remove(DatabaseCopy.between(temporary))
    unlink(lockURL(temporary).path)
  }

  /// Removes the files that killed processes left of copies with the name of a file.
  static func removeAbandoned(beside url: URL) {
    let name = url.lastPathComponent
    removeAbandoned(in: url.deletingLastPathComponent()) { $0 == name }
  }

  /// Removes the files that killed processes left in a folder.
  ///
  /// - Parameter isCopy: Whether a name is the name of a copy.
  static func removeAbandoned(in folder: URL, _ isCopy: (_ name: String) -> Bool) {
    for name in FileNames.names(in: folder) where name.hasSuffix(lockEnding) {
      guard let end = name.range(of: ".\(mark)", options: .backwards)?.lowerBound,
        isCopy(String(name[..<end]))
      else { continue }
      let lockFile = folder.appendingPathComponent(name)
      guard let lock = FileLock.exclusive(lockFile) else { continue }
      withExtendedLifetime(lock) { remove(lockFile.deletingPathExtension()) }
    }
  }
}
