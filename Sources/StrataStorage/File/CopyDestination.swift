package import Foundation

/// The place of a copy, which gets its name when it is whole: one that is cut short must not be
/// taken for it.
///
/// Beside `copy.sqlite` there are meanwhile `copy.sqlite.copy-ID` and `copy.sqlite.copy-ID.lock`,
/// which the process holds a lock on, and for another key `copy.sqlite.copy-ID.whole`. Where no
/// process holds it one was killed, and the next one that makes or restores a file of that name
/// removes what is left.
package enum CopyDestination {
  /// Makes a copy and gives it its name.
  ///
  /// - Parameter make: Makes the file of a name that nobody else knows; it is on the disk when it
  ///   returns.
  /// - Returns: False when there is a file of that name already, which stays.
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

  /// A name of its own, locked before another process can find it abandoned.
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

  /// Removes what killed processes have left of copies with the name of a file.
  static func removeAbandoned(beside url: URL) {
    let name = url.lastPathComponent
    removeAbandoned(in: url.deletingLastPathComponent()) { $0 == name }
  }

  /// Removes what killed processes have left in a folder.
  ///
  /// - Parameter isCopy: Whether a name is that of a copy.
  static func removeAbandoned(in folder: URL, _ isCopy: (_ name: String) -> Bool) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      // Cleaning up after others is a courtesy; the copy itself says what is wrong with the folder.
      return
    }
    for name in names where name.hasSuffix(lockEnding) {
      guard let end = name.range(of: ".\(mark)", options: .backwards)?.lowerBound,
        isCopy(String(name[..<end]))
      else { continue }
      let lockFile = folder.appendingPathComponent(name)
      guard let lock = FileLock.exclusive(lockFile) else { continue }
      withExtendedLifetime(lock) { remove(lockFile.deletingPathExtension()) }
    }
  }
}
