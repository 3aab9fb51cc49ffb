import CStrataRuntime
import Foundation
import StrataStorage
import Synchronization

/// The right to write to a file: one transaction of the process has it at a time, in the order in
/// which they asked.
///
/// It keeps the session of the transaction, so that a realm which begins to write and isn't kept is
/// the same when it is opened again. A caller that could wait for ever gets an error instead, a
/// transaction that is never ended is rolled back, and a turn that its place doesn't take is taken
/// away until it does.
final class Gate: Sendable {
  /// The one that writes. Not `Sendable`, but other threads only compare it.
  struct Holder: @unchecked Sendable {
    /// Nil for a look at the file that writes nothing.
    var place: Place?
    /// The task that began, or 0.
    var task: UInt64 = 0
    var session: Session?
    var transaction: WriteTransaction?
    /// When the transaction was last seen to change something.
    var lastChange: (stamp: UInt64, time: ContinuousClock.Instant)?
  }

  /// How long others wait for a transaction in which nothing happens.
  struct Limits: Sendable {
    /// While a caller has its realm.
    var kept = Duration.seconds(30)
    /// Since when its realm is released.
    var lost = Duration.seconds(1)
  }

  enum User {
    case free
    case holder(Holder)
    case turn(GateTurn)
  }

  enum Waiter {
    case thread(GateThread)
    case turn(GateTurn)
  }

  struct State: @unchecked Sendable {
    var user = User.free
    var waiting: [Waiter] = []
    var isWatching = false
  }

  /// What is to be done after the lock was left.
  enum Step {
    case signal(GateThread)
    case begin(GateTurn)
    case wake(GateTurn)
    case rollBack(GateTurn)
  }

  let state = Mutex(State())
  /// Whether a transaction is going on: asked before the lock is taken.
  private let isHeld = Atomic<Bool>(false)
  let queue = DispatchQueue(label: "Strata.beginning", qos: .userInitiated)

  // MARK: Threads

  /// Waits for the transactions before.
  ///
  /// - Parameter session: The session that will write; nil for other uses of the connection.
  /// - Returns: Whether a transaction of the file has begun already, for a turn of the same session,
  ///   which waits again: its place can't take it while the caller blocks that.
  /// - Throws: ``RealmError`` with code `fail` for a caller that would wait for itself.
  func enter(for session: Session?, _ url: URL) throws(RealmError) -> Bool {
    let place = Place.current
    let holder = Holder(place: place, task: strata_current_task(), session: session)
    let entry = state.withLock { state -> Entry in
      switch state.user {
      case .holder(let other) where other.place == place: return .refused
      case .free:
        hold(&state, holder)
        return .entered(hasBegun: false)
      case .turn(let turn):
        if case .ready = turn.state, turn.session === session {
          turn.state = .idle
          hold(&state, holder)
          return .entered(hasBegun: true)
        }
      case .holder: break
      }
      let thread = GateThread(holder)
      state.waiting.append(.thread(thread))
      return .waits(thread)
    }
    switch entry {
    case .refused: throw RealmError(.fail, ErrorText.nestedWrite("\(place)"), fileURL: url)
    case .entered(let hasBegun): return hasBegun
    case .waits(let thread):
      lookSoon()
      while thread.semaphore.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
        takeFromAbandoned(Limits())
      }
      return thread.hasBegun
    }
  }

  private enum Entry {
    case entered(hasBegun: Bool)
    case waits(GateThread)
    case refused
  }

  /// Enters if the gate is free; `leave` must follow.
  func enterAtOnce() -> Bool {
    state.withLock { state in
      guard case .free = state.user else { return false }
      hold(&state, Holder())
      return true
    }
  }

  /// Records the transaction that has entered, which others may end when it takes too long.
  func began(_ transaction: WriteTransaction) {
    let transaction = UncheckedTransaction(value: transaction)
    state.withLock { state in
      guard case .holder(var holder) = state.user else { return }
      holder.transaction = transaction.value
      state.user = .holder(holder)
    }
  }

  func leave() {
    let (left, step) = state.withLock { state in
      let left = state.user
      return (UncheckedUser(value: left), next(&state))
    }
    take(step)
    withExtendedLifetime(left) {}
  }

  /// Ends the transaction, but lets the next one in only after `leave`, on any thread.
  func keepClosed() {
    let left = state.withLock { state in
      defer { state.user = .holder(Holder()) }
      return UncheckedUser(value: state.user)
    }
    withExtendedLifetime(left) {}
  }

  func hold(_ state: inout State, _ holder: Holder) {
    state.user = .holder(holder)
    isHeld.store(true, ordering: .releasing)
  }

  // MARK: The next turn

  /// Lets the next one in.
  func next(_ state: inout State) -> Step? {
    state.user = .free
    isHeld.store(false, ordering: .releasing)
    guard let first = state.waiting.first else { return nil }
    switch first {
    case .thread(let thread):
      state.waiting.removeFirst()
      hold(&state, thread.holder)
      return .signal(thread)
    case .turn(let turn):
      // A thread that waits may block the place at which the turn would be taken.
      if let thread = removeThread(of: turn.session, &state) {
        hold(&state, thread.holder)
        return .signal(thread)
      }
      state.waiting.removeFirst()
      turn.state = .beginning
      state.user = .turn(turn)
      return .begin(turn)
    }
  }

  func removeThread(of session: Session, _ state: inout State) -> GateThread? {
    for (index, waiter) in state.waiting.enumerated() {
      guard case .thread(let thread) = waiter, thread.holder.session === session else { continue }
      state.waiting.remove(at: index)
      return thread
    }
    return nil
  }

  func take(_ step: Step?) {
    switch step {
    case .signal(let thread): thread.semaphore.signal()
    case .begin(let turn): queue.async { self.begin(turn) }
    case .wake(let turn): turn.wake()
    case .rollBack(let turn): queue.async { self.rollBack(turn) }
    case nil: break
    }
  }

  // MARK: Who writes

  /// The session that writes at a place.
  func session(at place: @autoclosure () -> Place) -> Session? {
    guard isHeld.load(ordering: .acquiring) else { return nil }
    let place = place()
    let found = state.withLock { state -> Holder? in
      if case .holder(let holder) = state.user, holder.place == place { holder } else { nil }
    }
    return found?.session
  }

  private struct UncheckedTransaction: @unchecked Sendable {
    let value: WriteTransaction
  }

  private struct UncheckedUser: @unchecked Sendable {
    let value: User
  }
}
