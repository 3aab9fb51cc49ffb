package import Foundation

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
