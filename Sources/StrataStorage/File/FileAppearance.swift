package import Foundation
import GRDB
import GRDBSQLite

/// The folder's entries of a file and its WAL. As long as they are the same, both are unchanged.
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

  /// That of a file and its WAL, if any later change will give another one; nil where one was so
  /// short ago that the next may have the same time.
  ///
  /// An empty WAL counts as none: an opening makes one.
  init?(settled url: URL) {
    parts = [Part(url.path), Part(url.path + "-wal")].map { $0?.size == 0 ? nil : $0 }
    let latest = Int(time(nil)) - Self.secondsOfChange
    guard parts.allSatisfy({ ($0?.seconds ?? 0) < latest }) else { return nil }
  }

  /// No file system that is in use has times in larger steps than two seconds.
  private static let secondsOfChange = 3

  /// That of a file alone.
  package init(ofOnly url: URL) {
    parts = [Part(url.path)]
  }

  /// When the contents of a file were changed last; nil when there is none.
  static func timeOfChange(_ url: URL) -> Date? {
    Part(url.path).map {
      Date(timeIntervalSince1970: Double($0.seconds) + Double($0.nanoseconds) / 1_000_000_000)
    }
  }
}

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
