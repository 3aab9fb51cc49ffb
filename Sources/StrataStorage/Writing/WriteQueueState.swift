/// The right to write to a file, as a value: who has it, and who waits for it.
///
/// One caller has it at a time, in the order of asking. A thread waits at a semaphore; a task, or a
/// block of `writeAsync`, has a ``WriteTurn``, whose transaction begins on a queue of the library
/// before its place is woken. Each event is a function, which returns what is to be done once the
/// lock is left:
///
/// | who has it \ event | a thread enters | a turn is asked for | it ends | time passes |
/// |---|---|---|---|---|
/// | nobody | the thread has it | the turn begins | | |
/// | a holder | an error for the same place; others wait | an error for the same task; others wait | the first that waits | is taken away, with its transaction, if its place is gone, or nothing happened for 30 s (1 s if nobody has its realm) while others wait |
/// | a turn that begins | waits; has it, as soon as it has begun, if it is the same user | waits | it is ready, and its place is woken; or it failed, and the first that waits | |
/// | a turn that is ready | has it, if it is the same user; else waits | waits | its place starts: a holder | is taken away after 1 s, or 10 ms if others wait; after the fourth time its place waits as a thread |
///
/// A thread that waits goes before the turns of the same user: it may block the place at which
/// these would be taken.
package struct WriteQueueState: Sendable {
  private(set) var owner = Owner.nobody
  private(set) var waiting: [Waiter] = []
  /// The turns that were asked for, and neither started nor given up.
  private var turns: [ObjectIdentifier: Turn] = [:]
  /// Whether somebody looks after those that wait without a thread.
  private(set) var isWatched = false

  /// The one that has the right to write.
  enum Owner: Sendable {
    case nobody
    case holder(Holder)
    case turn(WriteTurn)
  }

  /// A caller that waits.
  enum Waiter: Sendable {
    case thread(WaitingThread)
    case turn(WriteTurn)
  }

  /// A caller that writes.
  package struct Holder: Sendable {
    /// Nil for a look at the file that writes nothing.
    var place: Place?
    /// The task that began, or 0.
    var task: UInt64 = 0
    var user: WriteUserReference?
    var transaction: RunningTransaction?
    /// When the transaction was last seen to change something.
    var lastChange: (stamp: UInt64, time: ContinuousClock.Instant)?
  }

  private struct Turn: Sendable {
    /// The task that waits; 0 when none does.
    var task: UInt64
    /// How often it was taken away.
    var losses = 0
    var phase: Phase
  }

  private enum Phase: Sendable {
    case waiting
    case beginning
    /// The transaction has begun, and the place hasn't.
    case ready(since: ContinuousClock.Instant)
    /// Taken away: the place didn't start in time, and asks again when it does.
    case lost
    case failed(RealmError)
  }

  /// An action after the lock was left.
  package enum Step: Sendable {
    /// - hasBegun: Whether the thread gets a transaction that was begun for a turn.
    case signal(WaitingThread, hasBegun: Bool)
    case begin(WriteTurn)
    case wake(WriteTurn)
    case rollBack(WriteTurn)
  }

  /// The time that others wait for a transaction in which nothing happens.
  package struct Limits: Sendable {
    /// While a caller has its realm.
    package var kept = Duration.seconds(30)
    /// Since when its realm is released.
    package var lost = Duration.seconds(1)

    package init(kept: Duration = .seconds(30), lost: Duration = .seconds(1)) {
      self.kept = kept
      self.lost = lost
    }
  }

  /// How long other processes, or other callers, wait for a place that doesn't take its turn: a
  /// caller may block that place.
  static let turnLimits = (alone: Duration.seconds(1), crowded: Duration.milliseconds(10))
  /// A place that is always late would never write, however often it gets another turn.
  static let mostLosses = 4

  // MARK: Threads

  /// The next step of a thread.
  enum Entry: Sendable {
    /// - hasBegun: Whether a transaction of the file has begun already, for a turn of the same
    ///   user.
    case entered(hasBegun: Bool)
    case waits(WaitingThread)
    /// It would wait for itself.
    case refused
  }

  mutating func enter(_ holder: Holder) -> Entry {
    switch owner {
    case .nobody:
      owner = .holder(holder)
      return .entered(hasBegun: false)
    case .holder(let other) where other.place == holder.place: return .refused
    case .turn(let turn) where turn.user == holder.user:
      guard case .ready = phase(of: turn) else { break }
      // The turn waits for its next one: its place can't take this one while the caller blocks
      // that.
      turns[turn.id]?.phase = .lost
      owner = .holder(holder)
      return .entered(hasBegun: true)
    case .holder, .turn: break
    }
    let thread = WaitingThread(holder)
    waiting.append(.thread(thread))
    return .waits(thread)
  }

  /// Enters if nobody has the right to write.
  mutating func enterAtOnce() -> Bool {
    guard case .nobody = owner else { return false }
    owner = .holder(Holder())
    return true
  }

  /// Records the transaction of the holder, which others may end when it takes too long.
  mutating func began(_ transaction: RunningTransaction) {
    guard case .holder(var holder) = owner else { return }
    holder.transaction = transaction
    owner = .holder(holder)
  }

  /// Ends a transaction, but lets the next caller in only after ``leave()``.
  mutating func keepClosed() { owner = .holder(Holder()) }

  /// Lets the next caller in.
  mutating func leave() -> Step? {
    owner = .nobody
    guard let first = waiting.first else { return nil }
    switch first {
    case .thread(let thread):
      waiting.removeFirst()
      owner = .holder(thread.holder)
      return .signal(thread, hasBegun: false)
    case .turn(let turn):
      if let thread = removeThread(of: turn.user) {
        owner = .holder(thread.holder)
        return .signal(thread, hasBegun: false)
      }
      waiting.removeFirst()
      return begin(turn)
    }
  }

  private mutating func removeThread(of user: WriteUserReference) -> WaitingThread? {
    for (index, waiter) in waiting.enumerated() {
      guard case .thread(let thread) = waiter, thread.holder.user == user else { continue }
      waiting.remove(at: index)
      return thread
    }
    return nil
  }

  // MARK: Turns

  /// The reason why a task can't ask for a turn: it would wait for itself.
  enum Refusal: Error {
    /// Its transaction is one of the same user.
    case own
    case nested
  }

  /// Asks for a turn, behind all others.
  mutating func ask(_ turn: WriteTurn, by task: UInt64) throws(Refusal) -> Step? {
    if case .holder(let holder) = owner, task != 0, holder.task == task {
      throw holder.user == turn.user ? .own : .nested
    }
    return enqueue(turn, Turn(task: task, phase: .waiting), first: false)
  }

  private mutating func enqueue(_ turn: WriteTurn, _ entry: Turn, first: Bool) -> Step? {
    turns[turn.id] = entry
    guard case .nobody = owner else {
      turns[turn.id]?.phase = .waiting
      waiting.insert(.turn(turn), at: first ? 0 : waiting.count)
      return nil
    }
    return begin(turn)
  }

  private mutating func begin(_ turn: WriteTurn) -> Step {
    turns[turn.id]?.phase = .beginning
    owner = .turn(turn)
    return .begin(turn)
  }

  private func phase(of turn: WriteTurn) -> Phase? { turns[turn.id]?.phase }

  /// The transaction of a turn has begun, or could not.
  mutating func begun(
    _ turn: WriteTurn, _ result: Result<Void, RealmError>, at now: ContinuousClock.Instant
  ) -> [Step] {
    let isWanted = if case .beginning = phase(of: turn) { true } else { false }
    switch result {
    case .failure(let error):
      guard isWanted else { return [leave()].compactMap(\.self) }
      turns[turn.id]?.phase = .failed(error)
      return [.wake(turn), leave()].compactMap(\.self)
    // Given up meanwhile.
    case .success where !isWanted: return [.rollBack(turn)]
    case .success:
      if let thread = removeThread(of: turn.user) {
        turns[turn.id]?.phase = .waiting
        waiting.insert(.turn(turn), at: 0)
        owner = .holder(thread.holder)
        return [.signal(thread, hasBegun: true)]
      }
      turns[turn.id]?.phase = .ready(since: now)
      return [.wake(turn)]
    }
  }

  /// The next step of the caller of a turn that was woken.
  package enum Start: Sendable {
    /// It writes: the transaction has begun.
    case begun
    /// The turn was taken away: it will be woken again.
    case later
    /// The turn was taken away too often: it waits as a thread does.
    case waiting
    case failed(RealmError)
    /// The turn was given up, or has started already.
    case over
  }

  /// Takes a turn, at its place.
  mutating func start(_ turn: WriteTurn, _ holder: Holder) -> (start: Start, step: Step?) {
    guard let entry = turns[turn.id] else { return (.over, nil) }
    switch entry.phase {
    case .ready:
      turns[turn.id] = nil
      owner = .holder(holder)
      return (.begun, nil)
    case .lost:
      let isOwn = if case .holder(let other) = owner { other.place == holder.place } else { false }
      guard entry.losses < Self.mostLosses || isOwn else {
        turns[turn.id] = nil
        return (.waiting, nil)
      }
      return (.later, enqueue(turn, entry, first: true))
    case .waiting, .beginning: return (.later, nil)
    case .failed(let error):
      turns[turn.id] = nil
      return (.failed(error), nil)
    }
  }

  /// Gives a turn up that hasn't started.
  mutating func giveUp(_ turn: WriteTurn) -> Step? {
    switch turns.removeValue(forKey: turn.id)?.phase {
    case .waiting:
      waiting.removeAll { if case .turn(let other) = $0 { other === turn } else { false } }
      return nil
    case .ready: return .rollBack(turn)
    // A begin that is going on takes it back.
    case .beginning, .lost, .failed, nil: return nil
    }
  }

  // MARK: The passing of time

  /// Takes a turn away that its place doesn't take.
  mutating func takeFromSleeping(at now: ContinuousClock.Instant) -> Step? {
    guard case .turn(let turn) = owner, case .ready(let since) = phase(of: turn) else { return nil }
    let limit = waiting.isEmpty ? Self.turnLimits.alone : Self.turnLimits.crowded
    guard now - since >= limit else { return nil }
    turns[turn.id]?.phase = .lost
    turns[turn.id]?.losses += 1
    return .rollBack(turn)
  }

  /// The holder whose transaction others wait for, and in which nothing happens.
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

  /// The holder of a transaction to which nobody can come back, because its queue or actor is gone.
  func ended() -> Holder? {
    guard case .holder(let holder) = owner, holder.transaction != nil,
      holder.user?.place.hasEnded == true
    else { return nil }
    return holder
  }

  /// Whether the transaction of a user holds another caller up. The blocks that wait to write with
  /// the same session, at its place, wait for its end as they should.
  private func isHeldUp(_ waiter: Waiter, by user: WriteUserReference) -> Bool {
    switch waiter {
    case .thread: true
    case .turn(let turn): turn.user != user || turns[turn.id]?.task != 0
    }
  }

  /// Whether somebody waits for a turn to be taken.
  var isCrowded: Bool {
    if case .turn = owner { !waiting.isEmpty } else { false }
  }

  /// Begins to look after those that wait without a thread; false if somebody does.
  mutating func beginWatch() -> Bool {
    defer { isWatched = true }
    return !isWatched
  }

  /// Whether somebody still waits without a thread, and is to be looked after.
  mutating func continueWatch() -> Bool {
    isWatched = waiting.contains { if case .turn = $0 { true } else { false } }
    if case .turn = owner { isWatched = true }
    return isWatched
  }

  /// The user that writes at a place.
  func user(at place: Place) -> WriteUserReference? {
    if case .holder(let holder) = owner, holder.place == place { holder.user } else { nil }
  }

  var isHeld: Bool { if case .holder = owner { true } else { false } }
}
