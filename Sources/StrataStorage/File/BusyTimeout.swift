import Foundation
import Synchronization

/// The time that a connection waits for the write lock of another process.
///
/// An ordinary write waits ten seconds. A migration may take much longer, and another process that
/// opens the file meanwhile waits for it instead of failing.
package final class BusyTimeout: Sendable {
  package static let ordinary = Duration.seconds(10)
  package static let migration = Duration.seconds(600)

  private let state = Mutex<(limit: Duration, start: ContinuousClock.Instant?)>((ordinary, nil))
  private let cancellation: Cancellation?
  private let isPatient = Atomic<Bool>(true)

  package init(_ cancellation: Cancellation? = nil) { self.cancellation = cancellation }

  package var limit: Duration { state.withLock { $0.limit } }

  /// Changes how long to wait from now on.
  package func set(_ limit: Duration) {
    state.withLock { $0.limit = limit }
  }

  /// Runs a closure in which nothing waits for another process.
  package func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
    isPatient.store(false, ordering: .relaxed)
    defer { isPatient.store(true, ordering: .relaxed) }
    return try body()
  }

  /// SQLite's busy handler: waits a little, longer each time; false when the limit is reached.
  func shouldWait(attempts: Int) -> Bool {
    guard isPatient.load(ordering: .relaxed) else { return false }
    let waited = state.withLock { state -> Duration in
      let now = ContinuousClock.now
      if attempts == 0 { state.start = now }
      return now - (state.start ?? now)
    }
    guard waited < limit, cancellation?.isCancelled != true else { return false }
    usleep(UInt32(min(1_000 * (attempts + 1), 25_000)))
    return true
  }
}
