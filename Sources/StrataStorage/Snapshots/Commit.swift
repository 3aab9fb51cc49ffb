public import CStrataRuntime
package import StrataQuery
package import StrataSchema
import Synchronization

/// The end of a transaction that was committed.
package struct CommittedTransaction: Sendable {
  /// The number of the new state.
  package var number: UInt64
  /// How many rows of any table SQLite has changed, also by triggers and foreign keys.
  package var changedRows: Int
}

/// A collection of one object, in a file.
package struct CollectionKey: Hashable, Sendable {
  package var table: String
  package var owner: Int64

  package init(table: String, owner: Int64) {
    self.table = table
    self.owner = owner
  }
}

/// The knowledge of a session of its own changes, beyond the rows that they touched.
package struct CommitDetails: Sendable {
  /// The properties that were set, by class and row.
  package var properties: [String: [Int64: PropertySet]] = [:]
  /// How lists were edited; nil for one that was changed in ways that can't be told.
  package var edits: [CollectionKey: ListEdits?] = [:]
  /// The name of who writes, for the history.
  package var author: String?
  /// The classes all of whose objects were deleted at once.
  package var deletedAll: Set<String> = []
  /// The observations that shall not hear of it.
  package var silenced: Set<ObjectIdentifier> = []
  /// Where the session wants to find which rows its transaction has touched.
  package var rows: Rows?

  package init() {}

  /// The rows that a transaction has touched, for the session that commits.
  package final class Rows: Sendable {
    private let changes = Mutex<NotedChanges?>(nil)

    package init() {}

    /// Nil when that isn't known.
    package var noted: NotedChanges? { changes.withLock { $0 } }

    package func note(_ noted: NotedChanges?) { changes.withLock { $0 = noted } }
  }
}

/// A new state of a file.
package struct Commit: Sendable {
  package let snapshot: Snapshot
  /// The rows that were touched since the state before; nil when only comparing can tell.
  package let changes: NotedChanges?
  package let details: CommitDetails

  package init(snapshot: Snapshot, changes: NotedChanges?, details: CommitDetails) {
    self.snapshot = snapshot
    self.changes = changes
    self.details = details
  }
}

/// A receiver of the commits of a store.
///
/// It is called in their order, before the next one can be made, and must return at once.
package protocol CommitReceiver: AnyObject, Sendable {
  /// Whether anything is observed.
  var isActive: Bool { get }

  /// Whether it must know which properties of objects of a class are set.
  func observesProperties(of className: String) -> Bool

  /// Whether it must know how a list is edited.
  func observes(_ list: CollectionKey) -> Bool

  func receive(_ commit: Commit)

  /// A state could not be kept: what comes next must be compared with the one before.
  func missed(_ error: any Error)

  /// Nothing can be read any more.
  func failed(_ error: RealmError)
}

/// A clock that advances with each change of a file. Reading it takes about a nanosecond.
@usableFromInline
package final class StampClock: Sendable {
  /// Not an `Atomic`: reading one counts as something that may release objects.
  @usableFromInline nonisolated(unsafe) let time: UnsafeMutablePointer<UInt64>

  package init(startingAt start: UInt64 = 1) {
    time = .allocate(capacity: 1)
    time.initialize(to: start)
  }

  deinit { time.deallocate() }

  /// The current time. Objects with an older stamp may be out of date.
  @inlinable @inline(__always)
  package var now: UInt64 { strata_time_now(time) }

  /// Advances the clock and returns the new time, which no other call has returned or will.
  @discardableResult
  package func advance() -> UInt64 { strata_time_advance(time) }

  /// Sets the time; for a clock that only one thread advances.
  package func set(_ newTime: UInt64) { strata_time_set(time, newTime) }
}

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
