import GRDB
import GRDBSQLite

/// The moment at which a connection has looked at its file, in a transaction.
///
/// https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntldataversion: the number
/// changes with each commit that the connection sees, its own or another one's.
struct FileMoment {
  // Only asked whether it is the same, on the thread that has that one.
  nonisolated(unsafe) private weak let connection: Database?
  private let version: UInt32

  /// Nil where SQLite doesn't tell.
  init?(_ db: Database) {
    guard let version = Self.version(db) else { return nil }
    self.version = version
    connection = db
  }

  /// Whether nothing was committed since, as a transaction on a connection sees it.
  func isNow(on db: Database) -> Bool {
    connection === db && Self.version(db) == version
  }

  private static func version(_ db: Database) -> UInt32? {
    var version: UInt32 = 0
    let code = sqlite3_file_control(
      db.sqliteConnection, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }
}
