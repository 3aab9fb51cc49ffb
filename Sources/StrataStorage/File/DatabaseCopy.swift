package import Foundation
package import GRDB
import GRDBSQLite

/// Copies of databases, made with SQLite's own backup: whole, with the contents of the WAL, as of
/// one moment, and without touching the locks of any connection.
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

    /// SQLite looks at each of its pages.
    package static let check = Options(rawValue: 1)
    /// Its pages are written again, without free ones.
    package static let compact = Options(rawValue: 2)
  }

  /// The keys of a file and of its copy.
  package struct Keys {
    package var source: FileKey?
    package var copy: FileKey?

    package init(source: FileKey?, copy: FileKey?) {
      self.source = source
      self.copy = copy
    }

    /// The same for both.
    package init(_ key: FileKey?) { self.init(source: key, copy: key) }
  }

  /// The way in which the pages or rows of a connection come into a new file.
  private enum Way: Equatable {
    /// SQLite's backup copies pages. It doesn't copy changes that aren't committed.
    case backup
    /// All pages, with changes that aren't committed, are in memory for a moment.
    case serialize
    /// SQLCipher writes the rows with another key. What isn't committed must not be on the disk
    /// without its key, so it is in memory for a moment.
    case exportFromMemory
    /// The same, of a file in between that has the key of the source: a connection that may only
    /// read can't write to another file either.
    case exportFromFile(isWriting: Bool)

    init(isWriting: Bool, _ keys: Keys) {
      if isWriting, keys.source != nil {
        self = .exportFromMemory
      } else if keys.source != keys.copy {
        self = .exportFromFile(isWriting: isWriting)
      } else {
        self = isWriting ? .serialize : .backup
      }
    }
  }

  /// Copies the state of a connection to a new file, which is on the disk when this returns.
  ///
  /// - Parameters:
  ///   - source: In a transaction when it is copied in several steps.
  ///   - cancellation: Ends the copy, also in the middle of a statement.
  ///   - progress: Called after each step with the part that is copied, from 0 to 1; ends the copy
  ///     by throwing. Without both it is copied in one step.
  ///   - permissions: Those of the copy; nil for those of a new file.
  /// - Throws: ``RealmError``, a `DatabaseError` or `CancellationError`; then no file exists.
  package static func make(
    of source: Database, at url: URL, like permissions: FilePermissions?, _ keys: Keys,
    _ options: Options = [], _ cancellation: Cancellation? = nil,
    progress: ((Double) throws -> Void)? = nil
  ) throws {
    try PlainFile.create(url, like: permissions)
    do {
      let way = Way(
        isWriting: sqlite3_txn_state(source.sqliteConnection, "main") == SQLITE_TXN_WRITE, keys)
      func backUp(to url: URL, _ key: FileKey?) throws {
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
      switch way {
      case .backup: try backUp(to: url, keys.copy)
      case .serialize: try writePages(of: source, to: url)
      case .exportFromMemory: try exportFromMemory(source, to: url, keys.copy, cancellation)
      case .exportFromFile(let isWriting):
        try exportFromFile(keys, to: url, cancellation) { whole in
          if isWriting {
            try writePages(of: source, to: whole)
          } else {
            try backUp(to: whole, keys.source)
          }
        }
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

  /// Writes what a connection sees that has changes of its own: SQLite's backup refuses to copy
  /// them. They are all in memory for that time.
  static func writePages(of source: Database, to url: URL) throws {
    let (pages, size) = try serialize(source, url)
    defer { sqlite3_free(pages) }
    try PlainFile.fill(url, with: UnsafeRawBufferPointer(start: pages, count: Int(size)))
  }

  /// The pages that a connection sees, to be freed by SQLite.
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

  /// Enough to be fast, few enough for a cancellation to be noticed soon.
  static let pagesPerStep: CInt = 1_000

  /// - Throws: ``RealmError`` with code `invalidDatabase` for a damaged copy.
  package static func check(_ db: Database, _ url: URL) throws {
    let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(3)")
    guard problems == ["ok"] else {
      throw RealmError(
        .invalidDatabase,
        "The copy of the file is damaged (\(problems.joined(separator: "; "))), and most likely the "
          + "file as well: 'Realm.problems(for:)' says more.", fileURL: url)
    }
  }

  /// Removes a copy, and what SQLite may have made beside it.
  package static func remove(_ url: URL) {
    for companion in StoreFile.companions(of: url) {
      do {
        try FileManager.default.removeItem(at: companion)
      } catch {
        // There is none, or it is a file too many, which does no harm.
      }
    }
  }
}

/// Copies between files with different keys, or with one and without.
///
/// SQLite's backup copies pages, and can't encrypt them in another way; SQLCipher's
/// `sqlcipher_export` copies tables and rows, as VACUUM does. No byte of an encrypted file is ever
/// on the disk as it is.
extension DatabaseCopy {
  /// Copies what a connection sees, with its changes that aren't committed, to an empty file.
  static func exportFromMemory(
    _ source: Database, to url: URL, _ key: FileKey?, _ cancellation: Cancellation?
  ) throws {
    let memory = try DatabaseQueue()
    try memory.writeWithoutTransaction { memory in
      try readPages(of: source, into: memory, url)
      try Cancellation.watch(memory, for: cancellation) { try export(memory, to: url, key) }
    }
  }

  /// Copies a file that `write` makes beside an empty one to that with another key.
  static func exportFromFile(
    _ keys: Keys, to url: URL, _ cancellation: Cancellation?, write: (_ whole: URL) throws -> Void
  ) throws {
    let whole = between(url)
    defer { remove(whole) }
    try PlainFile.create(whole, like: FilePermissions(of: url))
    try write(whole)
    let queue = try Connections.openCopy(whole, keys.source)
    try queue.writeWithoutTransaction { copy in
      // The pages of a database with a WAL say that there is one.
      try copy.execute(sql: "PRAGMA journal_mode = DELETE")
      try Cancellation.watch(copy, for: cancellation) { try export(copy, to: url, keys.copy) }
    }
    try queue.close()
  }

  /// The file with the key of the source, from which one with another key is made.
  static func between(_ url: URL) -> URL { url.appendingPathExtension("whole") }

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

  /// Gives a connection to memory what another one sees, with its changes that aren't committed.
  private static func readPages(
    of source: Database, into memory: Database, _ url: URL
  ) throws {
    let (pages, size) = try serialize(source, url)
    // Memory has no WAL beside it, which these bytes say.
    pages[18] = 1
    pages[19] = 1
    let code = sqlite3_deserialize(
      memory.sqliteConnection, "main", pages, size, size,
      UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
