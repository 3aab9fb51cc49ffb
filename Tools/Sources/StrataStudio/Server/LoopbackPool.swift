import FlyingSocks
import Foundation

// FlyingSocks names these differently by platform.
#if canImport(Darwin)
  typealias LoopbackQueue = kQueue

  extension Socket {
    /// Makes a write to a disconnected client fail instead of ending the process. On other
    /// platforms each write has a flag for this.
    func ignorePipeSignal() throws { try setValue(true, for: .noSIGPIPE) }
  }
#else
  typealias LoopbackQueue = ePoll

  extension Socket {
    func ignorePipeSignal() throws {}
  }
#endif

/// The single pool of the process that waits for socket events.
actor LoopbackPool {
  static let shared = LoopbackPool()

  private let sockets = SocketPool(queue: LoopbackQueue(maxEvents: 64))
  private var start: Task<Void, any Error>?

  /// Returns the pool. The first call starts the pool, which runs until the process ends.
  ///
  /// - Throws: `SocketError` if the system has no resources for the pool.
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

  /// Waits for events. Restarts the pool if a signal interrupts it.
  private static func run(_ sockets: SocketPool<LoopbackQueue>) async {
    while true {
      do {
        try await sockets.run()
      } catch {
        do {
          try await Task.sleep(for: .milliseconds(50))
          try await sockets.prepare()
        } catch {
          // The next iteration tries again. The waiting tasks have received the error.
          continue
        }
      }
    }
  }
}

extension SocketPool {
  /// Returns when the pool has removed all finished waits.
  ///
  /// A waiting task resumes before the pool removes its socket. If the descriptor is closed in
  /// between, the pool keeps the entry. When the system reuses the number, no task is woken.
  func settle() {}
}
