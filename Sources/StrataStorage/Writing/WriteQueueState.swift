/// The right to write to a file, as a value: its holder, and the waiting callers.
///
/// One caller has the right at a time, in the order of the requests. A thread waits at a semaphore.
/// A task, or a block of `writeAsync`, has a ``WriteTurn``. When no caller writes, all turns are
/// woken, and the first one whose place runs gets the right, and begins its transaction there. So a
/// late place delays no other caller, and no transaction of the file waits for a place. Each event
/// is a function, which returns the actions to be done after the lock is released:
///
/// - A thread enters: The thread gets the right if the right is free. If turns were woken, the
///   thread waits, unless its session has one of these turns. If there is a holder, the thread
///   waits, or gets an error at the same place.
/// - A turn is requested: The turn is woken if the right is free, or if turns were woken and no
///   thread waits. If there is a holder, the turn waits, or gets an error in the same task.
/// - A turn starts: The turn gets the right if there is no holder. Otherwise the turn waits again.
/// - The holder leaves: The first thread gets the right if that thread came before all turns.
///   Otherwise all turns before the thread are woken.
/// - Time passes: If no woken turn starts within 10 ms, the first waiting thread gets the right. A
///   holder loses the right, and its transaction is rolled back, if its place is gone, or if
///   nothing happened for 30 s while others wait (1 s if no caller has its realm).
///
/// A turn that finds another process writing keeps the right while a queue of the library waits for
/// that process. Then the turn is woken again, before all others. A turn that was late, or found
/// another process writing, four times waits like a thread. Otherwise such a turn might never
/// write.
package struct WriteQueueState: Sendable {
  private(set) var owner = Owner.nobody
  private(set) var waiting: [Waiter] = []
  /// The turns that were asked for, and neither started nor canceled.
  private var turns: [ObjectIdentifier: Turn] = [:]
  /// Whether a poller checks the callers that wait without a thread.
  private(set) var isWatched = false
  /// Whether a timer is set for the turns that a thread waits for.
  private var isTimed = false

  /// The owner of the right to write.
  enum Owner: Sendable {
    case nobody
    /// The first one of the woken turns to start.
    case turns(since: ContinuousClock.Instant)
    case holder(Holder)
  }

  /// A waiting caller.
  enum Waiter: Sendable {
    case thread(WaitingThread)
    case turn(WriteTurn)
  }

  /// A caller that writes.
  package struct Holder: Sendable {
    /// Nil for a check of the file that writes nothing.
    var place: Place?
    /// The task that began the transaction, or 0.
    var task: UInt64 = 0
    var user: WriteUserReference?
    var transaction: RunningTransaction?
    /// The last detected change of the transaction.
    var lastChange: (stamp: UInt64, time: ContinuousClock.Instant)?
  }

  private struct Turn: Sendable {
    var turn: WriteTurn
    /// The task that waits; 0 when none does.
    var task: UInt64
    /// The number of times that a thread was let in first, because the place of the turn was late,
    /// or another process was writing.
    var losses = 0
    var phase = Phase.waiting
  }

  private enum Phase: Sendable {
    case waiting
    case woken
    /// The turn has the right, and begins its transaction.
    case starting
    /// A queue of the library waits for another process.
    case waitingForOthers
    case failed(RealmError)
  }

  /// An action after the lock was released.
  package enum Step: Sendable {
    case signal(WaitingThread)
    case wake(WriteTurn)
  }

  /// The time after which a transaction in which nothing happens is rolled back if others wait.
  package struct Limits: Sendable {
    /// The limit while a caller has its realm.
    package var kept = Duration.seconds(30)
    /// The limit after its realm was released.
    package var lost = Duration.seconds(1)

    package init(kept: Duration = .seconds(30), lost: Duration = .seconds(1)) {
      self.kept = kept
      self.lost = lost
    }
  }

  /// The longest time that a thread waits for the turns that were woken before it.
  static let turnLimit = Duration.milliseconds(10)
  static let maxLosses = 4

  // MARK: Threads

  /// The result of a thread's request.
  enum Entry: Sendable {
    case entered
    case waits(WaitingThread)
    /// The thread would wait for itself.
    case refused
  }

  mutating func enter(_ holder: Holder) -> Entry {
    switch owner {
    case .nobody: break
    case .holder(let other) where other.place == holder.place: return .refused
    // The place of the turn may be blocked by the caller.
    case .turns where holder.user.map(hasTurn) == true: break
    case .holder, .turns:
      let thread = WaitingThread(holder)
      waiting.append(.thread(thread))
      return .waits(thread)
    }
    owner = .holder(holder)
    return .entered
  }

  private func hasTurn(_ user: WriteUserReference) -> Bool {
    turns.values.contains { $0.turn.user == user }
  }

  /// Enters if no caller has the right to write.
  mutating func enterAtOnce() -> Bool {
    if case .holder = owner { return false }
    owner = .holder(Holder())
    return true
  }

  /// Records the transaction of the holder, which others may end when it takes too long.
  mutating func began(_ transaction: RunningTransaction) {
    guard case .holder(var holder) = owner else { return }
    holder.transaction = transaction
    owner = .holder(holder)
  }

  /// Ends a transaction, but lets the next caller in only after ``leave(at:)``.
  mutating func keepClosed() { owner = .holder(Holder()) }

  /// Passes the right to the next callers.
  mutating func leave(at now: ContinuousClock.Instant) -> [Step] {
    owner = .nobody
    if case .thread(let thread)? = waiting.first, !isAnyWoken {
      return [signal(thread)]
    }
    return wakeTurns(at: now)
  }

  private mutating func signal(_ thread: WaitingThread) -> Step {
    waiting.removeAll { $0.thread === thread }
    owner = .holder(thread.holder)
    return .signal(thread)
  }

  // MARK: Turns

  /// The reason why a task can't ask for a turn: it would wait for itself.
  enum Refusal: Error {
    /// The transaction of the task has the same user.
    case own
    case nested
  }

  /// Asks for a turn, behind all others.
  mutating func ask(
    _ turn: WriteTurn, by task: UInt64, at now: ContinuousClock.Instant
  ) throws(Refusal) -> [Step] {
    if case .holder(let holder) = owner, task != 0, holder.task == task {
      throw holder.user == turn.user ? .own : .nested
    }
    turns[turn.id] = Turn(turn: turn, task: task)
    let isAhead = waiting.isEmpty
    waiting.append(.turn(turn))
    if case .holder = owner { return [] }
    return isAhead ? wakeTurns(at: now) : []
  }

  /// Whether threads wait for a turn that was woken.
  private var isAnyWoken: Bool {
    turns.values.contains {
      if case .woken = $0.phase { $0.losses < Self.maxLosses } else { false }
    }
  }

  /// Wakes all turns that came before the first thread.
  private mutating func wakeTurns(at now: ContinuousClock.Instant) -> [Step] {
    let woken = waiting.prefix { $0.turn != nil }.compactMap(\.turn)
    waiting.removeFirst(woken.count)
    for turn in woken { turns[turn.id]?.phase = .woken }
    let steps = woken.map { Step.wake($0) }
    guard isAnyWoken else { return steps + handOver() }
    // A thread may block the place of its session's turn.
    let threads = waiting.lazy.compactMap(\.thread)
    if let thread = threads.first(where: { $0.holder.user.map(hasTurn) == true }) {
      return steps + [signal(thread)]
    }
    if case .turns = owner {} else { owner = .turns(since: now) }
    return steps
  }

  /// Passes the right to the first thread if no caller has it.
  private mutating func handOver() -> [Step] {
    owner = .nobody
    guard let thread = waiting.lazy.compactMap(\.thread).first else { return [] }
    return [signal(thread)]
  }

  mutating func start(_ turn: WriteTurn, _ holder: Holder) -> WriteQueue.Start {
    guard let entry = turns[turn.id] else { return .over }
    switch entry.phase {
    case .failed(let error):
      turns[turn.id] = nil
      return .failed(error)
    case .waiting, .starting, .waitingForOthers: return .later
    case .woken: break
    }
    let isLate = entry.losses >= Self.maxLosses
    guard case .holder(let other) = owner else {
      owner = .holder(holder)
      turns[turn.id]?.phase = .starting
      return .entered(waits: isLate)
    }
    guard !isLate || other.place == holder.place else {
      turns[turn.id] = nil
      return .waiting
    }
    turns[turn.id]?.phase = .waiting
    waiting.insert(.turn(turn), at: waiting.firstIndex { $0.thread != nil } ?? waiting.count)
    return .later
  }

  /// Records that the transaction of a turn has begun, or could not begin.
  mutating func begun(_ turn: WriteTurn) { turns[turn.id] = nil }

  /// Keeps the right to write for a turn that has found another process writing, until
  /// ``othersEnded(_:_:at:)``.
  mutating func waitsForOthers(_ turn: WriteTurn) {
    owner = .holder(Holder())
    turns[turn.id]?.phase = .waitingForOthers
    turns[turn.id]?.losses += 1
  }

  /// Records that the other process has stopped writing, or didn't end in time.
  mutating func othersEnded(
    _ turn: WriteTurn, _ result: Result<Void, RealmError>, at now: ContinuousClock.Instant
  ) -> [Step] {
    // The turn was canceled meanwhile.
    guard turns[turn.id] != nil else { return leave(at: now) }
    switch result {
    case .success:
      turns[turn.id]?.phase = .waiting
      waiting.insert(.turn(turn), at: 0)
      return leave(at: now)
    case .failure(let error):
      turns[turn.id]?.phase = .failed(error)
      return [.wake(turn)] + leave(at: now)
    }
  }

  /// Cancels a turn that hasn't started.
  mutating func giveUp(_ turn: WriteTurn) -> [Step] {
    guard turns.removeValue(forKey: turn.id) != nil else { return [] }
    waiting.removeAll { $0.turn === turn }
    guard case .turns = owner, !isAnyWoken else { return [] }
    return handOver()
  }

  // MARK: The passing of time

  /// Passes the right to the first thread if the turns that were woken before it don't start.
  mutating func revokeSleepingTurns(at now: ContinuousClock.Instant) -> [Step] {
    isTimed = false
    guard case .turns(let since) = owner, now - since >= Self.turnLimit,
      waiting.contains(where: { $0.thread != nil })
    else { return [] }
    for (id, turn) in turns {
      if case .woken = turn.phase { turns[id]?.losses += 1 }
    }
    return handOver()
  }

  /// Returns the holder of a transaction in which nothing happens while others wait.
  mutating func abandoned(at now: ContinuousClock.Instant, _ limits: Limits) -> Holder? {
    guard case .holder(var holder) = owner, let transaction = holder.transaction,
      let user = holder.user, waiting.contains(where: { isHeldUp($0, by: user) })
    else { return nil }
    let stamp = transaction.clock.now
    guard let last = holder.lastChange, last.stamp == stamp else {
      holder.lastChange = (stamp, now)
      owner = .holder(holder)
      return nil
    }
    return now - last.time >= (user.isHeld ? limits.kept : limits.lost) ? holder : nil
  }

  /// Returns the holder of a transaction that no code can end, because its queue or actor was
  /// released.
  func ended() -> Holder? {
    guard case .holder(let holder) = owner, holder.transaction != nil,
      holder.user?.place.hasEnded == true
    else { return nil }
    return holder
  }

  /// Whether the transaction of a user delays another caller. Blocks that wait to write with the
  /// same session, at its place, are expected to wait for its end.
  private func isHeldUp(_ waiter: Waiter, by user: WriteUserReference) -> Bool {
    switch waiter {
    case .thread: true
    case .turn(let turn): turn.user != user || turns[turn.id]?.task != 0
    }
  }

  /// Sets a timer if a thread waits for turns that were woken before it. Returns false if none
  /// does, or if a timer is set already.
  mutating func setTimer() -> Bool {
    guard case .turns = owner, !isTimed, waiting.contains(where: { $0.thread != nil }) else {
      return false
    }
    isTimed = true
    return true
  }

  /// Starts polling for callers that wait without a thread. Returns false if a poller runs already.
  mutating func beginWatch() -> Bool {
    defer { isWatched = true }
    return !isWatched
  }

  /// Whether the poller must continue: callers still wait without a thread.
  mutating func continueWatch() -> Bool {
    isWatched = !turns.isEmpty
    return isWatched
  }

  /// Returns the user that writes at a place.
  func user(at place: Place) -> WriteUserReference? {
    if case .holder(let holder) = owner, holder.place == place { holder.user } else { nil }
  }

  var isHeld: Bool { if case .holder = owner { true } else { false } }
}

extension WriteQueueState.Waiter {
  var thread: WaitingThread? { if case .thread(let thread) = self { thread } else { nil } }
  var turn: WriteTurn? { if case .turn(let turn) = self { turn } else { nil } }
}
