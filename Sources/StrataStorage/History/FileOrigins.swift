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

  /// Whether the file has no origin, as a file of an earlier release of the library.
  static func areMissing(_ db: Database) throws -> Bool { try !db.has(name) }

  /// Whether the newest origin is another file's, so that this one is a copy. False for a file
  /// without origins.
  package static func areOfAnotherFile(_ db: Database) throws -> Bool {
    guard try db.has(name), let identity = FileIdentity(of: db) else { return false }
    let sql = "SELECT inode, born FROM strata_origin ORDER BY number DESC LIMIT 1"
    return try Row.fetchOne(db, sql: sql).map { row in
      !identity.isSame(as: FileIdentity(inode: row[0], born: row[1]))
    } ?? false
  }

  /// Returns the marks of all promotions that precede the file's contents, the oldest first.
  package static func promotions(_ db: Database) throws -> [Int64] {
    guard try db.has(name) else { return [] }
    let sql = "SELECT mark FROM strata_origin WHERE kind = 'promoted' ORDER BY number"
    return try Int64.fetchAll(db, sql: sql)
  }

  /// Returns the origins with the positions in the history at which they begin, the oldest first.
  static func starts(_ db: Database) throws -> [(position: Int64, mark: Int64)] {
    guard try db.has(name) else { return [] }
    return try Row.fetchAll(db, sql: "SELECT position, mark FROM strata_origin ORDER BY number")
      .map { ($0[0], $0[1]) }
  }

  // MARK: Writing

  /// Returns the random number of a new origin.
  package static func newMark() -> Int64 { Int64.random(in: 0...Int64.max) }

  /// Adds an origin for the file of a connection. The caller has added the entry of the history.
  static func add(_ kind: Kind, mark: Int64 = newMark(), _ db: Database) throws {
    try db.execute(sql: createSQL)
    let identity = FileIdentity(of: db)
    try db.execute(
      sql: """
        INSERT INTO strata_origin (mark, at, kind, position, inode, born)
        VALUES (?, \(HistoryTable.now), ?, ?, ?, ?)
        """,
      arguments: [
        mark, kind.rawValue, try HistoryTable.newestPosition(db), identity?.inode ?? 0,
        identity?.born,
      ])
    let number = db.lastInsertedRowID
    try db.execute(
      sql: "DELETE FROM strata_origin WHERE number <= ? AND kind <> 'promoted'",
      arguments: [number - Int64(maxRows)])
  }

  /// Adds an origin, and an entry to the history, if the file is a copy that keeps a history.
  ///
  /// - Parameter version: The schema version of the file.
  package static func recordCopy(version: UInt64, _ db: Database) throws {
    guard try areOfAnotherFile(db), try HistoryTable.settingsIfKept(db) != nil else { return }
    try HistoryTable.makeTables(version: version, db)
    try recordRestoration(.copied, version: version, db)
  }

  /// Adds an origin, and an entry to the history if the file keeps one.
  static func recordRestoration(
    _ kind: Kind, mark: Int64 = newMark(), version: UInt64, _ db: Database
  ) throws {
    if try HistoryTable.settingsIfKept(db) != nil {
      try HistoryTable.add(.restored, version: version, changes: "[]", db)
    }
    try add(kind, mark: mark, db)
  }
}

/// The identity of a file in its file system, whatever its name, also after a restart.
struct FileIdentity: Equatable {
  var inode: Int64
  /// The time of its creation in nanoseconds since 1970; nil if the file system doesn't record it.
  var born: Int64?

  init(inode: Int64, born: Int64?) {
    self.inode = inode
    self.born = born
  }

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

  /// Whether both are of one file. File systems use inodes again, and some give each file another
  /// one with each mount: the time of creation decides wherever both have one.
  func isSame(as other: FileIdentity) -> Bool {
    if let born, let otherBorn = other.born { return born == otherBorn }
    return inode == other.inode
  }
}

extension Database {
  /// Whether the file has a table.
  fileprivate func has(_ table: String) throws -> Bool {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
    return try Bool.fetchOne(self, sql: sql, arguments: [table]) ?? false
  }
}
