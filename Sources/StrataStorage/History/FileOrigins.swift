import CStrataRuntime
import Foundation
package import GRDB
import GRDBSQLite
import StrataSchema

/// `strata_origin`: the origins of a file, one row for each, the present one last.
///
/// A file begins an origin when its history begins, and another one when a copy is first written:
/// a restored backup, a file copied by `cp` or Litestream, a promoted replica. Two files with a
/// common past are distinguished by their origins, and what follows the past by its origin.
package enum FileOrigins {
  package static let name = "strata_origin"

  /// The reasons for an origin, as stored in the file.
  package enum Kind: String, Sendable {
    case began
    case copied
    /// A replica was made the primary: see `strata promote`.
    case promoted
  }

  /// The greatest number of rows. Some file systems give a file another identity with each mount.
  private static let maxRows = 1_000

  private static let createSQL = """
    CREATE TABLE IF NOT EXISTS strata_origin (
      number INTEGER PRIMARY KEY,
      mark INTEGER NOT NULL,
      at TEXT NOT NULL,
      kind TEXT NOT NULL,
      position INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      born INTEGER
    ) STRICT
    """

  // MARK: Reading

  /// Whether the file has the library's table. Another program's table or view of that name counts
  /// as none.
  private static func exist(_ db: Database) throws -> Bool {
    let sql = """
      SELECT count(*) = 7 FROM pragma_table_info('strata_origin')
      WHERE name IN ('number', 'mark', 'at', 'kind', 'position', 'inode', 'born')
        AND EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'strata_origin')
      """
    return try Bool.fetchOne(db, sql: sql) ?? false
  }

  /// Whether the file has no origin, as a file of an earlier release of the library.
  static func areMissing(_ db: Database) throws -> Bool {
    guard try exist(db) else { return true }
    return try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM strata_origin)") ?? true
  }

  /// Whether the newest origin is another file's, so that this one is a copy. False for a file
  /// without origins.
  package static func areOfAnotherFile(_ db: Database) throws -> Bool {
    guard try exist(db), let identity = FileIdentity(of: db) else { return false }
    let sql = "SELECT inode, born FROM strata_origin ORDER BY number DESC LIMIT 1"
    guard let row = try Row.fetchOne(db, sql: sql), let inode = Int64.fromDatabaseValue(row[0])
    else { return false }
    let known = FileIdentity(inode: inode, born: Int64.fromDatabaseValue(row[1]))
    return !identity.isSame(as: known)
  }

  /// Returns the marks of all promotions that precede the file's contents, the oldest first.
  package static func promotions(_ db: Database) throws -> [Int64] {
    guard try exist(db) else { return [] }
    let sql = "SELECT mark FROM strata_origin WHERE kind = 'promoted' ORDER BY number"
    return try Row.fetchAll(db, sql: sql).compactMap { Int64.fromDatabaseValue($0[0]) }
  }

  /// Returns the origins with the positions in the history at which they begin, the oldest first.
  static func starts(_ db: Database) throws -> [(position: Int64, mark: Int64)] {
    guard try exist(db) else { return [] }
    return try Row.fetchAll(db, sql: "SELECT position, mark FROM strata_origin ORDER BY number")
      .compactMap { row in
        guard let position = Int64.fromDatabaseValue(row[0]),
          let mark = Int64.fromDatabaseValue(row[1])
        else { return nil }
        return (position, mark)
      }
  }

  // MARK: Writing

  /// Returns the random number of a new origin.
  package static func newMark() -> Int64 { Int64.random(in: 0...Int64.max) }

  /// Adds an origin. The caller has added the entry of the history.
  ///
  /// - Parameter identity: The identity of the file; nil for the file of the connection.
  static func add(
    _ kind: Kind, mark: Int64 = newMark(), of identity: FileIdentity? = nil, _ db: Database
  ) throws {
    try db.execute(sql: createSQL)
    guard try exist(db) else {
      throw RealmError(
        .invalidDatabase,
        "The file has a table or view 'strata_origin' of another program, a name of the library. Rename "
          + "it, or drop it.")
    }
    let identity = identity ?? FileIdentity(of: db)
    try db.execute(
      sql: """
        INSERT INTO strata_origin (mark, at, kind, position, inode, born)
        VALUES (?, \(HistoryTable.now), ?, ?, ?, ?)
        """,
      arguments: [
        mark, kind.rawValue, try HistoryTable.newestPosition(db), identity?.inode ?? 0,
        identity?.born,
      ])
    try db.execute(
      sql: """
        DELETE FROM strata_origin WHERE kind <> 'promoted'
          AND number <= (SELECT max(number) FROM strata_origin) - \(maxRows)
        """)
  }

  /// Adds an origin, and an entry to the history, if the file is a copy that keeps a history.
  package static func recordCopy(version: UInt64, _ db: Database) throws {
    guard try areOfAnotherFile(db), try HistoryTable.settingsIfKept(db) != nil else { return }
    try recordRestoration(.copied, version: version, db)
  }

  /// Adds an origin, and an entry to the history if the file keeps one.
  ///
  /// - Parameter identity: The identity of the file that will have the contents; nil for the file
  ///   of the connection.
  static func recordRestoration(
    _ kind: Kind, mark: Int64 = newMark(), of identity: FileIdentity? = nil, version: UInt64,
    _ db: Database
  ) throws {
    if try HistoryTable.settingsIfKept(db) != nil {
      // Another program may have dropped one.
      try HistoryTable.makeTables(version: version, db)
      try HistoryTable.add(.restored, version: version, changes: "[]", db)
    }
    try add(kind, mark: mark, of: identity, db)
  }
}

/// The identity of a file in its file system, whatever its name, also after a restart.
struct FileIdentity {
  var inode: Int64
  /// The time of its creation in nanoseconds since 1970; nil if the file system doesn't record it.
  var born: Int64?

  /// Whether both are of one file.
  ///
  /// Linux file systems use inodes again, and some give each file another one with each mount.
  /// Apple's copies have the original's time of creation.
  func isSame(as other: FileIdentity) -> Bool {
    #if canImport(Darwin)
      return inode == other.inode && born == other.born
    #else
      if let born, let otherBorn = other.born { return born == otherBorn }
      return inode == other.inode
    #endif
  }
}

extension FileIdentity {
  /// Reads the identity of a connection's file; nil for a file without a name.
  init?(of db: Database) {
    var status = stat()
    guard let path = sqlite3_db_filename(db.sqliteConnection, "main"), path.pointee != 0,
      stat(path, &status) == 0
    else { return nil }
    inode = Int64(truncatingIfNeeded: status.st_ino)
    var time: Int64 = 0
    born = strata_file_birth(path, &time) ? time : nil
  }
}
