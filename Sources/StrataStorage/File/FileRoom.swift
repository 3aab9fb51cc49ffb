package import Foundation

/// The check that a file can become longer. SQLite reports a full disk as an I/O error, without the
/// reason, where it happens in the memory that is mapped for the WAL, or where files must not grow.
package enum FileRoom {
  static let diskIsFull = " The disk is full: make room and try again. Nothing was changed."

  /// What SQLite writes at once: a page with its header in the WAL, or a part of the WAL's index.
  private static let piece: UInt64 = 65_536 + 4_096

  /// Why nothing can be added to a file or its WAL, and what to do; nil when something can.
  static func shortage(at url: URL) -> String? {
    // The part that was too long may be removed already: SQLite truncates a WAL that it can't
    // write.
    if let limit = ProcessLimit.fileBytes.value {
      return " The files of the process must not be longer than \(limit) bytes: raise that limit "
        + "('ulimit -f'), or check the disk, and try again. Nothing was changed."
    }
    return freeBytes(at: url.deletingLastPathComponent()).map { $0 < piece } == true
      ? diskIsFull : nil
  }

  /// The bytes that can be written to the volume of a folder; nil where that isn't known.
  package static func freeBytes(at folder: URL) -> UInt64? {
    var status = statvfs()
    guard statvfs(folder.path, &status) == 0 else { return nil }
    let blocks = FilePermissions.isAdministrator ? status.f_bfree : status.f_bavail
    return UInt64(blocks) * UInt64(status.f_frsize)
  }
}
