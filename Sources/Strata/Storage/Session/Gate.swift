import CStrataRuntime
import Foundation
import Logging
import Synchronization

/// The right to write to a file: one transaction of the process has it at a time, in the order in
/// which they asked.
///
/// It keeps the session of the transaction, so that a realm which begins to write and isn't kept is
/// the same when it is opened again. A caller that could wait for ever gets an error instead, a
/// transaction that is never ended is rolled back, and a turn that its place doesn't take is taken
/// away until it does.
final class Gate: Sendable {
  /// Who writes. Not `Sendable`, but other threads only compare it.
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

  private enum User {
    case free
    case holder(Holder)
    case turn(GateTurn)
  }

  private enum Waiter {
    case thread(GateThread)
    case turn(GateTurn)
  }

  private struct State: @unchecked Sendable {
    var user = User.free
    var waiting: [Waiter] = []
    var isWatching = false
  }

  /// What is to be done after the lock was left.
  private enum Step {
    case signal(GateThread)
    case begin(GateTurn)
    case wake(GateTurn)
    case rollBack(GateTurn)
  }

  private let state = Mutex(State())
  /// Whether somebody writes: asked before the lock is taken.
  private let isHeld = Atomic<Bool>(false)
  private let queue = DispatchQueue(label: "Strata.beginning", qos: .userInitiated)

  /// How long other processes, or other callers, wait for a place that doesn't take its turn: a
  /// caller may block that place. Asking again costs a place little.
  private static let limits = (alone: Duration.seconds(1), crowded: Duration.milliseconds(10))

  // MARK: Threads

  /// Waits for the transactions before.
  ///
  /// - Parameter session: The session that will write; nil for other uses of the connection.
  /// - Returns: Whether a transaction of the file has begun already, for a turn of the same session,
  ///   which waits again: its place can't take it while the caller blocks that.
  /// - Throws: ``RealmError`` with code `fail` for a caller that would wait for itself.
  func enter(for session: Session?, _ url: URL) throws(RealmError) -> Bool {
    let place = Place.current
    let thread = GateThread(
      Holder(place: place, task: strata_current_task(), session: session))
    let entered = state.withLock { state -> Result<Bool?, RealmError> in
      switch state.user {
      case .holder(let holder) where holder.place == place:
        return .failure(RealmError(.fail, ErrorText.nestedWrite("\(place)"), fileURL: url))
      case .free:
        hold(&state, thread.holder)
        return .success(false)
      case .turn(let turn):
        if case .ready = turn.state, turn.session === session {
          turn.state = .idle
          hold(&state, thread.holder)
          return .success(true)
        }
      case .holder: break
      }
      state.waiting.append(.thread(thread))
      return .success(nil)
    }
    if let hasBegun = try entered.get() { return hasBegun }
    lookSoon()
    while thread.semaphore.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      takeFromAbandoned(Limits())
    }
    return thread.hasBegun
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

  private func hold(_ state: inout State, _ holder: Holder) {
    state.user = .holder(holder)
    isHeld.store(true, ordering: .releasing)
  }

  // MARK: Turns

  /// Asks for a turn, behind all others or, when it was taken away, before them.
  ///
  /// - Parameter task: The task that waits; 0 when none does.
  /// - Throws: ``RealmError`` with code `fail` for a task that would wait for itself.
  func ask(_ turn: GateTurn, by task: UInt64, _ url: URL) throws(RealmError) {
    let step = state.withLock { state -> Result<Step?, RealmError> in
      if case .holder(let holder) = state.user, task != 0, holder.task == task {
        let isOwn = holder.session === turn.session
        let text = isOwn ? ErrorText.alreadyWriting : ErrorText.nestedWrite("task \(task)")
        return .failure(RealmError(.fail, text, fileURL: url))
      }
      return .success(enqueue(turn, &state, first: false))
    }
    take(try step.get())
    watch()
  }

  private func enqueue(_ turn: GateTurn, _ state: inout State, first: Bool) -> Step? {
    guard case .free = state.user else {
      turn.state = .waiting
      state.waiting.insert(.turn(turn), at: first ? 0 : state.waiting.count)
      return nil
    }
    turn.state = .beginning
    state.user = .turn(turn)
    return .begin(turn)
  }

  /// Takes the turn, at its place: from now on the caller writes.
  ///
  /// - Returns: False when it was taken away: then the caller will be woken again.
  /// - Throws: ``RealmError`` when the transaction can't begin, and `CancellationError` when the turn
  ///   was given up.
  func start(_ turn: GateTurn) throws -> Bool {
    let holder = Holder(
      place: Place.current, task: strata_current_task(), session: turn.session)
    let step = state.withLock { state -> Result<(hasStarted: Bool, step: Step?), any Error> in
      switch turn.state {
      case .ready:
        turn.state = .started
        hold(&state, holder)
        return .success((true, nil))
      case .idle: return .success((false, enqueue(turn, &state, first: true)))
      case .waiting, .beginning: return .success((false, nil))
      case .failed(let error): return .failure(error)
      case .started, .abandoned: return .failure(CancellationError())
      }
    }
    let (hasStarted, next) = try step.get()
    take(next)
    if !hasStarted { watch() }
    return hasStarted
  }

  /// Gives a turn up that hasn't started.
  func giveUp(_ turn: GateTurn) {
    let step = state.withLock { state -> Step? in
      defer { turn.state = .abandoned }
      switch turn.state {
      case .waiting:
        state.waiting.removeAll { if case .turn(let other) = $0 { other === turn } else { false } }
        return nil
      // In the other case the begin that is going on takes it back.
      case .ready: return .rollBack(turn)
      case .idle, .beginning, .started, .abandoned, .failed: return nil
      }
    }
    take(step)
  }

  private func begin(_ turn: GateTurn) {
    let begun = Result { () throws(RealmError) in try turn.begin() }
    let steps = state.withLock { state -> [Step?] in
      switch (begun, turn.state) {
      case (.failure(let error), .beginning):
        turn.state = .failed(error)
        return [.wake(turn), next(&state)]
      case (.failure, _): return [next(&state)]
      case (.success, .beginning):
        if let thread = removeThread(of: turn.session, &state) {
          thread.hasBegun = true
          turn.state = .waiting
          state.waiting.insert(.turn(turn), at: 0)
          hold(&state, thread.holder)
          return [.signal(thread)]
        }
        turn.state = .ready(since: .now)
        return [.wake(turn)]
      case (.success, _): return [.rollBack(turn)]
      }
    }
    for step in steps { take(step) }
    lookSoon()
  }

  private func rollBack(_ turn: GateTurn) {
    turn.rollBack()
    take(state.withLock { next(&$0) })
  }

  // MARK: Who is next

  /// Lets the next one in.
  private func next(_ state: inout State) -> Step? {
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

  private func removeThread(of session: Session, _ state: inout State) -> GateThread? {
    for (index, waiter) in state.waiting.enumerated() {
      guard case .thread(let thread) = waiter, thread.holder.session === session else { continue }
      state.waiting.remove(at: index)
      return thread
    }
    return nil
  }

  private func take(_ step: Step?) {
    switch step {
    case .signal(let thread): thread.semaphore.signal()
    case .begin(let turn): queue.async { self.begin(turn) }
    case .wake(let turn): turn.wake()
    case .rollBack(let turn): queue.async { self.rollBack(turn) }
    case nil: break
    }
  }

  // MARK: What is forgotten

  /// Looks after those that wait without a thread, for as long as there are any.
  private func watch() {
    let begins = state.withLock { state in
      defer { state.isWatching = true }
      return !state.isWatching
    }
    if begins { lookLater() }
  }

  private func lookLater() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(100)) {
      self.takeFromAbandoned(Limits())
      self.takeFromSleeping()
      let goesOn = self.state.withLock { state in
        var goesOn = state.waiting.contains { if case .turn = $0 { true } else { false } }
        if case .turn = state.user { goesOn = true }
        state.isWatching = goesOn
        return goesOn
      }
      if goesOn { self.lookLater() }
    }
  }

  /// Looks after a turn that others wait for.
  private func lookSoon() {
    let isCrowded = state.withLock { state in
      if case .turn = state.user { !state.waiting.isEmpty } else { false }
    }
    guard isCrowded else { return }
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + .milliseconds(11)) {
      self.takeFromSleeping()
    }
  }

  /// Takes a turn away that its place doesn't take, while others wait for it.
  private func takeFromSleeping() {
    let step = state.withLock { state -> Step? in
      guard case .turn(let turn) = state.user, case .ready(let since) = turn.state else {
        return nil
      }
      let limit = state.waiting.isEmpty ? Self.limits.alone : Self.limits.crowded
      guard ContinuousClock.now - since >= limit else { return nil }
      turn.state = .idle
      return .rollBack(turn)
    }
    take(step)
  }

  /// The session that writes at a place.
  func session(at place: @autoclosure () -> Place) -> Session? {
    guard isHeld.load(ordering: .acquiring) else { return nil }
    let place = place()
    let found = state.withLock { state -> Holder? in
      if case .holder(let holder) = state.user, holder.place == place { holder } else { nil }
    }
    return found?.session
  }

  /// Rolls back the transaction that has begun if it has been forgotten: a closure of `write` ends
  /// it, but the caller of `beginWrite` may have ended, or be waiting for the caller that waits
  /// here.
  func takeFromAbandoned(_ limits: Limits) {
    let now = ContinuousClock.now
    let found = state.withLock { state -> Holder? in
      guard case .holder(var holder) = state.user, let transaction = holder.transaction,
        let session = holder.session
      else { return nil }
      let stamp = transaction.clock.now
      guard let last = holder.lastChange, last.stamp == stamp else {
        holder.lastChange = (stamp, now)
        state.user = .holder(holder)
        return nil
      }
      let limit = session.isHeld ? limits.kept : limits.lost
      return now - last.time >= limit ? holder : nil
    }
    guard let found, let transaction = found.transaction, let place = found.place,
      transaction.revoke()
    else { return }
    found.session?.rollBackAbandoned(from: place)
  }

  private struct UncheckedTransaction: @unchecked Sendable {
    let value: WriteTransaction
  }

  private struct UncheckedUser: @unchecked Sendable {
    let value: User
  }
}

extension Session {
  /// Called by another thread: uses only state that all threads share.
  fileprivate func rollBackAbandoned(from place: Place) {
    store.logger?.warning(
      "\(ErrorText.abandoned) It was begun in \(place).", metadata: ["path": "\(store.file.path)"])
    do {
      try store.rollback()
    } catch {
      store.logger?.error("Rolling back an abandoned transaction failed: \(error.loggedMessage)")
    }
  }
}
