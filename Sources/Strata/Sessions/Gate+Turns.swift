import CStrataRuntime
import Foundation
import StrataStorage
import Synchronization

extension Gate {
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
      turn.task = task
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
  /// - Throws: ``RealmError`` when the transaction can't begin, and `CancellationError` when the turn
  ///   was given up.
  func start(_ turn: GateTurn) throws -> GateTurn.Start {
    let holder = Holder(
      place: Place.current, task: strata_current_task(), session: turn.session)
    let (start, step) = try state.withLock {
      state -> Result<(GateTurn.Start, Step?), any Error> in
      switch turn.state {
      case .ready:
        turn.state = .started
        hold(&state, holder)
        return .success((.begun, nil))
      case .idle:
        var isOwn = false
        if case .holder(let other) = state.user { isOwn = other.place == holder.place }
        guard turn.losses < Self.mostLosses || isOwn else {
          turn.state = .started
          return .success((.waiting, nil))
        }
        return .success((.later, enqueue(turn, &state, first: true)))
      case .waiting, .beginning: return .success((.later, nil))
      case .failed(let error): return .failure(error)
      case .started, .abandoned: return .failure(CancellationError())
      }
    }.get()
    take(step)
    if case .later = start { watch() }
    return start
  }

  /// A place that is always late would never write, however often it gets another turn.
  private static let mostLosses = 4
  /// How long other processes, or other callers, wait for a place that doesn't take its turn: a
  /// caller may block that place.
  private static let limits = (alone: Duration.seconds(1), crowded: Duration.milliseconds(10))

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

  func begin(_ turn: GateTurn) {
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

  func rollBack(_ turn: GateTurn) {
    turn.rollBack()
    take(state.withLock { next(&$0) })
  }

  // MARK: Places that don't take their turns

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
  func lookSoon() {
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
      turn.losses += 1
      return .rollBack(turn)
    }
    take(step)
  }
}
