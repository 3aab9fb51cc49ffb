import FlyingSocks
import Foundation

/// The listening sockets of the studio: `127.0.0.1` and `[::1]`, on the same port.
///
/// The studio listens on no other address, so other machines can't reach it.
package struct LoopbackListeners: Sendable {
  package let port: Int
  let sockets: [Socket]

  /// - Parameter port: The port; 0 lets the system choose.
  /// - Throws: ``ServerFailure`` if the port isn't available on `127.0.0.1`. The IPv6 address is
  ///   optional.
  package init(port: Int = 0) throws(ServerFailure) {
    guard let number = UInt16(exactly: port) else {
      throw ServerFailure(
        reason: .portForbidden,
        message: "\(port) is no port. Give one from 1024 to 65535, or leave out '--port'.")
    }
    do {
      let first = try Self.listener(on: sockaddr_in.inet(ip4: "127.0.0.1", port: number))
      guard case .ip4(_, let chosen) = try first.sockname() else {
        try first.close()
        throw SocketError.unsupportedAddress
      }
      self.port = Int(chosen)
      do {
        sockets = [first, try Self.listener(on: sockaddr_in6.inet6(ip6: "::1", port: chosen))]
      } catch {
        // The system has no IPv6, or another program has the port on that address.
        sockets = [first]
      }
    } catch SocketError.failed(_, EADDRINUSE, _) {
      throw ServerFailure(
        reason: .portInUse,
        message: "Port \(port) is in use. Give another one, or leave out '--port'.")
    } catch SocketError.failed(_, EACCES, _) {
      throw ServerFailure(
        reason: .portForbidden,
        message: "Port \(port) is not for this user. Give one from 1024 on, or leave out '--port'.")
    } catch {
      throw .system("\(error)")
    }
  }

  private static func listener<Address: SocketAddress>(on address: Address) throws -> Socket {
    let socket = try Socket(domain: Int32(Address.family), type: .stream)
    do {
      try socket.keepFromPrograms()
      // Allows to reuse the port immediately after the last studio has ended.
      try socket.setValue(true, for: .localAddressReuse)
      try socket.ignorePipeSignal()
      try socket.bind(to: address)
    } catch {
      try socket.close()
      throw error
    }
    // `listen` closes the socket itself when it fails.
    try socket.listen()
    return socket
  }
}

extension Socket {
  /// Keeps child processes, such as a browser, from inheriting the socket.
  func keepFromPrograms() throws {
    guard fcntl(file.rawValue, F_SETFD, FD_CLOEXEC) == 0 else {
      throw SocketError.makeFailed("SetCloseOnExec")
    }
  }
}
