/// The reason why the server can't start.
package struct ServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package var reason: Reason
  /// The problem and its repair, as two sentences.
  package var message: String

  package enum Reason: Sendable {
    /// Another program uses the port: a retry may succeed later.
    case portInUse
    /// The system reserves the port.
    case portForbidden
    /// The system can't create a socket.
    case system
    /// The folder for temporary files isn't usable.
    case noFolder
  }

  package var description: String { message }

  static func portInUse(_ port: Int) -> ServerFailure {
    ServerFailure(
      reason: .portInUse,
      message: "Port \(port) is in use. Give another one, or leave out '--port'.")
  }

  static func portForbidden(_ port: Int) -> ServerFailure {
    ServerFailure(
      reason: .portForbidden,
      message: "Port \(port) is not for this user. Give one from 1024 on, or leave out '--port'.")
  }

  static func noPort(_ port: Int) -> ServerFailure {
    ServerFailure(
      reason: .portForbidden,
      message: "\(port) is no port. Give one from 1024 to 65535, or leave out '--port'.")
  }

  static func system(_ text: String) -> ServerFailure {
    ServerFailure(
      reason: .system,
      message: "The system gives no socket (\(text)). Close some programs, and start again.")
  }
}
