import Foundation
import Synchronization

/// The files of an open database, by their names: the file, its WAL, and the index of the WAL.
///
/// A deleted or replaced file continues to exist for the connections that have it open. Their
/// writes are lost when the last of them closes, and other programs never see these writes. SQLite
/// also finds the WAL and its index by their names, and never checks these names again.
final class FilePresence: Sendable {
  private let url: URL
  private let path: String
  private let file: FileNumber?
  private let log: Companion
  private let index: Companion

  /// A file beside the database.
  private struct Companion: ~Copyable, Sendable {
    let path: String
    /// The file's number; nil until known.
    private let number: Mutex<FileNumber?>

    init(_ path: String, isOpen: Bool) {
      self.path = path
      number = Mutex(isOpen ? FileNumber(path) : nil)
    }

    /// - Parameter notes: Whether to record the number of the present file if none is known yet.
    func isGone(noting notes: Bool) -> Bool {
      let found = FileNumber(path)
      return number.withLock { number in
        if number == nil, notes { number = found }
        return number != nil && number != found
      }
    }
  }

  /// - Parameters:
  ///   - file: The file that the connections have open; nil if unknown.
  ///   - isOpen: Whether connections to the file are open, so that the files beside it belong to
  ///     them.
  init(_ stored: StoreFile, _ file: FileNumber?, isOpen: Bool) {
    url = stored.url
    path = stored.path
    self.file = file ?? FileNumber(path)
    log = Companion(path + "-wal", isOpen: isOpen)
    index = Companion(path + "-shm", isOpen: isOpen)
  }

  /// Whether the file can be found under its name.
  var isThere: Bool { file == FileNumber(path) }

  /// - Throws: ``RealmError`` if the WAL or its index is not the file that the connections have
  ///   open. Call it only while a connection has begun to write.
  func checkCompanions() throws(RealmError) {
    if log.isGone(noting: true) { throw lost(log.path) }
    if index.isGone(noting: true) { throw lost(index.path) }
  }

  /// The reason why files are lost; nil if all are present, or if that is unknown.
  var loss: RealmError? {
    if !isThere { return FileNames.isOutOfReach(url) ? nil : moved }
    if log.isGone(noting: false) { return lost(log.path) }
    return index.isGone(noting: false) ? lost(index.path) : nil
  }

  /// The error of a file that can't be found under its name any more.
  var moved: RealmError {
    // A deleted file can't be distinguished by its name from one that the program may not see.
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
