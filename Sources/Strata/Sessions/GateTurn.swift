import Dispatch
import StrataStorage

/// A caller of the ``Gate`` that waits without blocking a thread.
///
/// When its turn comes a transaction begins on a queue of the library, since another process may
/// have to be waited for. Then the caller is woken at its place, and starts.
final class GateTurn: @unchecked Sendable {
  /// The session that will write.
  let session: Session
  /// Begins a transaction of the file.
  let begin: () throws(RealmError) -> Void
  /// Takes back what ``begin`` has begun.
  let rollBack: () -> Void
  /// Has the caller start at its place; called on any thread.
  let wake: @Sendable () -> Void
  // Used by the gate only, behind its lock:
  var state = State.idle
  /// The task that waits; 0 when none does.
  var task: UInt64 = 0
  /// How often it was taken away.
  var losses = 0

  enum State {
    /// Not asked yet, or taken away: the place didn't start in time, and asks again when it does.
    case idle
    case waiting
    case beginning
    /// The transaction has begun, and the place hasn't.
    case ready(since: ContinuousClock.Instant)
    case started
    /// Given up by its caller.
    case abandoned
    case failed(RealmError)
  }

  /// What its caller does when it was woken.
  enum Start {
    /// It writes: the transaction has begun.
    case begun
    /// The turn was taken away: it will be woken again.
    case later
    /// The turn was taken away too often: it waits as a thread does.
    case waiting
  }

  init(
    _ session: Session, begin: @escaping () throws(RealmError) -> Void,
    rollBack: @escaping () -> Void, wake: @escaping @Sendable () -> Void
  ) {
    self.session = session
    self.begin = begin
    self.rollBack = rollBack
    self.wake = wake
  }
}

/// A thread that waits at the ``Gate``.
final class GateThread: @unchecked Sendable {
  let holder: Gate.Holder
  let semaphore = DispatchSemaphore(value: 0)
  /// Whether it gets the transaction that was begun for a turn; set before the semaphore.
  var hasBegun = false

  init(_ holder: Gate.Holder) {
    self.holder = holder
  }
}
