import Foundation

/// A file that a realm begins as a copy of, where there is none yet.
struct SeedFile {
  let url: URL
  /// Where the realm should be.
  let target: URL

  /// Whether there is no file yet.
  var isWanted: Bool { !FileManager.default.fileExists(atPath: target.path) }

  /// Looks at the seed without changing anything.
  func inspect() throws(RealmError) -> StoreFile.Content {
    try check()
    return try StoreFile.inspect(url, forWriting: false)
  }

  private func check() throws(RealmError) {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw failure(.fileNotFound, "\(FileReason.text(ENOENT)) Correct `seedFilePath`.")
    }
    // Only the file is copied: what a program has written last would be missing without a word.
    if Connections.isQuiet(url.path) { return }
    throw failure(
      .fileAccess,
      "Some of its changes are in '\(url.path)-wal' only. Close the seed in all programs, or run "
        + "'PRAGMA wal_checkpoint(TRUNCATE)' on it.")
  }

  /// Copies the seed to where the file should be, if there is none.
  func copy() throws(RealmError) {
    guard isWanted else { return }
    try check()
    // Under another name first: a copy that is cut short must not be taken for the file.
    let temporary = target.appendingPathExtension("seed-\(UUID().uuidString)")
    do {
      try FileManager.default.copyItem(at: url, to: temporary)
      try place(temporary)
    } catch {
      remove(temporary)
      throw failure(
        .fileAccess,
        "\(FileReason.text(error)) Make room, and check that the folder may be written.", error)
    }
  }

  private func failure(
    _ code: RealmError.Code, _ reason: String, _ error: (any Error)? = nil
  ) -> RealmError {
    RealmError(
      code, "The seed file at path '\(url.path)' can't be copied to '\(target.path)': \(reason)",
      fileURL: url, underlyingError: error)
  }

  /// Gives the copy its name. If another process was faster, its copy stays: that one may have been
  /// written to already.
  private func place(_ copy: URL) throws {
    if link(copy.path, target.path) == 0 || errno == EEXIST {
      remove(copy)
    } else {
      // The file system has no links.
      try FileManager.default.moveItem(at: copy, to: target)
    }
  }

  private func remove(_ copy: URL) {
    do {
      try FileManager.default.removeItem(at: copy)
    } catch {
      // There is none, or it is a file too many, which does no harm.
    }
  }
}
