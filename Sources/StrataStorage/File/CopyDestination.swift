package import Foundation

/// The destination of a copy. The copy gets its name when it is complete, so that an interrupted
/// copy can't be mistaken for a complete one.
///
/// Meanwhile there are, beside `copy.sqlite`, the files `copy.sqlite.copy-ID` and
/// `copy.sqlite.copy-ID.lock`, which the process has locked, and for another key or a twin
/// `copy.sqlite.copy-ID.whole`. If no process holds the lock, the process was killed. The next
/// process that makes or restores a file of that name removes the leftover files.
package enum CopyDestination {
  /// Makes a copy and gives it its name.
  ///
  /// - Parameter make: Writes the file under a name that only this call knows. The file is on the
  ///   disk when the closure returns.
  /// - Returns: False if a file of that name exists already. The existing file is kept.
  /// - Throws: ``RealmError``, a `DatabaseError` or the error of the closure; then no copy exists.
  package static func fill(_ url: URL, _ make: (_ temporary: URL) throws -> Void) throws -> Bool {
    try withTemporary(beside: url) { temporary in
      try make(temporary)
      return try PlainFile.name(temporary, url)
    }
  }

  /// Calls a closure with a new temporary name beside a file, and then deletes the temporary file
  /// if it is still there.
  static func withTemporary<Result>(
    beside url: URL, _ body: (_ temporary: URL) throws -> Result
  ) throws -> Result {
    removeAbandoned(beside: url)
    let (temporary, lock) = try reserve(url)
    defer { withExtendedLifetime(lock) { remove(temporary) } }
    return try body(temporary)
  }

  /// Returns a new name, and its lock, which is taken before another process can consider it
  /// abandoned.
  private static func reserve(_ url: URL) throws(RealmError) -> (URL, FileLock) {
    while true {
      let temporary = url.appendingPathExtension("\(mark)\(UUID().uuidString)")
      if let excess = PathName.excess(of: temporary.path) {
        throw RealmError(
          .fileAccess, "The copy is made under a longer name, '\(temporary.path)'.\(excess)",
          fileURL: url)
      }
      if let lock = try FileLock.exclusive(making: lockURL(temporary)) { return (temporary, lock) }
    }
  }

  private static let mark = "copy-"
  private static let lockEnding = ".lock"

  private static func lockURL(_ temporary: URL) -> URL { temporary.appendingPathExtension("lock") }

  private static func remove(_ temporary: URL) {
    DatabaseCopy.remove(temporary)
    DatabaseCopy.remove(DatabaseCopy.between(temporary))
    unlink(lockURL(temporary).path)
  }

  /// Removes the files that killed processes left of copies with the name of a file.
  static func removeAbandoned(beside url: URL) {
    let name = url.lastPathComponent
    removeAbandoned(in: url.deletingLastPathComponent()) { $0 == name }
  }

  /// Removes the files that killed processes left in a folder.
  ///
  /// - Parameter isCopy: Whether a name is the name of a copy.
  static func removeAbandoned(in folder: URL, _ isCopy: (_ name: String) -> Bool) {
    for name in FileNames.names(in: folder) where name.hasSuffix(lockEnding) {
      guard let end = name.range(of: ".\(mark)", options: .backwards)?.lowerBound,
        isCopy(String(name[..<end]))
      else { continue }
      let lockFile = folder.appendingPathComponent(name)
      guard let lock = FileLock.exclusive(lockFile) else { continue }
      withExtendedLifetime(lock) { remove(lockFile.deletingPathExtension()) }
    }
  }
}
