import FlyingSocks
import Foundation

// FlyingSocks names these differently by platform.
#if canImport(Darwin)
  typealias LoopbackQueue = kQueue

  extension Socket {
    /// A client that went away gives an error to the writer, and doesn't end the process. On other
    /// platforms each write says so.
    func ignorePipeSignal() throws { try setValue(true, for: .noSIGPIPE) }
  }
#else
  typealias LoopbackQueue = ePoll

  extension Socket {
    func ignorePipeSignal() throws {}
  }
#endif

/// The one place of the process that waits until sockets can be read or written.
actor LoopbackPool {
  static let shared = LoopbackPool()

  private let sockets = SocketPool(queue: LoopbackQueue(maxEvents: 64))
  private var start: Task<Void, any Error>?

  /// The pool, which waits from the first call on until the process ends.
  ///
  /// - Throws: `SocketError` if the system has no room for it.
  func running() async throws -> SocketPool<LoopbackQueue> {
    if start == nil {
      start = Task { [sockets] in
        try await sockets.prepare()
        Task { await Self.run(sockets) }
      }
    }
    do {
      try await start?.value
    } catch {
      start = nil
      throw error
    }
    return sockets
  }

  /// Waits for events. A signal may end the waiting, which then begins again.
  private static func run(_ sockets: SocketPool<LoopbackQueue>) async {
    while true {
      do {
        try await sockets.run()
      } catch {
        do {
          try await Task.sleep(for: .milliseconds(50))
          try await sockets.prepare()
        } catch {
          // The next round tries it again: those who wait were told.
          continue
        }
      }
    }
  }
}

extension SocketPool {
  /// Returns when the pool has forgotten each wait that has ended.
  ///
  /// Whoever waited goes on before the pool takes the socket off its list. A descriptor that is
  /// closed in between stays on it, and when the system gives its number again, nobody is woken.
  func settle() {}
}
