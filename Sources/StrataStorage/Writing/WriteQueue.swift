import CStrataRuntime
package import Foundation
import Synchronization

/// The right to write to a file. One transaction of the process has it at a time, in the order of
/// the requests.
///
/// The queue keeps the user of the transaction. So a realm that begins to write and is then
/// released is the same when it is opened again. A caller that could wait forever gets an error
/// instead, and a transaction that is never ended is rolled back. ``WriteQueueState`` decides the
/// effects of each event.
package final class WriteQueue: Sendable {
  package typealias Limits = WriteQueueState.Limits

  private let state = Mutex(WriteQueueState())
  /// Whether a transaction is running; checked before the lock is taken.
  private let isHeld = Atomic<Bool>(false)
  /// The queue on which the library waits for other processes.
  private let queue = DispatchQueue(label: "Strata.beginning", qos: .userInitiated)

  package init() {}

  private func change<Result: Sendable, Failure>(
    _ body: (inout WriteQueueState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock { state throws(Failure) in
      defer { isHeld.store(state.isHeld, ordering: .releasing) }
      return try body(&state)
    }
  }

  /// The number of waiting callers.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Whether a transaction is running.
  package var isInUse: Bool { isHeld.load(ordering: .acquiring) }

  package func user(at place: @autoclosure () -> Place) -> (any WriteUser)? {
    guard isInUse else { return nil }
    let place = place()
    return state.withLock { $0.user(at: place) }?.user
  }

  // MARK: Threads

  /// Waits for the previous transactions.
  ///
  /// - Parameter user: The user that will write; nil for other uses of the connection.
  /// - Throws: ``RealmError`` with code `fail` for a caller that would wait for itself.
  func enter(for user: (any WriteUser)?, _ url: URL) throws(RealmError) {
    let holder = holder(user.map { WriteUserReference($0) })
    switch change({ $0.enter(holder) }) {
    case .refused:
      throw RealmError(.fail, ErrorText.nestedWrite("\(Place.current)"), fileURL: url)
    case .entered: return
    case .waits(let thread):
      lookSoon()
      thread.wait { revokeAbandonedTurns(Limits()) }
    }
  }

  private func holder(_ user: WriteUserReference?) -> WriteQueueState.Holder {
    WriteQueueState.Holder(place: Place.current, task: strata_current_task(), user: user)
  }

  /// Enters if no caller writes. `leave` must follow.
  func enterAtOnce() -> Bool { change { $0.enterAtOnce() } }

  /// Records the transaction of the present holder, which others may end when it takes too long.
  package func began(_ transaction: RunningTransaction) { change { $0.began(transaction) } }

  func leave() {
    let (left, steps) = change { ($0.owner, $0.leave(at: .now)) }
    take(steps)
    // Released now, because its deinitialization may need the lock.
    withExtendedLifetime(left) {}
  }

  /// Ends the transaction, but lets the next caller in only after `leave`, on any thread.
  func keepClosed() {
    let left = change { state in
      defer { state.keepClosed() }
      return state.owner
    }
    withExtendedLifetime(left) {}
  }

  // MARK: Turns

  /// Asks for a turn, behind all others.
  ///
  /// - Parameter task: The task that waits; 0 if none does.
  /// - Throws: ``RealmError`` with code `fail` for a task that would wait for itself.
  package func ask(_ turn: WriteTurn, by task: UInt64, _ url: URL) throws(RealmError) {
    do throws(WriteQueueState.Refusal) {
      let steps = try change { state throws(WriteQueueState.Refusal) in
        try state.ask(turn, by: task, at: .now)
      }
      watch()
      take(steps)
    } catch {
      let text =
        switch error {
        case .own: ErrorText.alreadyWriting
        case .nested: ErrorText.nestedWrite("task \(task)")
        }
      throw RealmError(.fail, text, fileURL: url)
    }
  }

  /// The result of starting a turn that was woken.
  package enum Start: Sendable {
    /// The turn has the right to write.
    ///
    /// - waits: Whether the turn waits for other processes like a thread.
    case entered(waits: Bool)
    /// Another caller writes: the turn will be woken again.
    case later
    /// Threads were let in first too often: the turn waits like a thread.
    case waiting
    case failed(RealmError)
    /// The turn was abandoned, or has started already.
    case over
  }

  /// Starts the turn, at its place.
  package func start(_ turn: WriteTurn) -> Start {
    let holder = holder(turn.user)
    let start = change { $0.start(turn, holder) }
    guard case .entered(let waits) = start else { return start }
    return begin(turn, waits: waits)
  }

  private func begin(_ turn: WriteTurn, waits: Bool) -> Start {
    do throws(RealmError) {
      let hasBegun = try turn.begin(waits)
      guard hasBegun else {
        change { $0.waitsForOthers(turn) }
        queue.async { self.waitForOthers(turn) }
        return .later
      }
      change { $0.begun(turn) }
      return .entered(waits: waits)
    } catch {
      change { $0.begun(turn) }
      leave()
      return .failed(error)
    }
  }

  private func waitForOthers(_ turn: WriteTurn) {
    let result = Result { () throws(RealmError) in try turn.waitForOthers() }
    take(change { $0.othersEnded(turn, result, at: .now) })
  }

  /// Cancels a turn that hasn't started.
  package func giveUp(_ turn: WriteTurn) { take(change { $0.giveUp(turn) }) }

  private func take(_ steps: [WriteQueueState.Step]) {
    for step in steps {
      switch step {
      case .signal(let thread): thread.signal()
      case .wake(let turn): turn.wake()
      }
    }
    lookSoon()
  }

  // MARK: Callers that don't do their part

  /// Starts polling for callers that wait without a thread, while there are any.
  private func watch() {
    if change({ $0.beginWatch() }) { lookLater() }
  }

  private func lookLater() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(100)) {
      self.revokeAbandonedTurns(Limits())
      if self.change({ $0.continueWatch() }) { self.lookLater() }
    }
  }

  /// Sets a timer while a thread waits for woken turns: the thread may block the place of such a
  /// turn.
  private func lookSoon() {
    guard state.withLock({ $0.setTimer() }) else { return }
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + .milliseconds(11)) {
      self.take(self.change { $0.revokeSleepingTurns(at: .now) })
    }
  }

  /// Rolls back the present transaction if others wait for its end, and nothing happens in it.
  ///
  /// A closure of `write` ends its transaction. The caller of `beginWrite` may have ended, or may
  /// be waiting for the caller that waits here.
  package func revokeAbandonedTurns(_ limits: Limits) {
    takeAway(change { $0.abandoned(at: .now, limits) }, because: ErrorText.abandoned)
  }

  /// Rolls back the open transaction if its queue or actor was released. No code can end such a
  /// transaction, and other processes may wait for its end.
  func revokeEndedTurns() {
    takeAway(
      state.withLock { $0.ended() },
      because:
        "A write transaction was rolled back, because no code can end it any more. Use 'write', or "
        + "call 'commitWrite' or 'cancelWrite' soon after 'beginWrite', also after an error.")
  }

  private func takeAway(_ holder: WriteQueueState.Holder?, because reason: String) {
    guard let holder, let place = holder.place, holder.transaction?.revoke() == true else { return }
    holder.user?.user.rollBackAbandoned(from: place, because: reason)
  }
}
