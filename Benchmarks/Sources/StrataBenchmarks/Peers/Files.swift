import Foundation
import GRDB
import Strata

/// The file as this library opens it.
enum StrataFile {
  static func open(_ file: URL, _ types: [ObjectBase.Type]) throws -> Realm {
    try Realm(configuration: .init(fileURL: file, objectTypes: types))
  }

  static func migrate(
    _ file: URL, to types: [ObjectBase.Type], version: UInt64 = 1, _ block: MigrationBlock? = nil
  ) throws {
    try Realm.performMigration(
      for: .init(
        fileURL: file, schemaVersion: version, migrationBlock: block, objectTypes: types))
  }
}

/// The file as GRDB opens it, with the same SQLite settings as this library.
enum PlainDatabase {
  /// Opens a file, and closes it after the closure: the WAL is checkpointed and deleted by then.
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

  /// Runs a read transaction.
  static func read<Result>(_ file: URL, _ body: (Database) throws -> Result) throws -> Result {
    try open(file) { db in
      try db.beginTransaction(.deferred)
      let result = try body(db)
      try db.commit()
      return result
    }
  }

  /// Runs a write transaction.
  static func write(_ file: URL, _ body: (Database) throws -> Void) throws {
    try open(file) { db in
      try db.inTransaction(.immediate) {
        try body(db)
        return .commit
      }
    }
  }

  /// Runs a transaction with foreign keys off and checks them at its end, as SQLite's documentation
  /// recommends for schema changes.
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
}

extension Contestant {
  /// A migration by this library.
  static func strata(
    _ role: Role = .strata, to types: [ObjectBase.Type], _ block: MigrationBlock? = nil
  ) -> Contestant {
    Contestant(role, whole: { try StrataFile.migrate($0, to: types, block) })
  }

  /// A migration in SQL.
  static func sql(migration sql: String) -> Contestant {
    Contestant(.sql, whole: { try PlainDatabase.migrate($0) { try $0.execute(sql: sql) } })
  }

  /// A write transaction in SQL.
  static func sql(write sql: String) -> Contestant {
    Contestant(.sql, whole: { try PlainDatabase.write($0) { try $0.execute(sql: sql) } })
  }
}
