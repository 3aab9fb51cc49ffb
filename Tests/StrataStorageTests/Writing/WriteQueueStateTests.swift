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
      case .signal: "signal"
      case .wake: "wake"
      }
    }
  }

  private func name(_ start: WriteQueueState.Start) -> String {
    switch start {
    case .entered(let waits): waits ? "entered, waits" : "entered"
    case .later: "later"
    case .waiting: "waiting"
    case .failed(let error): "failed: \(error.message)"
    case .over: "over"
    }
  }

  private func writes(_ state: WriteQueueMachine, _ user: Somebody) -> Bool {
    state.user(at: user.place) == WriteUserReference(user)
  }

  /// A turn that was woken, and hasn't started.
  private func wake(_ state: WriteQueueMachine, _ turn: WriteTurn) throws {
    #expect(names(try state.ask(turn, by: 0, at: start)) == ["wake"])
  }

  // MARK: Nobody

  @Test func `A thread enters if nobody writes`() {
    let state = WriteQueueMachine()
    #expect(!state.isHeld)
    #expect(enter(state, one) == nil)
    #expect(state.isHeld && writes(state, one) && !writes(state, two))
    #expect(names(state.leave(at: start)) == [] && !state.isHeld)
  }

  @Test func `A turn is woken if nobody writes, and its place starts`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try wake(state, turn)
    #expect(!state.isHeld)
    #expect(name(state.start(turn, one.holder)) == "entered")
    #expect(writes(state, one))
    state.begun(turn)
    #expect(name(state.start(turn, one.holder)) == "over")
  }

  @Test func `A look enters if nobody writes, and keeps others out`() {
    let state = WriteQueueMachine()
    #expect(state.enterAtOnce())
    #expect(!state.enterAtOnce())
    let thread = enter(state, one)
    #expect(thread != nil)
    #expect(names(state.leave(at: start)) == ["signal"])
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
    #expect(throws: WriteQueueState.Refusal.own) { try state.ask(one.turn, by: 1, at: start) }
    #expect(throws: WriteQueueState.Refusal.nested) { try state.ask(two.turn, by: 1, at: start) }
    #expect(names(try state.ask(one.turn, by: 0, at: start)) == [])
  }

  @Test func `Callers enter in the order of asking`() throws {
    let state = WriteQueueMachine()
    _ = enter(state, one)
    let (first, second, third) = (two.turn, Somebody(3), Somebody(4).turn)
    #expect(names(try state.ask(first, by: 2, at: start)) == [])
    #expect(enter(state, second) != nil)
    #expect(names(try state.ask(third, by: 4, at: start)) == [])
    #expect(names(state.leave(at: start)) == ["wake"])
    #expect(name(state.start(first, two.holder)) == "entered")
    state.begun(first)
    #expect(names(state.leave(at: start)) == ["signal"])
    #expect(writes(state, second))
    #expect(names(state.leave(at: start)) == ["wake"])
  }

  @Test func `A commit may keep the others out until it leaves`() {
    let state = WriteQueueMachine()
    _ = enter(state, one)
    #expect(enter(state, two) != nil)
    state.keepClosed()
    #expect(state.isHeld && !writes(state, one) && !writes(state, two))
    #expect(names(state.leave(at: start)) == ["signal"])
    #expect(writes(state, two))
  }

  // MARK: Turns

  @Test func `All turns that wait are woken, and the first that starts writes`() throws {
    let state = WriteQueueMachine()
    _ = enter(state, one)
    let (first, second) = (two.turn, Somebody(3))
    let turn = second.turn
    for turn in [first, turn] { #expect(names(try state.ask(turn, by: 0, at: start)) == []) }
    #expect(names(state.leave(at: start)) == ["wake", "wake"])
    #expect(name(state.start(turn, second.holder)) == "entered")
    state.begun(turn)
    // Beside it the other one waits again.
    #expect(name(state.start(first, two.holder)) == "later")
    #expect(names(state.leave(at: start)) == ["wake"])
    #expect(name(state.start(first, two.holder)) == "entered")
  }

  @Test func `A turn that was woken, and comes when another one has written, writes`() throws {
    let state = WriteQueueMachine()
    let (first, second) = (one.turn, two.turn)
    try wake(state, first)
    try wake(state, second)
    #expect(name(state.start(second, two.holder)) == "entered")
    state.begun(second)
    #expect(names(state.leave(at: start)) == [])
    #expect(name(state.start(first, one.holder)) == "entered")
  }

  @Test func `A turn that can't begin lets the next one in`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try wake(state, turn)
    #expect(name(state.start(turn, one.holder)) == "entered")
    #expect(enter(state, two) != nil)
    state.begun(turn)
    #expect(names(state.leave(at: start)) == ["signal"])
    #expect(name(state.start(turn, one.holder)) == "over")
  }

  @Test func `A turn that is given up when it was woken lets a thread in`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try wake(state, turn)
    #expect(enter(state, two) != nil)
    #expect(names(state.giveUp(turn)) == ["signal"])
    #expect(writes(state, two))
    #expect(name(state.start(turn, one.holder)) == "over")
  }

  @Test func `A turn that waits and is given up is not woken`() throws {
    let state = WriteQueueMachine()
    _ = enter(state, two)
    let turn = one.turn
    _ = try state.ask(turn, by: 0, at: start)
    #expect(names(state.giveUp(turn)) == [])
    #expect(names(state.leave(at: start)) == [])
  }

  @Test func `A thread of the same user goes before its turn`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try wake(state, turn)
    #expect(enter(state, one) == nil)
    #expect(writes(state, one))
    #expect(name(state.start(turn, one.holder)) == "later")
    #expect(names(state.leave(at: start)) == ["wake"])
    // So does one that waits.
    let waiting = WriteQueueMachine()
    _ = enter(waiting, two)
    #expect(names(try waiting.ask(turn, by: 0, at: start)) == [])
    #expect(enter(waiting, one) != nil)
    #expect(names(waiting.leave(at: start)) == ["wake", "signal"])
    #expect(writes(waiting, one))
  }

  // MARK: Other processes

  @Test func `A turn that finds another process writing is woken before all others`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try wake(state, turn)
    #expect(name(state.start(turn, one.holder)) == "entered")
    state.waitsForOthers(turn)
    #expect(state.isHeld && !writes(state, one))
    #expect(enter(state, two) != nil)
    #expect(name(state.start(turn, one.holder)) == "later")
    #expect(names(state.othersEnded(turn, .success(()), at: start)) == ["wake"])
    #expect(name(state.start(turn, one.holder)) == "entered")
  }

  @Test func `A turn whose other process never ends fails, and lets the next one in`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try wake(state, turn)
    #expect(name(state.start(turn, one.holder)) == "entered")
    state.waitsForOthers(turn)
    #expect(enter(state, two) != nil)
    let error = RealmError(.fileAccess, "locked")
    #expect(names(state.othersEnded(turn, .failure(error), at: start)) == ["wake", "signal"])
    #expect(writes(state, two))
    #expect(name(state.start(turn, one.holder)) == "failed: locked")
  }

  @Test(arguments: [true, false])
  func `A turn that is given up while another process writes is not woken`(fails: Bool) throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try wake(state, turn)
    #expect(name(state.start(turn, one.holder)) == "entered")
    state.waitsForOthers(turn)
    #expect(names(state.giveUp(turn)) == [])
    let result: Result<Void, RealmError> = fails ? .failure(RealmError(.fail, "")) : .success(())
    #expect(names(state.othersEnded(turn, result, at: start)) == [])
    #expect(enter(state, two) == nil)
  }

  @Test func `A turn that finds another process writing four times waits as a thread`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try wake(state, turn)
    for _ in 0..<WriteQueueState.maxLosses {
      #expect(name(state.start(turn, one.holder)) == "entered")
      state.waitsForOthers(turn)
      #expect(names(state.othersEnded(turn, .success(()), at: start)) == ["wake"])
    }
    #expect(name(state.start(turn, one.holder)) == "entered, waits")
  }

  // MARK: Time

  @Test func `A thread waits for 10 ms for turns that were woken before it`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try wake(state, turn)
    #expect(!state.isCrowded)
    #expect(names(state.takeFromSleeping(at: time(1_000))) == [])
    #expect(enter(state, two) != nil)
    #expect(state.isCrowded)
    #expect(names(state.takeFromSleeping(at: time(9))) == [])
    #expect(names(state.takeFromSleeping(at: time(10))) == ["signal"])
    #expect(writes(state, two))
    // Its place comes: it goes before those that came later.
    #expect(name(state.start(turn, one.holder)) == "later")
    #expect(enter(state, Somebody(3)) != nil)
    #expect(names(state.leave(at: time(20))) == ["wake"])
    #expect(name(state.start(turn, one.holder)) == "entered")
  }

  @Test func `A place that is late four times is waited for no longer`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try wake(state, turn)
    var now = 0
    #expect(enter(state, two) != nil)
    for loss in 1...WriteQueueState.maxLosses {
      now += 10
      #expect(names(state.takeFromSleeping(at: time(now))) == ["signal"])
      #expect(enter(state, Somebody(UInt64(loss) + 2)) != nil)
      let steps = names(state.leave(at: time(now)))
      #expect(steps == (loss < WriteQueueState.maxLosses ? [] : ["signal"]))
    }
    #expect(name(state.start(turn, one.holder)) == "waiting")
  }

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
    _ = try state.ask(one.turn, by: 0, at: start)
    for _ in 0..<3 { #expect(state.abandoned(at: start, atOnce) == nil) }
    _ = try state.ask(one.turn, by: 7, at: start)
    #expect(state.abandoned(at: start, atOnce) == nil)
    #expect(state.abandoned(at: start, atOnce) != nil)
  }

  @Test func `A look goes on as long as somebody waits without a thread`() throws {
    let state = WriteQueueMachine()
    let turn = one.turn
    try wake(state, turn)
    #expect(state.beginWatch())
    #expect(!state.beginWatch())
    #expect(state.continueWatch())
    _ = state.start(turn, one.holder)
    state.begun(turn)
    #expect(enter(state, two) != nil)
    #expect(!state.continueWatch())
    #expect(state.beginWatch())
  }
}
