import Foundation

/// Why something with a file failed, in the words of the system.
///
/// Foundation's own text is often nothing but the number of an error.
enum FileReason {
  /// What the last call of the system said.
  static var last: String { text(errno) }

  static func text(_ number: CInt) -> String { String(cString: strerror(number)) + "." }

  static func text(_ error: any Error) -> String {
    if let error = error as? POSIXError { return text(error.code.rawValue) }
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    if let underlying = underlying.map({ $0 as NSError }), underlying.domain == NSPOSIXErrorDomain {
      return text(CInt(underlying.code))
    }
    return error.localizedDescription
  }
}
