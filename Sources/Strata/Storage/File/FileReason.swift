import Foundation

/// Why something with a file failed, in the words of the system.
///
/// Foundation's own text is often nothing but the number of an error.
enum FileReason {
  /// The reason of the last failed system call.
  static var last: String { text(errno) }

  static func text(_ number: CInt) -> String { String(cString: strerror(number)) + "." }

  static func text(_ error: any Error) -> String {
    number(of: error).map(text) ?? error.localizedDescription
  }

  /// Whether the permissions of a file or folder are the reason.
  static func isPermission(_ error: any Error) -> Bool {
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
