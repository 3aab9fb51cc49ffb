package import Foundation

/// The file in which a store keeps its data. The file of an in-memory realm is in a private
/// temporary folder.
package struct StoreFile: Sendable {
  package let url: URL
  /// The cached `url.path`, which takes some thousand instructions to compute.
  package let path: String
  package let isTemporary: Bool
  /// The encryption key; nil if the file isn't encrypted.
  package let key: FileKey?

  package init(url: URL, isTemporary: Bool, key: FileKey?) {
    self.url = url
    path = url.path
    self.isTemporary = isTemporary
    self.key = key
  }

  /// Returns the files of a database: the file itself, its WAL, the WAL's index, and its journal.
  package static func companions(of url: URL) -> [URL] {
    companionSuffixes.map { URL(fileURLWithPath: url.path + $0) }
  }

  static let companionSuffixes = ["", "-wal", "-shm", "-journal"]

  /// Deletes a file that is not open, and the files that SQLite has created beside it.
  ///
  /// - Throws: ``RealmError`` with code `fileOperationFailed` for a folder, before anything is
  ///   deleted.
  package static func delete(_ url: URL) throws(RealmError) {
    let files = companions(of: url)
    for file in files {
      var status = stat()
      guard lstat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
      throw RealmError(
        .fileOperationFailed,
        "Cannot delete files of Realm at path '\(url.path)': '\(file.path)' is a folder. Nothing was deleted: "
          + "give the path of the file.", fileURL: url)
    }
    // A file whose name is too long can't exist.
    for file in files
    where unlink(file.path) != 0 && ![ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) {
      throw RealmError(
        FileReason.lastCode, "The file '\(file.path)' can't be deleted: \(FileReason.last)",
        fileURL: url)
    }
  }

  /// The contents of the path, before SQLite touches it.
  package enum Content {
    case nothing, empty, database
  }

  /// Inspects a path without opening the file: see ``PlainFile``.
  ///
  /// SQLite would silently turn a file of a few bytes into a database, or create a missing file.
  /// Here each path that can't be a database is an error. SQLite detects other files that are not
  /// databases when it reads them.
  package static func inspect(_ url: URL, forWriting: Bool) throws(RealmError) -> Content {
    let path = url.path
    func failure(_ code: RealmError.Code, _ reason: String) -> RealmError {
      RealmError(code, "Failed to open Realm file at path '\(path)': \(reason)", fileURL: url)
    }
    let denied = failure(.filePermissionDenied, ErrorText.permissionDenied)
    let folder = PathName.folder(of: path)
    var status = stat()
    guard stat(path, &status) == 0 else {
      let reason = errno
      if reason == EACCES { throw denied }
      guard reason == ENOENT || reason == ENOTDIR else {
        throw failure(.fileAccess, FileReason.text(reason))
      }
      guard stat(folder, &status) == 0 else {
        if errno == EACCES { throw denied }
        guard errno != ENOTDIR else {
          throw failure(.fileOperationFailed, "parent path is not a directory")
        }
        throw failure(.fileNotFound, "parent directory does not exist")
      }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw failure(.fileOperationFailed, "parent path is not a directory")
      }
      if forWriting, !FilePermissions.allows(W_OK | X_OK, folder) { throw denied }
      // SQLite would create the file, and then fail to create the files beside it.
      if forWriting, let excess = PathName.excess(of: path) {
        throw failure(.fileAccess, "The path has \(path.utf8.count) bytes.\(excess)")
      }
      return .nothing
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw failure(.fileOperationFailed, "Is a directory")
    case S_IFREG: break
    default: throw failure(.fileAccess, "Not a regular file")
    }
    guard FilePermissions.allows(forWriting ? R_OK | W_OK : R_OK, path) else { throw denied }
    // The WAL and its index are created beside the file, unless another process has created them.
    if forWriting, !hasLog(path), !FilePermissions.allows(W_OK | X_OK, folder) { throw denied }
    if status.st_size == 0 { return .empty }
    // The smallest database is one page of 512 bytes.
    guard status.st_size >= 512 else {
      throw failure(
        .invalidDatabase,
        "file is non-empty but too small (\(status.st_size) bytes) to be a valid Realm.")
    }
    return .database
  }

  /// - Parameter text: The message for an empty file; nil for the message of a read-only opening.
  /// - Throws: ``RealmError`` unless the path has a file that can be a database.
  package static func requireDatabase(_ url: URL, ifEmpty text: String? = nil) throws(RealmError) {
    let start = "Failed to open Realm file at path '\(url.path)':"
    switch try inspect(url, forWriting: false) {
    case .nothing:
      throw RealmError(.fileNotFound, "\(start) No such file or directory", fileURL: url)
    case .empty:
      throw RealmError(
        .invalidDatabase, text ?? "\(start) Read-only access to empty Realm file", fileURL: url)
    case .database: break
    }
  }

  /// Whether a WAL and its index are beside a file: a process has it open, or did not close it.
  static func hasLog(_ path: String) -> Bool {
    var status = stat()
    return stat(path + "-wal", &status) == 0 && stat(path + "-shm", &status) == 0
  }

  /// Whether everything is in the main file: there is no WAL, or an empty one.
  package static func isQuiet(_ path: String) -> Bool {
    var status = stat()
    return stat(path + "-wal", &status) != 0 || status.st_size == 0
  }
}

/// The path of a file without symbolic links, as bytes. Swift's strings are equal if their letters
/// are, but most file systems distinguish `é` from `e` with a combining accent.
package struct PathKey: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ path: String) { bytes = Array(path.utf8) }
}

extension StoreFile {
  /// Returns the same key for each notation of the path of a file, even before the file exists: an
  /// opening creates the file, and must remain the opening of that file.
  package static func key(forPath path: String) -> PathKey {
    PathKey(canonical(path) ?? URL(fileURLWithPath: path).standardizedFileURL.path)
  }

  package static func key(for url: URL) -> PathKey { key(forPath: url.path) }

  /// Returns the target of a symbolic link, which need not exist. Other paths are returned as they
  /// are.
  ///
  /// SQLite keeps the WAL and other files beside the target, not beside the link. A relative path,
  /// which a URL may have, begins in the current folder of this moment.
  package static func behindLinks(_ url: URL) -> URL {
    let path = url.path
    guard !path.isEmpty else { return url }
    if PathName.isLink(path), let file = canonical(path) {
      return URL(fileURLWithPath: file, isDirectory: false)
    }
    return PathName.isWhole(path) ? url : URL(fileURLWithPath: path, isDirectory: false)
  }

  /// The number of successive links that Linux follows; a missing folder counts as one.
  private static let maxSteps = 40

  /// Returns the path without links, `.` and `..`; nil if no file can have it.
  private static func canonical(_ path: String, steps: Int = maxSteps) -> String? {
    // Avoids `URL.resolvingSymlinksInPath`, which resolves no links in the path of a missing file,
    // and takes 80,000 instructions.
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    let name = PathName.name(of: path)
    guard !["", ".", ".."].contains(name), steps > 0,
      let folder = canonical(PathName.folder(of: path), steps: steps - 1)
    else { return nil }
    let file = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    guard let target = PathName.target(ofLink: file) else { return file }
    return canonical(PathName.isWhole(target) ? target : "\(folder)/\(target)", steps: steps - 1)
  }
}

/// The users who may read and write a file, so that its copies get exactly the same permissions.
package struct FilePermissions: Sendable, Equatable {
  var mode: mode_t
  package var owner: uid_t
  package var group: gid_t

  /// Returns nil if there is no file.
  package init?(of url: URL) {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return nil }
    mode = status.st_mode & 0o777
    owner = status.st_uid
    group = status.st_gid
  }

  /// The same permissions, except that the owner may write.
  package var writable: FilePermissions {
    var permissions = self
    permissions.mode |= S_IWUSR
    return permissions
  }

  /// Whether no user has write permission, even if the process could write as administrator.
  var isReadOnly: Bool { mode & 0o222 == 0 }

  /// Applies the permissions to an open file. Returns false if the system refuses.
  ///
  /// Only the administrator can change the owner of a file, so a copy that another user makes
  /// belongs to that user. If the copy can't have the same group either, its group gets the
  /// permissions of others.
  package func apply(to descriptor: Int32) -> Bool {
    var mode = mode
    if fchown(descriptor, owner, group) != 0, fchown(descriptor, uid_t.max, group) != 0 {
      mode = mode & ~S_IRWXG | mode & S_IRWXO << 3
    }
    return fchmod(descriptor, mode) == 0
  }

  /// Whether the process may use disk space that is reserved for the administrator.
  static var isAdministrator: Bool { geteuid() == 0 }

  /// Whether the process's effective user has a permission for a path.
  static func allows(_ permission: Int32, _ path: String) -> Bool {
    faccessat(AT_FDCWD, path, permission, AT_EACCESS) == 0
  }
}

/// The folder of an in-memory realm: in memory if the system supports that, and removed with the
/// last reference.
///
/// SQLite's own in-memory databases have one connection, or share one cache without isolation. A
/// file on a memory file system gives readers and migrations the same snapshots as any other file.
package final class TemporaryFolder: Sendable {
  package let url: URL
  /// The lock that prevents other processes from removing the folder.
  private let lock: FileLock

  package enum Medium {
    /// In memory, if the system has a memory file system.
    case memory
    /// With the temporary files of the user, for files that may be larger than memory.
    case disk
    case folder(URL)

    fileprivate var isGiven: Bool { if case .folder = self { true } else { false } }
  }

  /// - Throws: ``RealmError`` with code `fileAccess` if no folder can be created. The folder of
  ///   ``Medium/folder(_:)`` must exist.
  package init(on medium: Medium = .memory) throws(RealmError) {
    let base =
      switch medium {
      case .memory: Self.base
      case .disk: FileManager.default.temporaryDirectory
      case .folder(let url): url
      }
    Self.removeAbandoned(in: base)
    // Another process that removes abandoned folders may find the folder before it is locked.
    for _ in 0..<Self.maxAttempts {
      let folder = try Self.make(in: base, thatExists: medium.isGiven)
      if let lock = try FileLock.shared(Self.lockURL(folder)) {
        url = folder
        self.lock = lock
        return
      }
    }
    throw RealmError(
      .fileAccess,
      "No temporary folder can be created in '\(base.path)': other processes remove it. Stop these "
        + "processes.")
  }

  deinit { Self.remove(url) }

  private static let maxAttempts = 100

  private static func make(
    in base: URL, thatExists isGiven: Bool
  ) throws(RealmError) -> URL {
    let url = base.appendingPathComponent("\(prefix)\(UUID().uuidString)", isDirectory: true)
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: !isGiven, attributes: [.posixPermissions: 0o700])
      return url
    } catch {
      throw RealmError(
        .fileAccess,
        "No temporary folder can be created in '\(base.path)': \(FileReason.text(error))",
        underlyingError: error)
    }
  }

  private static let prefix = "strata-memory-"

  private static var base: URL {
    let shared = "/dev/shm"
    return access(shared, W_OK) == 0
      ? URL(fileURLWithPath: shared, isDirectory: true) : FileManager.default.temporaryDirectory
  }

  private static func lockURL(_ folder: URL) -> URL { folder.appendingPathComponent("lock") }

  /// Removes the folders that killed processes left behind.
  ///
  /// A running process holds a lock on its folder. The lock ends with the process in every case.
  private static func removeAbandoned(in base: URL) {
    for name in FileNames.names(in: base) where name.hasPrefix(prefix) {
      let folder = base.appendingPathComponent(name, isDirectory: true)
      guard let lock = FileLock.exclusive(lockURL(folder)) else { continue }
      withExtendedLifetime(lock) { remove(folder) }
    }
  }

  private static func remove(_ folder: URL) {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      // The next in-memory realm tries again.
    }
  }
}
