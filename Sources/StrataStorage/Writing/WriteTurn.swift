import Dispatch

/// A caller of the ``WriteQueue`` that waits without blocking a thread.
///
/// When nobody writes, it is woken at its place, with all others that wait so. The first one to
/// start begins its transaction there.
package final class WriteTurn: Sendable {
  let user: WriteUserReference
  /// Begins a transaction of the file.
  ///
  /// - Parameter waits: Whether to wait for other processes.
  /// - Returns: False, if it doesn't wait, while another process writes.
  let begin: @Sendable (_ waits: Bool) throws(RealmError) -> Bool
  /// Waits until no other process writes.
  let waitForOthers: @Sendable () throws(RealmError) -> Void
  /// Has the caller start at its place; called on any thread.
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

  /// Lets the thread continue.
  func signal() { semaphore.signal() }

  /// Waits for the signal.
  ///
  /// - Parameter look: Called ten times a second meanwhile.
  func wait(_ look: () -> Void) {
    while semaphore.wait(timeout: .now() + .milliseconds(100)) == .timedOut { look() }
  }
}
