package import Foundation
import GRDB
import GRDBSQLite

/// The `stat` results of a file and its WAL. As long as they are equal, both files are unchanged.
package struct FileAppearance: Equatable, Sendable {
  private struct Part: Equatable {
    var device: dev_t
    var number: ino_t
    var size: off_t
    var seconds: Int
    var nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = status.st_dev
      number = status.st_ino
      size = status.st_size
      #if canImport(Darwin)
        let changed = status.st_mtimespec
      #else
        let changed = status.st_mtim
      #endif
      seconds = Int(changed.tv_sec)
      nanoseconds = Int(changed.tv_nsec)
    }
  }

  private let parts: [Part?]

  package init(of url: URL) {
    parts = StoreFile.companions(of: url).map { Part($0.path) }
  }

  /// Reads the appearance of a file alone, without its WAL.
  package init(ofOnly url: URL) {
    parts = [Part(url.path)]
  }

  /// Returns the last time at which the contents of a file changed; nil if there is no file.
  static func timeOfChange(_ url: URL) -> Date? {
    Part(url.path).map {
      Date(timeIntervalSince1970: Double($0.seconds) + Double($0.nanoseconds) / 1_000_000_000)
    }
  }
}

/// The moment at which a connection has read its file, in a transaction.
///
/// https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntldataversion: the number
/// changes with each commit that the connection sees, its own or another one's.
struct FileMoment {
  // Used only to compare identities, on the thread that uses the connection.
  nonisolated(unsafe) private weak let connection: Database?
  private let version: UInt32

  /// Returns nil if SQLite doesn't return the version.
  init?(_ db: Database) {
    guard let version = Self.version(db) else { return nil }
    self.version = version
    connection = db
  }

  /// Whether nothing was committed since, as seen by a transaction on a connection.
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
