import FlyingSocks
import Foundation

/// The socket of one connection.
struct ClientSocket: Sendable {
  private let socket: AsyncSocket
  private let pool: SocketPool<LoopbackQueue>

  init(_ socket: AsyncSocket, _ pool: SocketPool<LoopbackQueue>) throws {
    self.socket = socket
    self.pool = pool
    try socket.socket.keepFromPrograms()
    // Small events are sent at once, instead of waiting for more.
    try socket.socket.setValue(
      true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
  }

  /// So many bytes are read, or written without a look at the time.
  private static let most = 64 << 10

  /// The next bytes; nil when the client sends no more.
  ///
  /// - Throws: `CancellationError`, and what the system says of a connection that broke.
  func read() async throws -> [UInt8]? {
    do {
      return try await socket.read(atMost: Self.most)
    } catch SocketError.disconnected {
      return nil
    }
  }

  /// Writes bytes, and waits until the system has taken them.
  ///
  /// - Parameter pause: How long the client may take nothing.
  /// - Throws: ``DeadlinePassed``, `CancellationError`, and what the system says of a connection
  ///   that broke.
  func write(_ bytes: [UInt8], pause: Duration) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      try Task.checkCancellation()
      let piece = Data(rest.prefix(Self.most))
      try await withDeadline(pause) { try await socket.write(piece) }
      rest = rest.dropFirst(piece.count)
    }
  }

  /// Says that nothing more is sent, and takes what the client still sends, for a while.
  ///
  /// A socket that is closed with bytes that nobody read has the system tell the client so, which
  /// may then lose the response.
  func finish(within time: Duration) async {
    guard shutdown(socket.socket.file.rawValue, Int32(SHUT_WR)) == 0 else { return }
    do {
      try await withDeadline(time) { while try await read() != nil {} }
    } catch {
      // The client goes on sending, or is gone: either way it had its time.
    }
  }

  /// Closes the socket. Nobody waits for it any more.
  func close() async {
    await pool.settle()
    do {
      try socket.close()
    } catch {
      // The descriptor is free whatever the system says.
    }
  }
}
