import Foundation
import Synchronization

/// The time that a connection waits for the write lock of another process.
///
/// An ordinary write waits ten seconds, or as long as the configuration says. A migration may take
/// much longer; another process that opens the file meanwhile waits for it instead of failing.
package final class BusyTimeout: Sendable {
  package static let ordinary = Duration.seconds(10)
  package static let migration = Duration.seconds(600)

  private struct State {
    var limit: Duration
    var start: ContinuousClock.Instant?
    /// The cancellation that ends the wait.
    var cancellation: Cancellation?
  }

  private let ofWrites: Duration
  private let state: Mutex<State>
  private let isPatient = Atomic<Bool>(true)

  package init(ofWrites: Duration = ordinary, _ cancellation: Cancellation? = nil) {
    self.ofWrites = ofWrites
    state = Mutex(State(limit: ofWrites, cancellation: cancellation))
  }

  package var limit: Duration { state.withLock { $0.limit } }

  /// Changes the limit from now on.
  package func set(_ limit: Duration) {
    state.withLock { $0.limit = limit }
  }

  /// Ends the opening: restores the limit of an ordinary write, and ignores a later cancellation.
  package func endOpening() {
    state.withLock { $0 = State(limit: ofWrites) }
  }

  /// Runs a closure without waiting for other processes: SQLite fails at once if the file is
  /// locked.
  package func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
    isPatient.store(false, ordering: .relaxed)
    defer { isPatient.store(true, ordering: .relaxed) }
    return try body()
  }

  /// Waits as SQLite's busy handler, a little longer each time. Returns false when the limit is
  /// reached.
  func shouldWait(attempts: Int) -> Bool {
    guard isPatient.load(ordering: .relaxed) else { return false }
    let waits = state.withLock { state in
      let now = ContinuousClock.now
      if attempts == 0 { state.start = now }
      return now - (state.start ?? now) < state.limit && state.cancellation?.isCancelled != true
    }
    guard waits else { return false }
    usleep(UInt32(min(1_000 * (attempts + 1), 25_000)))
    return true
  }
}
