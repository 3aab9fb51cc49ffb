import Foundation
import GRDB

/// A file without this library, on a connection with the settings that this library uses.
enum PlainDatabase {
  /// Opens a file; closed when the closure returns, so the log is in the file and gone then.
  static func open<Result>(_ file: URL, _ body: (Database) throws -> Result) throws -> Result {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    }
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    let result = try queue.writeWithoutTransaction(body)
    try queue.close()
    return result
  }

  /// One transaction that reads.
  static func read<Result>(_ file: URL, _ body: (Database) throws -> Result) throws -> Result {
    try open(file) { db in
      try db.beginTransaction(.deferred)
      let result = try body(db)
      try db.commit()
      return result
    }
  }

  /// One transaction that writes.
  static func write(_ file: URL, _ body: (Database) throws -> Void) throws {
    try open(file) { db in
      try db.inTransaction(.immediate) {
        try body(db)
        return .commit
      }
    }
  }

  /// One transaction without foreign keys, which are checked at its end, as SQLite's documentation
  /// wants it of changes to tables.
  static func migrate(_ file: URL, _ body: (Database) throws -> Void) throws {
    try open(file) { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.inTransaction(.immediate) {
        try body(db)
        try db.checkForeignKeys()
        return .commit
      }
    }
  }

  /// The same with statements only.
  static func migrate(_ file: URL, sql: String) throws {
    try migrate(file) { try $0.execute(sql: sql) }
  }
}
