import Foundation

/// Where a store keeps its data: a file, or a private temporary folder for an in-memory realm.
struct StoreFile: Sendable {
  let url: URL
  let isTemporary: Bool

  var path: String { url.path }

  /// The files that belong to a database: itself, its write-ahead log, and that log's index.
  static func companions(of url: URL) -> [URL] {
    ["", "-wal", "-shm", "-journal"].map { URL(fileURLWithPath: url.path + $0) }
  }

  /// The same for each way of writing the path of a file.
  static func key(for url: URL) -> String {
    url.standardizedFileURL.resolvingSymlinksInPath().path
  }

  /// What is at the path, before SQLite touches it.
  enum Content {
    case nothing, empty, database
  }

  /// Looks at a path without changing anything.
  ///
  /// SQLite would silently turn a file of a few bytes, or a folder's missing file, into a database
  /// of its own; here each case that can't be one is an error.
  static func inspect(_ url: URL, forWriting: Bool) throws(RealmError) -> Content {
    let path = url.path
    func failure(_ code: RealmError.Code, _ reason: String) -> RealmError {
      RealmError(code, "Failed to open Realm file at path '\(path)': \(reason)", fileURL: url)
    }
    let denied = "Permission denied. Please use a path where your app has read-write permissions."
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == EACCES { throw failure(.filePermissionDenied, denied) }
      if errno == ENOTDIR {
        throw failure(.fileOperationFailed, "parent path is not a directory")
      }
      guard errno == ENOENT else {
        throw failure(.fileAccess, String(cString: strerror(errno)))
      }
      let parent = url.deletingLastPathComponent().path
      guard stat(parent, &status) == 0 else {
        throw failure(.fileNotFound, "parent directory does not exist")
      }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw failure(.fileOperationFailed, "parent path is not a directory")
      }
      if forWriting, access(parent, W_OK) != 0 { throw failure(.filePermissionDenied, denied) }
      return .nothing
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw failure(.fileOperationFailed, "Is a directory")
    case S_IFREG: break
    default: throw failure(.fileAccess, "Not a regular file")
    }
    guard access(path, forWriting ? R_OK | W_OK : R_OK) == 0 else {
      throw failure(.filePermissionDenied, denied)
    }
    if status.st_size == 0 { return .empty }
    guard let file = fopen(path, "rb") else { throw failure(.fileAccess, "It can't be read.") }
    defer { fclose(file) }
    // The smallest database is one page of 512 bytes; each begins with these 16.
    var header = [UInt8](repeating: 0, count: 16)
    let count = fread(&header, 1, 16, file)
    guard status.st_size >= 512, count == 16 else {
      throw failure(
        .invalidDatabase,
        "file is non-empty but too small (\(status.st_size) bytes) to be a valid Realm.")
    }
    guard header == Array("SQLite format 3\0".utf8) else {
      throw failure(
        .invalidDatabase,
        "it is not an SQLite database. Files of Realm itself, and encrypted ones, can't be opened.")
    }
    return .database
  }
}
