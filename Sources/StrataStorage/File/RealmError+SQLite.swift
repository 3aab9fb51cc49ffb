package import Foundation
package import GRDB
import GRDBSQLite

extension RealmError {
  /// Translates an error of SQLite, GRDB or the file system. A `RealmError` stays as it is.
  package init(_ error: any Error, at url: URL?) {
    switch error {
    case let error as RealmError:
      self = error
    case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB:
      let place = url.map { " at path '\($0.path)'" } ?? ""
      self.init(
        .invalidDatabase,
        "Failed to open Realm file\(place): it is not an SQLite database, or its first page is damaged, "
          + "or it is encrypted, which needs `encryptionKey`. A file of Realm itself is converted by "
          + "`convertsRealmFile`.", fileURL: url, underlyingError: error)
    case let error as DatabaseError:
      let place = url.map { " at path '\($0.path)'" } ?? ""
      let (code, advice) = Self.meaning(of: error, at: url)
      // GRDB's message has no arguments, which are values of rows.
      self.init(
        code,
        "Realm file\(place): \(Self.text(of: error)).\(advice)",
        fileURL: url, underlyingError: error)
    default:
      self.init(.fail, "\(error)", fileURL: url, underlyingError: error)
    }
  }

  /// Returns SQLite's own sentence. After a failed backup the connections' message says "not an
  /// error".
  package static func text(of error: DatabaseError) -> String {
    guard let message = error.message, message != String(cString: sqlite3_errstr(SQLITE_OK)) else {
      return String(cString: sqlite3_errstr(error.resultCode.rawValue))
    }
    return message
  }

  /// Whether another connection uses the file, so that a retry may succeed.
  package var isBusy: Bool {
    switch underlyingError {
    case let error as DatabaseError: [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
    case let error as RealmError: error.isBusy
    default: false
    }
  }

  /// Creates the error of a copy. If the disk is full, the error concerns the copy, not the source.
  package init(_ error: any Error, copying source: URL, to copy: URL) {
    let reason = (error as? RealmError)?.underlyingError ?? error
    let ofCopy = RealmError(reason, at: copy)
    self = ofCopy.code == .outOfDiskSpace ? ofCopy : RealmError(error, at: source)
  }

  private static func meaning(of error: DatabaseError, at url: URL?) -> (Code, String) {
    switch error.resultCode {
    case .SQLITE_CORRUPT:
      (.invalidDatabase, " The file is damaged: restore it from a backup.")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      (
        .fileAccess,
        " Another process is writing to the file, or migrating it: try again when it is done."
      )
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      (.filePermissionDenied, " Use a path where the program may write.")
    case .SQLITE_CANTOPEN:
      (
        url.map(FileNames.isOutOfReach) == true ? .filePermissionDenied : .fileAccess,
        url.flatMap { PathName.excess(of: $0.path) } ?? OpenFiles.shortage
          ?? " Check that the file and its folder may be read and written."
      )
    case .SQLITE_FULL:
      (.outOfDiskSpace, FileRoom.diskIsFull)
    case .SQLITE_IOERR:
      url.flatMap(FileRoom.shortage).map { (.outOfDiskSpace, $0) }
        ?? (
          .fileAccess,
          url.flatMap(FileNames.otherName)
            ?? " The disk or its file system failed: check both and try again."
        )
    case .SQLITE_TOOBIG:
      (
        .fail,
        " A value, or a row with all of its values, is longer than SQLite allows: keep long values "
          + "in separate files, or divide them among several objects."
      )
    default:
      (.fail, "")
    }
  }
}

extension Database {
  /// The connection's file, for errors.
  package var fileURL: URL? {
    guard let name = sqlite3_db_filename(sqliteConnection, nil), name.pointee != 0 else {
      return nil
    }
    return URL(fileURLWithPath: String(cString: name))
  }
}

@inline(__always)
package func translatingErrors<Result>(
  at url: URL?, _ body: () throws -> Result
) throws(RealmError) -> Result {
  do {
    return try body()
  } catch {
    throw RealmError(error, at: url)
  }
}

extension RealmError {
  /// The extended result code of SQLite, if the error comes from SQLite.
  package var sqliteCode: Int32? {
    (underlyingError as? DatabaseError)?.extendedResultCode.rawValue
  }
}

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
