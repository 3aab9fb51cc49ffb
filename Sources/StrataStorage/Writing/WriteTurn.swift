import Dispatch
import Synchronization

/// A caller of the ``WriteQueue`` that waits without blocking a thread.
///
/// When its turn comes a transaction begins on a queue of the library, since another process may
/// have to be waited for. Then the caller is woken at its place, and starts.
package final class WriteTurn: Sendable {
  let user: WriteUserReference
  /// Begins a transaction of the file.
  let begin: @Sendable () throws(RealmError) -> Void
  /// Takes back what ``begin`` has begun.
  let rollBack: @Sendable () -> Void
  /// Has the caller start at its place; called on any thread.
  let wake: @Sendable () -> Void

  init(
    _ user: any WriteUser, begin: @escaping @Sendable () throws(RealmError) -> Void,
    rollBack: @escaping @Sendable () -> Void, wake: @escaping @Sendable () -> Void
  ) {
    self.user = WriteUserReference(user)
    self.begin = begin
    self.rollBack = rollBack
    self.wake = wake
  }

  var id: ObjectIdentifier { ObjectIdentifier(self) }
}

/// A thread that waits for the ``WriteQueue``.
package final class WaitingThread: Sendable {
  let holder: WriteQueueState.Holder
  private let semaphore = DispatchSemaphore(value: 0)
  private let hasBegun = Atomic<Bool>(false)

  init(_ holder: WriteQueueState.Holder) {
    self.holder = holder
  }

  /// Lets the thread continue.
  ///
  /// - Parameter hasBegun: Whether it gets a transaction that was begun for a turn.
  func signal(hasBegun: Bool) {
    self.hasBegun.store(hasBegun, ordering: .relaxed)
    semaphore.signal()
  }

  /// Waits for the signal.
  ///
  /// - Parameter look: Called ten times a second meanwhile.
  /// - Returns: What the signal says.
  func wait(_ look: () -> Void) -> Bool {
    while semaphore.wait(timeout: .now() + .milliseconds(100)) == .timedOut { look() }
    return hasBegun.load(ordering: .relaxed)
  }
}
