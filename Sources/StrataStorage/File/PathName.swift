import Foundation
import GRDBSQLite

/// The parts of a path as text: a URL takes some thousand instructions to tell each.
enum PathName {
  /// Whether a path begins with the root: not `hasPrefix`, for which an accent after the slash is a
  /// part of it.
  static func isWhole(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

  /// The path of the folder that a file is in.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The name in its folder.
  static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// The advice for a path that SQLite can't have a file at; nil for one that is short enough.
  static func excess(of path: String) -> String? {
    // SQLite makes room for the longest name beside the file.
    let longestEnding = "-journal".utf8.count
    let longestName = Int(NAME_MAX) - longestEnding
    let longestPath = Int(sqlite3_vfs_find(nil)?.pointee.mxPathname ?? 512) - longestEnding
    guard name(of: path).utf8.count > longestName || path.utf8.count > longestPath else {
      return nil
    }
    return " That is too long for SQLite: its files may have names of \(longestName) bytes, and "
      + "paths of \(longestPath). Choose a shorter one."
  }

  /// Whether a path ends with a link, whatever that leads to.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The path that a link has; nil where there is no link.
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
