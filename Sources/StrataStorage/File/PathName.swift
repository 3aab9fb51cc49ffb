package import Foundation
import GRDBSQLite

/// The parts of a path as text. Reading them from a URL takes some thousand instructions each.
enum PathName {
  /// Whether a path begins with the root. Not `hasPrefix`, which treats a combining accent after
  /// the slash as a part of it.
  static func isWhole(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// Returns the advice for a path that is too long for SQLite; nil if it is short enough.
  static func excess(of path: String) -> String? {
    // SQLite needs space for the longest name beside the file.
    let longestEnding = "-journal".utf8.count
    let longestName = Int(NAME_MAX) - longestEnding
    let longestPath = Int(sqlite3_vfs_find(nil)?.pointee.mxPathname ?? 512) - longestEnding
    guard name(of: path).utf8.count > longestName || path.utf8.count > longestPath else {
      return nil
    }
    return " That is too long for SQLite: its files may have names of \(longestName) bytes, and "
      + "paths of \(longestPath). Choose a shorter one."
  }

  /// Whether a path ends with a symbolic link, whatever its target.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Returns the target of a symbolic link; nil if there is no link.
  static func target(ofLink path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, Int(PATH_MAX))
      guard count >= 0 else { return nil }
      start[count] = 0
      return String(cString: start)
    }
  }
}

/// The names of a file in its file system.
package enum FileNames {
  /// Returns the advice for a file that has several names; nil if it has one.
  ///
  /// SQLite finds a WAL by the name of its database. Under another name of the same file, SQLite
  /// uses another WAL. If this process has the file open under the first name, SQLite reports an
  /// I/O error.
  static func otherName(of url: URL) -> String? {
    var status = stat()
    guard stat(url.path, &status) == 0, status.st_nlink > 1 else { return nil }
    return
      " The file has another name as well (a hard link), under which it may be open: use one path for one file."
  }

  /// Whether the program may not enter the folders of a file, so that nothing is known of the file.
  package static func isOutOfReach(_ url: URL) -> Bool {
    var status = stat()
    return stat(url.path, &status) != 0 && errno == EACCES
  }

  /// Returns the names in a folder, for cleaning up: none if the folder can't be read.
  static func names(in folder: URL) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      // The work in the folder reports its problems.
      return []
    }
  }

  /// Returns the size of a file in bytes; 0 if there is no file.
  package static func bytes(ofFileAt path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}

/// The number by which a file system identifies a file, whatever its name.
///
/// As long as something has the file open, no other file gets its number.
package struct FileNumber: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t

  init(_ status: stat) {
    device = status.st_dev
    number = status.st_ino
  }

  /// Reads the number of the file at a path; nil if missing.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// The limit on the open files of the process. SQLite reports only that it can't open a file.
enum OpenFiles {
  /// The need of two connections, each with a file, its WAL, the WAL's index and a folder to sync.
  /// Some of these may be closed again when the error is explained.
  private static let needed = 8

  /// The reason why no further file can be opened, and the repair; nil if files can be opened.
  static var shortage: String? {
    var copies: [CInt] = []
    defer { for copy in copies { close(copy) } }
    while copies.count < needed {
      let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return errno == EMFILE ? tooMany : nil }
      copies.append(copy)
    }
    return nil
  }

  private static var tooMany: String {
    let limit = ProcessLimit.openFiles.value.map { "\($0)" } ?? "unknown"
    return " The process has about as many files open as it may (\(limit)): close realms that "
      + "aren't needed, or raise the limit ('ulimit -n')."
  }
}
