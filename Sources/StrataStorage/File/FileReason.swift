import Foundation

/// The reason why something with a file failed, in the words of the system.
///
/// Foundation's own text is often nothing but the number of an error.
package enum FileReason {
  /// The reason of the last failed system call.
  package static var last: String { text(errno) }

  /// What the reason of the last failed system call means to a program.
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

  /// Whether the permissions of a file or folder are the reason.
  package static func isPermission(_ error: any Error) -> Bool {
    number(of: error).map([EACCES, EPERM, EROFS].contains) ?? false
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
