import TestKit
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
    _ state: inout WriteQueueState, _ user: Somebody,
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

  private func name(_ start: WriteQueue.Start) -> String {
    switch start {
    case .entered(let waits): waits ? "entered, waits" : "entered"
    case .later: "later"
    case .waiting: "waiting"
    case .failed(let error): "failed: \(error.message)"
    case .over: "over"
    }
  }

  private func writes(_ state: WriteQueueState, _ user: Somebody) -> Bool {
    state.user(at: user.place) == WriteUserReference(user)
  }

  /// A turn that was woken, and hasn't started.
  private func wake(_ state: inout WriteQueueState, _ turn: WriteTurn) throws {
    expectEqual(names(try state.ask(turn, by: 0, at: start)), ["wake"])
  }

  // MARK: Nobody

  @Test func `A thread enters if nobody writes`() {
    var state = WriteQueueState()
    expectFalse(state.isHeld)
    expectNil(enter(&state, one))
    expectTrue(state.isHeld && writes(state, one) && !writes(state, two))
    expectTrue(names(state.leave(at: start)) == [] && !state.isHeld)
  }

  @Test func `A turn is woken if nobody writes, and its place starts`() throws {
    var state = WriteQueueState()
    let turn = one.turn
    try wake(&state, turn)
    expectFalse(state.isHeld)
    expectEqual(name(state.start(turn, one.holder)), "entered")
    expectTrue(writes(state, one))
    state.begun(turn)
    expectEqual(name(state.start(turn, one.holder)), "over")
  }

  @Test func `A look enters if nobody writes, and keeps others out`() {
    var state = WriteQueueState()
    expectTrue(state.enterAtOnce())
    expectFalse(state.enterAtOnce())
    let thread = enter(&state, one)
    expectTrue(thread != nil)
    expectEqual(names(state.leave(at: start)), ["signal"])
    expectTrue(writes(state, one))
  }

  // MARK: A holder

  @Test func `A second transaction of a place, and of a task, would wait for itself`() throws {
    var state = WriteQueueState()
    _ = enter(&state, one)
    guard case .refused = state.enter(one.holder) else {
      Issue.record("not refused")
      return
    }
    #expect(throws: WriteQueueState.Refusal.own) { try state.ask(one.turn, by: 1, at: start) }
    #expect(throws: WriteQueueState.Refusal.nested) { try state.ask(two.turn, by: 1, at: start) }
    expectEqual(names(try state.ask(one.turn, by: 0, at: start)), [])
  }

  @Test func `Callers enter in the order of asking`() throws {
    var state = WriteQueueState()
    _ = enter(&state, one)
    let (first, second, third) = (two.turn, Somebody(3), Somebody(4).turn)
    expectEqual(names(try state.ask(first, by: 2, at: start)), [])
    expectTrue(enter(&state, second) != nil)
    expectEqual(names(try state.ask(third, by: 4, at: start)), [])
    expectEqual(names(state.leave(at: start)), ["wake"])
    expectEqual(name(state.start(first, two.holder)), "entered")
    state.begun(first)
    expectEqual(names(state.leave(at: start)), ["signal"])
    expectTrue(writes(state, second))
    expectEqual(names(state.leave(at: start)), ["wake"])
  }

  @Test func `A commit may keep the others out until it leaves`() {
    var state = WriteQueueState()
    _ = enter(&state, one)
    expectTrue(enter(&state, two) != nil)
    state.keepClosed()
    expectTrue(state.isHeld && !writes(state, one) && !writes(state, two))
    expectEqual(names(state.leave(at: start)), ["signal"])
    expectTrue(writes(state, two))
  }

  // MARK: Turns

  @Test func `All turns that wait are woken, and the first that starts writes`() throws {
    var state = WriteQueueState()
    _ = enter(&state, one)
    let (first, second) = (two.turn, Somebody(3))
    let turn = second.turn
    for turn in [first, turn] { expectEqual(names(try state.ask(turn, by: 0, at: start)), []) }
    expectEqual(names(state.leave(at: start)), ["wake", "wake"])
    expectEqual(name(state.start(turn, second.holder)), "entered")
    state.begun(turn)
    // Beside it the other one waits again.
    expectEqual(name(state.start(first, two.holder)), "later")
    expectEqual(names(state.leave(at: start)), ["wake"])
    expectEqual(name(state.start(first, two.holder)), "entered")
  }

  @Test func `A turn that was woken, and comes when another one has written, writes`() throws {
    var state = WriteQueueState()
    let (first, second) = (one.turn, two.turn)
    try wake(&state, first)
    try wake(&state, second)
    expectEqual(name(state.start(second, two.holder)), "entered")
    state.begun(second)
    expectEqual(names(state.leave(at: start)), [])
    expectEqual(name(state.start(first, one.holder)), "entered")
  }

  @Test func `A turn that can't begin lets the next one in`() throws {
    var state = WriteQueueState()
    let turn = one.turn
    try wake(&state, turn)
    expectEqual(name(state.start(turn, one.holder)), "entered")
    expectTrue(enter(&state, two) != nil)
    state.begun(turn)
    expectEqual(names(state.leave(at: start)), ["signal"])
    expectEqual(name(state.start(turn, one.holder)), "over")
  }

  @Test func `A turn that is given up when it was woken lets a thread in`() throws {
    var state = WriteQueueState()
    let turn = one.turn
    try wake(&state, turn)
    expectTrue(enter(&state, two) != nil)
    expectEqual(names(state.giveUp(turn)), ["signal"])
    expectTrue(writes(state, two))
    expectEqual(name(state.start(turn, one.holder)), "over")
  }

  @Test func `A turn that waits and is given up is not woken`() throws {
    var state = WriteQueueState()
    _ = enter(&state, two)
    let turn = one.turn
    _ = try state.ask(turn, by: 0, at: start)
    expectEqual(names(state.giveUp(turn)), [])
    expectEqual(names(state.leave(at: start)), [])
  }

  @Test func `A thread of the same user goes before its turn`() throws {
    var state = WriteQueueState()
    let turn = one.turn
    try wake(&state, turn)
    expectNil(enter(&state, one))
    expectTrue(writes(state, one))
    expectEqual(name(state.start(turn, one.holder)), "later")
    expectEqual(names(state.leave(at: start)), ["wake"])
    // So does one that waits.
    var waiting = WriteQueueState()
    _ = enter(&waiting, two)
    expectEqual(names(try waiting.ask(turn, by: 0, at: start)), [])
    expectTrue(enter(&waiting, one) != nil)
    expectEqual(names(waiting.leave(at: start)), ["wake", "signal"])
    expectTrue(writes(waiting, one))
  }

  // MARK: Other processes

  @Test func `A turn that finds another process writing is woken before all others`() throws {
    var state = WriteQueueState()
    let turn = one.turn
    try wake(&state, turn)
    expectEqual(name(state.start(turn, one.holder)), "entered")
    state.waitsForOthers(turn)
    expectTrue(state.isHeld && !writes(state, one))
    expectTrue(enter(&state, two) != nil)
    expectEqual(name(state.start(turn, one.holder)), "later")
    expectEqual(names(state.othersEnded(turn, .success(()), at: start)), ["wake"])
    expectEqual(name(state.start(turn, one.holder)), "entered")
  }

  @Test func `A turn whose other process never ends fails, and lets the next one in`() throws {
    var state = WriteQueueState()
    let turn = one.turn
    try wake(&state, turn)
    expectEqual(name(state.start(turn, one.holder)), "entered")
    state.waitsForOthers(turn)
    expectTrue(enter(&state, two) != nil)
    let error = RealmError(.fileAccess, "locked")
    expectEqual(names(state.othersEnded(turn, .failure(error), at: start)), ["wake", "signal"])
    expectTrue(writes(state, two))
    expectEqual(name(state.start(turn, one.holder)), "failed: locked")
  }

  @Test(arguments: [true, false])
  func `A turn that is given up while another process writes is not woken`(fails: Bool) throws {
    var state = WriteQueueState()
    let turn = one.turn
    try wake(&state, turn)
    expectEqual(name(state.start(turn, one.holder)), "entered")
    state.waitsForOthers(turn)
    expectEqual(names(state.giveUp(turn)), [])
    let result: Result<Void, RealmError> = fails ? .failure(RealmError(.fail, "")) : .success(())
    expectEqual(names(state.othersEnded(turn, result, at: start)), [])
    expectNil(enter(&state, two))
  }

  @Test func `A turn that finds another process writing four times waits as a thread`() throws {
    var state = WriteQueueState()
    let turn = one.turn
    try wake(&state, turn)
    for _ in 0..<WriteQueueState.maxLosses {
      expectEqual(name(state.start(turn, one.holder)), "entered")
      state.waitsForOthers(turn)
      expectEqual(names(state.othersEnded(turn, .success(()), at: start)), ["wake"])
    }
    expectEqual(name(state.start(turn, one.holder)), "entered, waits")
  }

  // MARK: Time

  @Test func `A thread waits for 10 ms for turns that were woken before it`() throws {
    var state = WriteQueueState()
    let turn = one.turn
    try wake(&state, turn)
    expectFalse(state.setTimer())
    expectEqual(names(state.revokeSleepingTurns(at: time(1_000))), [])
    expectTrue(enter(&state, two) != nil)
    expectTrue(state.setTimer())
    expectFalse(state.setTimer())
    expectEqual(names(state.revokeSleepingTurns(at: time(9))), [])
    expectTrue(state.setTimer())
    expectEqual(names(state.revokeSleepingTurns(at: time(10))), ["signal"])
    expectTrue(writes(state, two))
    // The place is ready: its turn is before the later ones.
    expectEqual(name(state.start(turn, one.holder)), "later")
    expectTrue(enter(&state, Somebody(3)) != nil)
    expectEqual(names(state.leave(at: time(20))), ["wake"])
    expectEqual(name(state.start(turn, one.holder)), "entered")
  }

  @Test func `A place that is late four times is waited for no longer`() throws {
    var state = WriteQueueState()
    let turn = one.turn
    try wake(&state, turn)
    var now = 0
    expectTrue(enter(&state, two) != nil)
    for loss in 1...WriteQueueState.maxLosses {
      now += 10
      expectEqual(names(state.revokeSleepingTurns(at: time(now))), ["signal"])
      expectTrue(enter(&state, Somebody(UInt64(loss) + 2)) != nil)
      let steps = names(state.leave(at: time(now)))
      expectEqual(steps, (loss < WriteQueueState.maxLosses ? [] : ["signal"]))
    }
    expectEqual(name(state.start(turn, one.holder)), "waiting")
  }

  @Test func `A transaction that others wait for is abandoned when nothing happens in it`() {
    let limits = WriteQueueState.Limits()
    var state = WriteQueueState()
    _ = enter(&state, one)
    let transaction = RunningTransaction(StampClock())
    state.began(transaction)
    // No writer waits.
    expectNil(state.abandoned(at: time(0), limits))
    expectNil(state.abandoned(at: time(90_000), limits))
    _ = enter(&state, two)
    expectNil(state.abandoned(at: time(100_000), limits))
    transaction.clock.advance()
    expectNil(state.abandoned(at: time(131_000), limits))
    expectNil(state.abandoned(at: time(160_999), limits))
    expectEqual(state.abandoned(at: time(161_000), limits)?.place, one.place)
    one.isHeld = false
    expectNil(state.abandoned(at: time(131_999), limits))
    expectEqual(state.abandoned(at: time(132_000), limits)?.place, one.place)
  }

  @Test func `Blocks of its own place don't make a transaction abandoned, a task does`() throws {
    var state = WriteQueueState()
    _ = enter(&state, one)
    state.began(RunningTransaction(StampClock()))
    let atOnce = WriteQueueState.Limits(kept: .zero, lost: .zero)
    _ = try state.ask(one.turn, by: 0, at: start)
    for _ in 0..<3 { expectNil(state.abandoned(at: start, atOnce)) }
    _ = try state.ask(one.turn, by: 7, at: start)
    expectNil(state.abandoned(at: start, atOnce))
    expectTrue(state.abandoned(at: start, atOnce) != nil)
  }

  @Test func `A look goes on as long as somebody waits without a thread`() throws {
    var state = WriteQueueState()
    let turn = one.turn
    try wake(&state, turn)
    expectTrue(state.beginWatch())
    expectFalse(state.beginWatch())
    expectTrue(state.continueWatch())
    _ = state.start(turn, one.holder)
    state.begun(turn)
    expectTrue(enter(&state, two) != nil)
    expectFalse(state.continueWatch())
    expectTrue(state.beginWatch())
  }
}
