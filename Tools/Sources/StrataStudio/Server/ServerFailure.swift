/// The reason why the studio can't be served.
package struct ServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package var reason: Reason
  /// The problem and its repair, as two sentences.
  package var message: String

  package enum Reason: Sendable {
    /// Another program has the port: the same call may succeed later.
    case portInUse
    /// The system keeps the port for others.
    case portForbidden
    /// The system has no socket to give.
    case system
    /// There is no place for temporary files.
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
