import Synchronization

/// The register of open connections and their phases.
final class ConnectionRegister: Sendable {
  private let maxCount: Int
  private let state = Mutex(State())

  private struct State {
    var connections: [Int: Connection] = [:]
    var nextNumber = 0
    var isEnding = false
  }

  private struct Connection {
    var phase: Phase
    var task: Task<Void, Never>?
    var isCancelled = false

    mutating func cancel() {
      isCancelled = true
      task?.cancel()
    }
  }

  enum Phase {
    /// The connection waits for its next request.
    case idle(since: ContinuousClock.Instant)
    case responding
    /// The response is an endless stream.
    case streaming

    fileprivate var start: ContinuousClock.Instant? {
      if case .idle(let start) = self { start } else { nil }
    }
  }

  init(maxCount: Int) { self.maxCount = maxCount }

  @inline(never) var isEmpty: Bool { state.withLock { $0.connections.isEmpty } }

  @inline(never) var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Registers a connection. If there are too many, the longest idle connection is cancelled.
  ///
  /// - Returns: The number of the connection; nil if all others are busy.
  @inline(never) func add() -> Int? {
    state.withLock { state in
      if state.connections.values.count(where: { !$0.isCancelled }) >= maxCount {
        let idle = state.connections.filter { !$0.value.isCancelled && $0.value.phase.start != nil }
        let oldest = idle.min { one, two in
          guard let first = one.value.phase.start, let second = two.value.phase.start else {
            return false
          }
          return first < second
        }
        guard let oldest else { return nil }
        state.connections[oldest.key]?.cancel()
      }
      let number = state.nextNumber
      state.nextNumber += 1
      state.connections[number] = Connection(phase: .idle(since: .now))
      return number
    }
  }

  /// Sets the task of a connection, and cancels it if the connection was cancelled already.
  @inline(never) func attach(_ task: Task<Void, Never>, to number: Int) {
    state.withLock { state in
      state.connections[number]?.task = task
      if state.connections[number]?.isCancelled == true { task.cancel() }
    }
  }

  @inline(never) func remove(_ number: Int) {
    state.withLock { _ = $0.connections.removeValue(forKey: number) }
  }

  /// Records the phase of a connection.
  ///
  /// - Returns: Whether the connection may continue.
  @inline(never) func enter(_ phase: Phase, _ number: Int) -> Bool {
    state.withLock { state in
      guard var connection = state.connections[number], !connection.isCancelled else {
        return false
      }
      if state.isEnding, case .responding = connection.phase {
        guard case .responding = phase else { return false }
      }
      connection.phase = phase
      state.connections[number] = connection
      return true
    }
  }

  /// Cancels streams and idle connections. Other requests continue until their responses are sent.
  @inline(never) func end() {
    state.withLock { state in
      state.isEnding = true
      for (number, connection) in state.connections {
        if case .responding = connection.phase { continue }
        state.connections[number]?.cancel()
      }
    }
  }

  /// Cancels all remaining connections.
  @inline(never) func cancelAll() {
    state.withLock { state in
      for number in state.connections.keys { state.connections[number]?.cancel() }
    }
  }
}
