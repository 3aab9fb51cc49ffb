@testable import StrataStorage

/// A user of a write queue.
final class Somebody: WriteUser {
  let place: Place
  var isHeld = true

  init(_ number: UInt64) {
    place = .task(number)
  }

  var holder: WriteQueueState.Holder {
    guard case .task(let number) = place else { return .init() }
    return .init(place: place, task: number, user: WriteUserReference(self))
  }

  var turn: WriteTurn { WriteTurn(self, begin: { _ in true }, waitForOthers: {}, wake: {}) }

  func rollBackAbandoned(from place: Place, because reason: String) {}
}

/// A ``WriteQueueState`` in a form that `#expect` takes.
final class WriteQueueMachine {
  private(set) var state: WriteQueueState

  init(_ state: WriteQueueState = WriteQueueState()) {
    self.state = state
  }

  var isHeld: Bool { state.isHeld }
  var isCrowded: Bool { state.isCrowded }
  var isAnybodyWaiting: Bool { !state.waiting.isEmpty }

  func user(at place: Place) -> WriteUserReference? { state.user(at: place) }
  func enter(_ holder: WriteQueueState.Holder) -> WriteQueueState.Entry { state.enter(holder) }
  func enterAtOnce() -> Bool { state.enterAtOnce() }
  func began(_ transaction: RunningTransaction) { state.began(transaction) }
  func keepClosed() { state.keepClosed() }
  func leave(at now: ContinuousClock.Instant) -> [WriteQueueState.Step] { state.leave(at: now) }
  func ask(
    _ turn: WriteTurn, by task: UInt64, at now: ContinuousClock.Instant
  ) throws -> [WriteQueueState.Step] {
    try state.ask(turn, by: task, at: now)
  }
  func start(_ turn: WriteTurn, _ holder: WriteQueueState.Holder) -> WriteQueueState.Start {
    state.start(turn, holder)
  }
  func begun(_ turn: WriteTurn) { state.begun(turn) }
  func waitsForOthers(_ turn: WriteTurn) { state.waitsForOthers(turn) }
  func othersEnded(
    _ turn: WriteTurn, _ result: Result<Void, RealmError>, at now: ContinuousClock.Instant
  ) -> [WriteQueueState.Step] {
    state.othersEnded(turn, result, at: now)
  }
  func giveUp(_ turn: WriteTurn) -> [WriteQueueState.Step] { state.giveUp(turn) }
  func takeFromSleeping(at now: ContinuousClock.Instant) -> [WriteQueueState.Step] {
    state.takeFromSleeping(at: now)
  }
  func abandoned(
    at now: ContinuousClock.Instant, _ limits: WriteQueueState.Limits
  ) -> WriteQueueState.Holder? {
    state.abandoned(at: now, limits)
  }
  func beginWatch() -> Bool { state.beginWatch() }
  func continueWatch() -> Bool { state.continueWatch() }
}
