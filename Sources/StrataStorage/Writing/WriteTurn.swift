import Dispatch
import Synchronization

/// A caller of the ``WriteQueue`` that waits without blocking a thread.
///
/// When no caller writes, all turns are woken at their places. The first one to start begins its
/// transaction there.
package final class WriteTurn: Sendable {
  let user: WriteUserReference
  /// Begins a transaction of the file.
  ///
  /// - Parameter waits: Whether to wait for other processes.
  /// - Returns: False if another process writes and the call doesn't wait.
  let begin: @Sendable (_ waits: Bool) throws(RealmError) -> Bool
  /// Waits until no other process writes.
  let waitForOthers: @Sendable () throws(RealmError) -> Void
  /// Starts the caller at its place. May be called on any thread.
  let wake: @Sendable () -> Void

  init(
    _ user: any WriteUser, begin: @escaping @Sendable (Bool) throws(RealmError) -> Bool,
    waitForOthers: @escaping @Sendable () throws(RealmError) -> Void,
    wake: @escaping @Sendable () -> Void
  ) {
    self.user = WriteUserReference(user)
    self.begin = begin
    self.waitForOthers = waitForOthers
    self.wake = wake
  }

  var id: ObjectIdentifier { ObjectIdentifier(self) }
}

/// A thread that waits for the ``WriteQueue``.
package final class WaitingThread: Sendable {
  let holder: WriteQueueState.Holder
  private let semaphore = DispatchSemaphore(value: 0)

  init(_ holder: WriteQueueState.Holder) {
    self.holder = holder
  }

  func signal() { semaphore.signal() }

  /// Waits for the signal.
  ///
  /// - Parameter look: A check that is called ten times a second meanwhile.
  func wait(_ look: () -> Void) {
    while semaphore.wait(timeout: .now() + .milliseconds(100)) == .timedOut { look() }
  }
}

/// The shared part of a write transaction: its clock, and the decision which thread ends it.
package final class RunningTransaction: Sendable {
  /// A clock that advances with each change.
  package let clock: StampClock
  private let state = Atomic<State>(.going)

  private enum State: UInt8, AtomicRepresentable {
    case going, ending, revoked
  }

  package init(_ clock: StampClock) {
    self.clock = clock
  }

  /// Begins the end, for its caller. Returns false if the transaction was revoked.
  package func end() -> Bool { leaves(for: .ending) }

  /// Revokes the transaction from its caller. Returns false if the caller is ending it.
  package func revoke() -> Bool { leaves(for: .revoked) }

  private func leaves(for next: State) -> Bool {
    state.compareExchange(expected: .going, desired: next, ordering: .acquiringAndReleasing)
      .exchanged
  }

  package var isRevoked: Bool { state.load(ordering: .acquiring) == .revoked }
}

/// A caller of the ``WriteQueue``: for `Strata`, a session.
///
/// It belongs to its place. Other threads may compare it, and call the requirements of this
/// protocol.
package protocol WriteUser: AnyObject {
  var place: Place { get }
  /// Whether a caller still has its realm, and can end the transaction.
  var isHeld: Bool { get }
  /// Rolls back its transaction, which was revoked, from another thread.
  func rollBackAbandoned(from place: Place, because reason: String)
}

/// A reference to a user that passes through other threads.
package struct WriteUserReference: @unchecked Sendable, Equatable {
  // guarded by: the place of the user; other threads use no more than the protocol's requirements.
  package let user: any WriteUser

  package init(_ user: any WriteUser) {
    self.user = user
  }

  package static func == (one: WriteUserReference, other: WriteUserReference) -> Bool {
    one.user === other.user
  }

  var place: Place { user.place }
  var isHeld: Bool { user.isHeld }
}

/// The reporter of a file's transactions to its observers.
///
/// ``current`` belongs to the holder of the ``WriteQueue``.
package final class WriteActivity: Sendable {
  private let observers: ActivityObservers
  private let running = Mutex<RunningActivity?>(nil)

  init(_ observers: ActivityObservers) { self.observers = observers }

  package var current: RunningActivity? { running.withLock { $0 } }

  /// Reports that a caller asks to write.
  func asks() -> RunningActivity { observers.begin(.write) }

  /// Reports that the transaction of a request has begun.
  func began(_ activity: RunningActivity) {
    activity.recordWait()
    running.withLock { $0 = activity }
  }

  func committed(rows: Int, author: String?) {
    take()?.end(RealmActivityResult(duration: .zero, rowsWritten: rows), author: author)
  }

  func rolledBack(because error: RealmError? = nil, author: String? = nil) {
    take()?.end(
      RealmActivityResult(duration: .zero, isComplete: false, error: error), author: author)
  }

  private func take() -> RunningActivity? { running.withLock { $0.take() } }
}
