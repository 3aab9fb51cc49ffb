import Foundation
import GRDB
import GRDBSQLite

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
