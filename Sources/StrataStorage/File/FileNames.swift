package import Foundation

/// The names under which a file is in its file system.
package enum FileNames {
  /// What to do about a file that has several names; nil for one name.
  ///
  /// A WAL is found by the name of its database. Under another name of the same file SQLite sees
  /// another WAL, and reports an I/O error where this process has the file open under the first
  /// one.
  static func otherName(of url: URL) -> String? {
    var status = stat()
    guard stat(url.path, &status) == 0, status.st_nlink > 1 else { return nil }
    return
      " The file has another name as well (a hard link), under which it may be open: use one path for one file."
  }

  /// Whether the folders on the way to a file may not be entered, so that nothing is known of the
  /// file.
  package static func isOutOfReach(_ url: URL) -> Bool {
    var status = stat()
    return stat(url.path, &status) != 0 && errno == EACCES
  }

  /// The bytes of a file; 0 when it isn't there.
  package static func bytes(ofFileAt path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
