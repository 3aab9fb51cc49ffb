import Foundation
import Synchronization

/// The files of an open database under their names: itself, its WAL and the index of that.
///
/// A file that was deleted or replaced continues to exist for the connections that have it open:
/// what they write is lost with the last of them, and other programs never see it. SQLite finds the
/// WAL and its index by their names as well, and never looks for them again.
final class FilePresence: Sendable {
  private let url: URL
  private let path: String
  private let file: FileNumber?
  private let log: Companion
  private let index: Companion

  /// A file beside the database.
  private struct Companion: ~Copyable, Sendable {
    let path: String
    /// Nil until it is known.
    private let number: Mutex<FileNumber?>

    init(_ path: String, isOpen: Bool) {
      self.path = path
      number = Mutex(isOpen ? FileNumber(path) : nil)
    }

    /// - Parameter notes: Whether one that wasn't known is the right one.
    func isGone(noting notes: Bool) -> Bool {
      let found = FileNumber(path)
      return number.withLock { number in
        if number == nil, notes { number = found }
        return number != nil && number != found
      }
    }
  }

  /// - Parameters:
  ///   - file: The file that connections show; nil where that isn't known.
  ///   - isOpen: Whether connections to it are open, so that what is beside it belongs to them.
  init(_ stored: StoreFile, _ file: FileNumber?, isOpen: Bool) {
    url = stored.url
    path = stored.path
    self.file = file ?? FileNumber(path)
    log = Companion(path + "-wal", isOpen: isOpen)
    index = Companion(path + "-shm", isOpen: isOpen)
  }

  /// Whether the file has its name.
  var isThere: Bool { file == FileNumber(path) }

  /// - Throws: ``RealmError`` when the WAL or its index is not the one that the connections have
  ///   open. Only while one has begun to write.
  func checkCompanions() throws(RealmError) {
    if log.isGone(noting: true) { throw lost(log.path) }
    if index.isGone(noting: true) { throw lost(index.path) }
  }

  /// The reason why they are lost; nil when all are there, or nothing can be known.
  var loss: RealmError? {
    if !isThere { return FileNames.isOutOfReach(url) ? nil : moved }
    if log.isGone(noting: false) { return lost(log.path) }
    return index.isGone(noting: false) ? lost(index.path) : nil
  }

  /// The error of a file that isn't found under its name any more.
  var moved: RealmError {
    // A file that is gone can't be told by its name from one that the program may not see.
    guard !FileNames.isOutOfReach(url) else {
      return RealmError(
        .filePermissionDenied,
        "The file at path '\(path)' can't be reached any more: \(FileReason.text(EACCES)) Allow the "
          + "program to enter its folder again, and repeat the transaction.", fileURL: url)
    }
    return RealmError(
      .fileNotFound,
      "The file at path '\(path)' was deleted, moved or replaced while it was open: new changes "
        + "would be lost. Release all realms of the path, and open it again.", fileURL: url)
  }

  private func lost(_ companion: String) -> RealmError {
    guard !FileNames.isOutOfReach(url) else { return moved }
    return RealmError(
      .fileNotFound,
      "'\(companion)', which belongs to the file, was deleted or replaced while it was open: new "
        + "changes would be lost. Release all realms of the file, in each program, and open it again.",
      fileURL: url)
  }
}
