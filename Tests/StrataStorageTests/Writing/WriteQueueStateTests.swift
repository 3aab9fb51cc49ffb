import Testing

@testable import StrataStorage

/// Each cell of the table of ``WriteQueueState``.
struct WriteQueueStateTests {
  private let one = Somebody(1)
  private let two = Somebody(2)
  private let start = ContinuousClock.now

  private func time(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }

  /// Enters, and returns the thread that waits; nil when it has entered.
  private func enter(
    _ state: WriteQueueMachine, _ user: Somebody,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> WaitingThread? {
    switch state.enter(user.holder) {
    case .waits(let thread): return thread
    case .entered: return nil
    case .refused:
      Issue.record("refused", sourceLocation: sourceLocation)
      return nil
    }
  }

  /// The actions, by their names.
  private func names(_ steps: [WriteQueueState.Step]) -> [String] {
    steps.map {
      switch $0 {
      case .signal(_, let hasBegun): hasBegun ? "signal, begun" : "signal"
      case .begin: "begin"
      case .wake: "wake"
      case .rollBack: "roll back"
      }
    }
  }

  private func name(_ step: WriteQueueState.Step?) -> String {
    names([step].compactMap(\.self)).first ?? ""
  }

  /// The owner's place, or what the turn is doing.
  private func writes(_ state: WriteQueueMachine, _ user: Somebody) -> Bool {
    state.user(at: user.place) == WriteUserReference(user)
  }

  /// A turn whose transaction has begun, of somebody who hasn't started.
  private func ready(_ state: WriteQueueMachine, _ turn: WriteTurn) throws {
    #expect(name(try state.ask(turn, by: 0)) == "begin")
    #expect(names(state.begun(turn, .success(()), at: start)) == ["wake"])
  }

  // MARK: Nobody

  @Test func `A thread enters if nobody writes`() {
    let state = WriteQueueMachine()
    #expect(!state.isHeld)
    #expect(enter(state, one) == nil)
    #expect(state.isHeld && writes(state, one) && !writes(state, two))
    #expect(name(state.leave()) == "" && !state.isHeld)
  }

  @Test func `A turn begins if nobody writes, and its place starts`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try ready(state, turn)
    #expect(!state.isHeld)
    guard case .begun = state.start(turn, one.holder).start else {
      Issue.record("not begun")
      return
    }
    #expect(writes(state, one))
    guard case .over = state.start(turn, one.holder).start else {
      Issue.record("started twice")
      return
    }
  }

  @Test func `A look enters if nobody writes, and keeps others out`() {
    let state = WriteQueueMachine()
    #expect(state.enterAtOnce())
    #expect(!state.enterAtOnce())
    let thread = enter(state, one)
    #expect(thread != nil)
    #expect(name(state.leave()) == "signal")
    #expect(writes(state, one))
  }

  // MARK: A holder

  @Test func `A second transaction of a place, and of a task, would wait for itself`() throws {
    let state = WriteQueueMachine()
    _ = enter(state, one)
    guard case .refused = state.enter(one.holder) else {
      Issue.record("not refused")
      return
    }
    #expect(throws: WriteQueueState.Refusal.own) { try state.ask(one.turn, by: 1) }
    #expect(throws: WriteQueueState.Refusal.nested) { try state.ask(two.turn, by: 1) }
    #expect(name(try state.ask(one.turn, by: 0)) == "")
  }

  @Test func `Callers enter in the order of asking`() throws {
    let state = WriteQueueMachine()
    _ = enter(state, one)
    let (first, second) = (two.turn, Somebody(3))
    #expect(name(try state.ask(first, by: 2)) == "")
    #expect(enter(state, second) != nil)
    #expect(name(state.leave()) == "begin")
    #expect(names(state.begun(first, .success(()), at: start)) == ["wake"])
    _ = state.start(first, two.holder)
    #expect(name(state.leave()) == "signal")
    #expect(writes(state, second))
  }

  @Test func `A commit may keep the others out until it leaves`() {
    let state = WriteQueueMachine()
    _ = enter(state, one)
    #expect(enter(state, two) != nil)
    state.keepClosed()
    #expect(state.isHeld && !writes(state, one) && !writes(state, two))
    #expect(name(state.leave()) == "signal")
    #expect(writes(state, two))
  }

  // MARK: A turn that begins

  @Test func `A thread of the same user takes the transaction over that begins for a turn`() throws
  {
    let state = WriteQueueMachine()
    let turn = one.turn
    #expect(name(try state.ask(turn, by: 0)) == "begin")
    #expect(enter(state, two) != nil)
    #expect(enter(state, one) != nil)
    #expect(names(state.begun(turn, .success(()), at: start)) == ["signal, begun"])
    #expect(writes(state, one))
    // The turn waits again, before all others.
    guard case .later = state.start(turn, one.holder).start else {
      Issue.record("it doesn't wait")
      return
    }
    #expect(name(state.leave()) == "begin")
  }

  @Test func `A turn that can't begin fails at its place, and lets the next one in`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    _ = try state.ask(turn, by: 0)
    #expect(enter(state, two) != nil)
    let error = RealmError(.fileAccess, "full")
    #expect(names(state.begun(turn, .failure(error), at: start)) == ["wake", "signal"])
    #expect(writes(state, two))
    guard case .failed(let told) = state.start(turn, one.holder).start else {
      Issue.record("it hasn't failed")
      return
    }
    #expect(told.message == "full")
  }

  @Test(arguments: [true, false])
  func `A turn that is given up while it begins is taken back`(fails: Bool) throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    _ = try state.ask(turn, by: 0)
    #expect(name(state.giveUp(turn)) == "")
    if fails {
      #expect(names(state.begun(turn, .failure(RealmError(.fail, "")), at: start)) == [])
    } else {
      #expect(names(state.begun(turn, .success(()), at: start)) == ["roll back"])
      #expect(name(state.leave()) == "")
    }
    #expect(enter(state, two) == nil)
  }

  // MARK: A turn that is ready

  @Test func `A thread of the same user takes over a turn that is ready`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try ready(state, turn)
    guard case .entered(hasBegun: true) = state.enter(one.holder) else {
      Issue.record("not entered")
      return
    }
    // At the place of the holder the turn asks again, whatever it has lost.
    guard case .later = state.start(turn, one.holder).start else {
      Issue.record("it doesn't wait")
      return
    }
    #expect(name(state.leave()) == "begin")
  }

  @Test func `Others wait for a turn that is ready`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try ready(state, turn)
    #expect(!state.isCrowded && !state.enterAtOnce())
    #expect(enter(state, two) != nil)
    #expect(state.isCrowded)
    #expect(name(state.giveUp(turn)) == "roll back")
    #expect(name(state.leave()) == "signal")
    #expect(writes(state, two))
  }

  @Test func `A turn is taken away after 1 s, and after 10 ms if others wait`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try ready(state, turn)
    #expect(name(state.takeFromSleeping(at: time(999))) == "")
    let alone = WriteQueueMachine(state.state)
    #expect(name(alone.takeFromSleeping(at: time(1_000))) == "roll back")
    #expect(enter(state, two) != nil)
    #expect(name(state.takeFromSleeping(at: time(9))) == "")
    #expect(name(state.takeFromSleeping(at: time(10))) == "roll back")
    #expect(name(state.leave()) == "signal")
    // It asks again when its place comes, before all others.
    #expect(enter(state, Somebody(3)) != nil)
    guard case .later = state.start(turn, one.holder).start else {
      Issue.record("it doesn't wait")
      return
    }
    #expect(name(state.leave()) == "begin")
  }

  @Test func `A place that is late four times waits as a thread`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    _ = try state.ask(turn, by: 0)
    for loss in 1...WriteQueueState.mostLosses {
      #expect(names(state.begun(turn, .success(()), at: start)) == ["wake"])
      #expect(name(state.takeFromSleeping(at: time(1_000))) == "roll back")
      #expect(name(state.leave()) == "")
      let (again, step) = state.start(turn, one.holder)
      switch again {
      case .later: #expect(loss < WriteQueueState.mostLosses && name(step) == "begin")
      case .waiting: #expect(loss == WriteQueueState.mostLosses && name(step) == "")
      default: Issue.record("\(again)")
      }
    }
  }

  // MARK: Time

  @Test func `A transaction that others wait for is abandoned when nothing happens in it`() {
    let limits = WriteQueueState.Limits()
    let state = WriteQueueMachine()
    _ = enter(state, one)
    let transaction = RunningTransaction(StampClock())
    state.began(transaction)
    // Nobody waits.
    #expect(state.abandoned(at: time(0), limits) == nil)
    #expect(state.abandoned(at: time(90_000), limits) == nil)
    _ = enter(state, two)
    #expect(state.abandoned(at: time(100_000), limits) == nil)
    transaction.clock.advance()
    #expect(state.abandoned(at: time(131_000), limits) == nil)
    #expect(state.abandoned(at: time(160_999), limits) == nil)
    #expect(state.abandoned(at: time(161_000), limits)?.place == one.place)
    one.isHeld = false
    #expect(state.abandoned(at: time(131_999), limits) == nil)
    #expect(state.abandoned(at: time(132_000), limits)?.place == one.place)
  }

  @Test func `Blocks of its own place don't make a transaction abandoned, a task does`() throws {
    let state = WriteQueueMachine()
    _ = enter(state, one)
    state.began(RunningTransaction(StampClock()))
    let atOnce = WriteQueueState.Limits(kept: .zero, lost: .zero)
    _ = try state.ask(one.turn, by: 0)
    for _ in 0..<3 { #expect(state.abandoned(at: start, atOnce) == nil) }
    _ = try state.ask(one.turn, by: 7)
    #expect(state.abandoned(at: start, atOnce) == nil)
    #expect(state.abandoned(at: start, atOnce) != nil)
  }

  @Test func `A look goes on as long as somebody waits without a thread`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    _ = try state.ask(turn, by: 0)
    #expect(state.beginWatch())
    #expect(!state.beginWatch())
    #expect(state.continueWatch())
    _ = state.begun(turn, .success(()), at: start)
    _ = state.start(turn, one.holder)
    #expect(enter(state, two) != nil)
    #expect(!state.continueWatch())
    #expect(state.beginWatch())
  }
}
