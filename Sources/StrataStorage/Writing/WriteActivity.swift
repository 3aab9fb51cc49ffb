import Synchronization

/// The way to the observers of a file for what they hear of its transactions.
///
/// ``current`` belongs to the holder of the ``WriteQueue``.
package final class WriteActivity: Sendable {
  private let observers: ActivityObservers
  private let running = Mutex<RunningActivity?>(nil)

  init(_ observers: ActivityObservers) { self.observers = observers }

  /// The transaction that goes on.
  package var current: RunningActivity? { running.withLock { $0 } }

  /// Somebody asks to write.
  func asks() -> RunningActivity { observers.begin(.write) }

  /// A transaction of the file has begun, for one that asked.
  func began(_ activity: RunningActivity) {
    activity.hasWaited()
    running.withLock { $0 = activity }
  }

  func committed(rows: Int, author: String?) {
    take()?.end(RealmActivityResult(duration: .zero, rowsWritten: rows), author: author)
  }

  func rolledBack(because error: RealmError? = nil, author: String? = nil) {
    take()?.end(
      RealmActivityResult(duration: .zero, isComplete: false, error: error), author: author)
  }

  private func take() -> RunningActivity? {
    running.withLock { running in
      defer { running = nil }
      return running
    }
  }
}
