public import CStrataRuntime
package import StrataQuery
package import StrataSchema
import Synchronization

/// The result of a committed transaction.
package struct CommittedTransaction: Sendable {
  /// The number of the new state.
  package var number: UInt64
  /// The number of rows in all tables that SQLite has changed, including triggers and foreign keys.
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

/// A session's knowledge of its own changes, beyond the changed rows.
package struct CommitDetails: Sendable {
  /// The properties that were set, by class and row.
  package var properties: [String: [Int64: PropertySet]] = [:]
  /// The edits of lists; nil for a list whose edits are unknown.
  package var edits: [CollectionKey: ListEdits?] = [:]
  /// The author of the transaction, for the history.
  package var author: String?
  /// The classes whose objects were all deleted at once.
  package var deletedAll: Set<String> = []
  /// The observations that are not notified of the transaction.
  package var silenced: Set<ObjectIdentifier> = []
  /// The destination for the rows of the transaction, if the session needs them.
  package var rows: Rows?

  package init() {}

  /// The rows that a transaction has changed, for the session that commits.
  package final class Rows: Sendable {
    private let changes = Mutex<RecordedChanges?>(nil)

    package init() {}

    /// The rows; nil if unknown.
    package var recorded: RecordedChanges? { changes.withLock { $0 } }

    package func record(_ rows: RecordedChanges?) { changes.withLock { $0 = rows } }
  }
}

/// A new state of a file.
package struct Commit: Sendable {
  package let snapshot: Snapshot
  /// The rows that changed since the previous state; nil if only a comparison can find them.
  package let changes: RecordedChanges?
  package let details: CommitDetails

  package init(snapshot: Snapshot, changes: RecordedChanges?, details: CommitDetails) {
    self.snapshot = snapshot
    self.changes = changes
    self.details = details
  }
}

/// A receiver of the commits of a store.
///
/// A receiver is called in the order of the commits, before the next commit can be made, and must
/// return at once.
package protocol CommitReceiver: AnyObject, Sendable {
  /// Whether anything is observed.
  var isActive: Bool { get }

  /// Whether the receiver needs the properties that were set in objects of a class.
  func observesProperties(of className: String) -> Bool

  /// Whether the receiver needs the edits of a list.
  func observes(_ list: CollectionKey) -> Bool

  func receive(_ commit: Commit)

  /// Called when no snapshot of a commit could be kept. The next snapshot must be compared with the
  /// previous one.
  func missed(_ error: any Error)

  /// Called when nothing can be read any more.
  func failed(_ error: RealmError)
}

/// A clock that advances with each change of a file. Reading it takes about a nanosecond.
@usableFromInline
package final class StampClock: Sendable {
  /// The current time, as a pointer: the compiler assumes that reading an `Atomic` may release
  /// objects.
  @usableFromInline nonisolated(unsafe) let time: UnsafeMutablePointer<UInt64>

  package init(startingAt start: UInt64 = 1) {
    time = .allocate(capacity: 1)
    time.initialize(to: start)
  }

  deinit { time.deallocate() }

  /// The current time. Objects with an older stamp may be out of date.
  @inlinable @inline(__always)
  package var now: UInt64 { strata_time_now(time) }

  /// Advances the clock. Returns the new time, which no other call ever returns.
  @discardableResult
  package func advance() -> UInt64 { strata_time_advance(time) }

  /// Sets the time of a clock that only one thread advances.
  package func set(_ newTime: UInt64) {
    assert(newTime >= now, "A clock never goes back.")
    strata_time_set(time, newTime)
  }
}

/// The tasks that wait for the next commit of a file.
package final class CommitSignals: Sendable {
  private let signals = Mutex<[ObjectIdentifier: Signal]>([:])
  private let count = Atomic(0)

  /// Registers a signal that is sent at each commit from now on.
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

  func send() {
    guard count.load(ordering: .acquiring) > 0 else { return }
    for signal in signals.withLock({ Array($0.values) }) { signal.send() }
  }
}
