import Synchronization

/// A signal that wakes one waiting task. A signal that is sent before the wait isn't lost.
package final class Signal: Sendable {
  private enum State {
    case idle, sent, cancelled
    case waiting(CheckedContinuation<Bool, Never>)
  }

  private let state = Mutex(State.idle)

  package init() {}

  @inline(never) package func send() {
    let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      switch state {
      case .waiting(let continuation):
        state = .idle
        return continuation
      case .idle, .sent:
        state = .sent
        return nil
      case .cancelled: return nil
      }
    }
    waiting?.resume(returning: true)
  }

  /// - Returns: False if the task is cancelled.
  package func wait(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let result = beginWaiting(continuation) { continuation.resume(returning: result) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// - Returns: The result if there is no need to wait, otherwise nil.
  @inline(never) private func beginWaiting(_ continuation: CheckedContinuation<Bool, Never>)
    -> Bool?
  {
    state.withLock { state in
      switch state {
      case .sent:
        state = .idle
        return true
      case .cancelled: return false
      case .idle, .waiting:
        state = .waiting(continuation)
        return nil
      }
    }
  }

  @inline(never) private func cancel() {
    let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      defer { state = .cancelled }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume(returning: false)
  }
}
