import Foundation
import GRDB
import StrataStorage

/// A file that is copied to create a realm's file.
struct SeedFile {
  let url: URL
  /// The URL of the realm's file.
  let target: URL
  /// The encryption key of both files.
  let key: FileKey?

  init(_ url: URL, to target: URL, _ key: FileKey?) {
    self.url = StoreFile.behindLinks(url)
    self.target = target
    self.key = key
  }

  /// Whether the realm's file doesn't exist yet.
  var isWanted: Bool { !FileManager.default.fileExists(atPath: target.path) }

  /// Inspects the seed without changing it.
  func inspect() throws(RealmError) -> StoreFile.Content {
    try check()
    return try StoreFile.inspect(url, forWriting: false)
  }

  private func check() throws(RealmError) {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw failure(.fileNotFound, "\(FileReason.text(ENOENT)) Correct `seedFilePath`.")
    }
    // A seed that a program is writing to is not the file that the program was shipped with.
    if StoreFile.isQuiet(url.path) { return }
    throw failure(
      .fileAccess,
      "Some of its changes are in '\(url.path)-wal' only. Close the seed in all programs, or run "
        + "'PRAGMA wal_checkpoint(TRUNCATE)' on it.")
  }

  /// Copies the seed, if the realm's file doesn't exist.
  ///
  /// If another process is faster, its copy remains, because it may have been written to already.
  func copy() throws(RealmError) {
    guard isWanted else { return }
    // An empty file has no content to copy.
    guard try inspect() == .database else { return }
    // A seed may be read-only; the copy must not be.
    let permissions = FilePermissions(of: url)?.writable
    do {
      _ = try CopyDestination.fill(target) { temporary in
        let (queue, appearance) = try Connections.openReadOnly(url, key)
        try queue.unsafeRead {
          try DatabaseCopy.make(of: $0, at: temporary, like: permissions, .init(key))
        }
        guard appearance == nil || appearance == FileAppearance(of: url) else {
          throw RealmError(.fileAccess, "Another program has written to it meanwhile.")
        }
      }
    } catch {
      let reason =
        error is RealmError || error is DatabaseError
        ? RealmError(error, at: url).message : FileReason.text(error)
      throw failure(
        RealmError(error, at: url).code,
        "\(reason) Free some space, and check that the folder is writable.", error)
    }
  }

  private func failure(
    _ code: RealmError.Code, _ reason: String, _ error: (any Error)? = nil
  ) -> RealmError {
    RealmError(
      code, "The seed file at path '\(url.path)' can't be copied to '\(target.path)': \(reason)",
      fileURL: url, underlyingError: error)
  }
}
