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
    // Sends small events at once, without Nagle's delay.
    try socket.socket.setValue(
      true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
  }

  /// The maximum number of bytes for one read or write. The deadline of a write applies to each.
  private static let maxBytes = 64 << 10

  /// Reads the next bytes; nil if the client sends no more.
  ///
  /// - Throws: `CancellationError`, and the system's error for a broken connection.
  func read() async throws -> [UInt8]? {
    do {
      return try await socket.read(atMost: Self.maxBytes)
    } catch SocketError.disconnected {
      return nil
    }
  }

  /// Writes bytes, and waits until the system has taken them.
  ///
  /// - Parameter pause: The time that the client may accept nothing.
  /// - Throws: ``DeadlinePassed``, `CancellationError`, and the system's error for a broken
  ///   connection.
  func write(_ bytes: [UInt8], pause: Duration) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      try Task.checkCancellation()
      let piece = Data(rest.prefix(Self.maxBytes))
      try await withDeadline(pause) { try await socket.write(piece) }
      rest = rest.dropFirst(piece.count)
    }
  }

  /// Closes the sending side, and reads the client's remaining bytes for a while.
  ///
  /// If a socket is closed with unread bytes, the system resets the connection, and the client may
  /// lose the response.
  func finish(within time: Duration) async {
    guard shutdown(socket.socket.file.rawValue, Int32(SHUT_WR)) == 0 else { return }
    do {
      try await withDeadline(time) { while try await read() != nil {} }
    } catch {
      // The client keeps sending, or has disconnected: either way it had its time.
    }
  }

  /// Closes the socket. No task may wait for it any more.
  func close() async {
    await pool.settle()
    do {
      try socket.close()
    } catch {
      // The descriptor is closed even if the system reports an error.
    }
  }
}
