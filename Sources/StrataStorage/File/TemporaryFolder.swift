package import Foundation

/// The folder of an in-memory realm: in memory where the system supports that, and removed when
/// the last reference is.
///
/// SQLite's own in-memory databases have one connection, or share one cache without isolation. A
/// file on a memory file system gives readers and migrations the same snapshots as any other file.
package final class TemporaryFolder: Sendable {
  package let url: URL
  /// Another process removes the folder as soon as it isn't locked.
  private let lock: FileLock

  /// The medium on which a folder is to be.
  package enum Medium {
    /// In memory, where the system has a place for that.
    case memory
    /// With the temporary files of the user, for files that may be larger than memory.
    case disk
  }

  /// - Throws: ``RealmError`` with code `fileAccess` when no folder can be made.
  package init(on medium: Medium = .memory) throws(RealmError) {
    let base = medium == .memory ? Self.base : FileManager.default.temporaryDirectory
    Self.removeAbandoned(in: base)
    // Another process that removes abandoned folders may find it before it is locked.
    for _ in 0..<Self.mostAttempts {
      let folder = try Self.make(in: base)
      if let lock = try FileLock.shared(Self.lockURL(folder)) {
        url = folder
        self.lock = lock
        return
      }
    }
    throw RealmError(
      .fileAccess,
      "No temporary folder can be created in '\(base.path)': other processes remove it. End these.")
  }

  deinit { Self.remove(url) }

  private static let mostAttempts = 100

  private static func make(in base: URL) throws(RealmError) -> URL {
    let url = base.appendingPathComponent("\(prefix)\(UUID().uuidString)", isDirectory: true)
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
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

  /// Removes the folders that processes left behind when they were killed.
  ///
  /// A living process holds a lock on its folder, which ends with the process however it ends.
  private static func removeAbandoned(in base: URL) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: base.path)
    } catch {
      // Cleaning up after others is a courtesy; opening a realm doesn't depend on it.
      return
    }
    for name in names where name.hasPrefix(prefix) {
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
