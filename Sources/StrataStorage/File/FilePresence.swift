package import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// The files of an open database, by their names: the file, its WAL, and the index of the WAL.
///
/// A deleted or replaced file continues to exist for the connections that have it open. Their
/// writes are lost when the last of them closes, and other programs never see these writes. SQLite
/// also finds the WAL and its index by their names, and never checks these names again.
final class FilePresence: Sendable {
  private let url: URL
  private let path: String
  private let file: FileNumber?
  private let log: Companion
  private let index: Companion

  /// A file beside the database.
  private struct Companion: ~Copyable, Sendable {
    let path: String
    /// The file's number; nil until known.
    private let number: Mutex<FileNumber?>

    init(_ path: String, isOpen: Bool) {
      self.path = path
      number = Mutex(isOpen ? FileNumber(path) : nil)
    }

    /// - Parameter notes: Whether to record the number of the present file if none is known yet.
    func isGone(noting notes: Bool) -> Bool {
      let found = FileNumber(path)
      return number.withLock { number in
        if number == nil, notes { number = found }
        return number != nil && number != found
      }
    }
  }

  /// - Parameters:
  ///   - file: The file that the connections have open; nil if unknown.
  ///   - isOpen: Whether connections to the file are open, so that the files beside it belong to
  ///     them.
  init(_ stored: StoreFile, _ file: FileNumber?, isOpen: Bool) {
    url = stored.url
    path = stored.path
    self.file = file ?? FileNumber(path)
    log = Companion(path + "-wal", isOpen: isOpen)
    index = Companion(path + "-shm", isOpen: isOpen)
  }

  /// Whether the file can be found under its name.
  var isThere: Bool { file == FileNumber(path) }

  /// - Throws: ``RealmError`` if the WAL or its index is not the file that the connections have
  ///   open. Call it only while a connection has begun to write.
  func checkCompanions() throws(RealmError) {
    if log.isGone(noting: true) { throw lost(log.path) }
    if index.isGone(noting: true) { throw lost(index.path) }
  }

  /// The reason why files are lost; nil if all are present, or if that is unknown.
  var loss: RealmError? {
    if !isThere { return FileNames.isOutOfReach(url) ? nil : moved }
    if log.isGone(noting: false) { return lost(log.path) }
    return index.isGone(noting: false) ? lost(index.path) : nil
  }

  /// The error of a file that can't be found under its name any more.
  var moved: RealmError {
    // A deleted file can't be distinguished by its name from one that the program may not see.
    guard !FileNames.isOutOfReach(url) else {
      return RealmError(
        .filePermissionDenied,
        "The file at path '\(path)' can't be reached any more: \(FileReason.text(EACCES)) Allow the "
          + "program to enter its folder again, and repeat the transaction.", fileURL: url)
    }
    return RealmError(
      .fileNotFound,
      "The file at path '\(path)' was deleted, moved or replaced while it was open: new changes "
        + "would be lost. Release all realms of the path, and open it again.", fileURL: url)
  }

  private func lost(_ companion: String) -> RealmError {
    guard !FileNames.isOutOfReach(url) else { return moved }
    return RealmError(
      .fileNotFound,
      "'\(companion)', which belongs to the file, was deleted or replaced while it was open: new "
        + "changes would be lost. Release all realms of the file, in each program, and open it again.",
      fileURL: url)
  }
}

/// The `stat` results of a file and its WAL. As long as they are equal, both files are unchanged.
package struct FileAppearance: Equatable, Sendable {
  private struct Part: Equatable {
    var number: FileNumber
    var size: off_t
    var seconds: Int
    var nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      number = FileNumber(status)
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
