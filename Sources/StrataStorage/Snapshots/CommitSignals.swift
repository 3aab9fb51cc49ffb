import Synchronization

/// The tasks that wait for the next commit of a file.
package final class CommitSignals: Sendable {
  private let signals = Mutex<[ObjectIdentifier: Signal]>([:])
  private let count = Atomic(0)

  /// Has a signal sent at each commit from now on.
  package func add(_ signal: Signal) {
    signals.withLock { signals in
      signals[ObjectIdentifier(signal)] = signal
      count.store(signals.count, ordering: .releasing)
    }
  }

  package func remove(_ signal: Signal) {
    signals.withLock { signals in
      signals[ObjectIdentifier(signal)] = nil
      count.store(signals.count, ordering: .releasing)
    }
  }

  /// Wakes all of them.
  func send() {
    guard count.load(ordering: .acquiring) > 0 else { return }
    for signal in signals.withLock({ Array($0.values) }) { signal.send() }
  }
}
