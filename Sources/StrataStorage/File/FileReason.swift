package import Foundation

/// The reason why a file operation failed, in the words of the system.
///
/// Foundation's own text is often only the number of an error.
package enum FileReason {
  /// The reason of the last failed system call.
  package static var last: String { text(errno) }

  /// The error code for the last failed system call.
  static var lastCode: RealmError.Code { code(errno) }

  package static func code(_ number: CInt) -> RealmError.Code {
    switch number {
    case EACCES, EPERM, EROFS: .filePermissionDenied
    case ENOSPC, EDQUOT, EFBIG: .outOfDiskSpace
    default: .fileAccess
    }
  }

  package static func text(_ number: CInt) -> String { String(cString: strerror(number)) + "." }

  package static func text(_ error: any Error) -> String {
    number(of: error).map(text) ?? error.localizedDescription
  }

  package static func code(_ error: any Error) -> RealmError.Code {
    number(of: error).map(code) ?? .fileAccess
  }

  private static func number(of error: any Error) -> CInt? {
    if let error = error as? POSIXError { return error.code.rawValue }
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    guard let underlying = underlying.map({ $0 as NSError }),
      underlying.domain == NSPOSIXErrorDomain
    else { return nil }
    return CInt(underlying.code)
  }
}

/// The check that a file can become longer. In two cases SQLite reports a full disk as an I/O error
/// without the reason: in the mapped memory of the WAL index, and where a limit on file sizes is
/// reached.
package enum FileRoom {
  static let diskIsFull = " The disk is full. Free some space and try again. Nothing was changed."

  /// The largest single write of SQLite: a page with its header in the WAL, or a part of the WAL's
  /// index.
  private static let piece: UInt64 = 65_536 + 4_096

  /// Returns why nothing can be added to a file or its WAL, and the repair; nil if there is space.
  static func shortage(at url: URL) -> String? {
    // SQLite may have truncated the WAL already after the failed write.
    if let limit = ProcessLimit.fileBytes.value {
      return " The files of the process must not be longer than \(limit) bytes: raise that limit "
        + "('ulimit -f'), or check the disk, and try again. Nothing was changed."
    }
    return freeBytes(at: url.deletingLastPathComponent()).map { $0 < piece } == true
      ? diskIsFull : nil
  }

  /// Returns the free bytes on the volume of a folder; nil if unknown.
  package static func freeBytes(at folder: URL) -> UInt64? {
    var status = statvfs()
    guard statvfs(folder.path, &status) == 0 else { return nil }
    let blocks = FilePermissions.isAdministrator ? status.f_bfree : status.f_bavail
    return UInt64(blocks) * UInt64(status.f_frsize)
  }
}
