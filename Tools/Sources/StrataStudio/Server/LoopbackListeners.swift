import FlyingSocks
import Foundation

/// The sockets on which the studio listens: `127.0.0.1` and `[::1]`, with the same port.
///
/// There is no other address, so that no other machine reaches the studio.
package struct LoopbackListeners: Sendable {
  package let port: Int
  let sockets: [Socket]

  /// - Parameter port: The port; 0 has the system choose one.
  /// - Throws: ``ServerFailure`` if `127.0.0.1` can't have the port. One address is enough, if the
  ///   other one can't have it.
  package init(port: Int = 0) throws(ServerFailure) {
    guard let number = UInt16(exactly: port) else { throw .noPort(port) }
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
        // A system without IPv6, or another program on that address.
        sockets = [first]
      }
    } catch SocketError.failed(_, EADDRINUSE, _) {
      throw .portInUse(port)
    } catch SocketError.failed(_, EACCES, _) {
      throw .portForbidden(port)
    } catch {
      throw .system("\(error)")
    }
  }

  private static func listener<Address: SocketAddress>(on address: Address) throws -> Socket {
    let socket = try Socket(domain: Int32(Address.family), type: .stream)
    do {
      try socket.keepFromPrograms()
      // A port can be had again at once after the last studio has ended.
      try socket.setValue(true, for: .localAddressReuse)
      try socket.ignorePipeSignal()
      try socket.bind(to: address)
    } catch {
      try socket.close()
      throw error
    }
    // This closes the socket itself when it fails.
    try socket.listen()
    return socket
  }
}

extension Socket {
  /// Programs that are started, such as a browser, don't inherit the socket.
  func keepFromPrograms() throws {
    guard fcntl(file.rawValue, F_SETFD, FD_CLOEXEC) == 0 else {
      throw SocketError.makeFailed("SetCloseOnExec")
    }
  }
}
