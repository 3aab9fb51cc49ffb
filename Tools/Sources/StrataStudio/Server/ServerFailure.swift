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

  static func system(_ text: String) -> ServerFailure {
    ServerFailure(
      reason: .system,
      message: "The system gives no socket (\(text)). Close some programs, and start again.")
  }
}
