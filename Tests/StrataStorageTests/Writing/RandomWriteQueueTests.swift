import TestKit
import Testing

@testable import StrataStorage

/// Random events of a ``WriteQueueState``.
struct RandomWriteQueueTests {
  private let start = ContinuousClock.now

  /// Callers of random kinds: each writes in the end, one at a time, and nothing is left.
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `Whatever happens, each caller writes once, one at a time`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var state = WriteQueueState()
    var world = World()
    let users = (1...3).map { Somebody($0) }
    var remaining = 40
    for number in 0... {
      try #require(number < 10_000, "callers wait for ever: \(world)")
      if remaining > 0, Bool.random(using: &random) {
        remaining -= 1
        let user = users.randomElement(using: &random)!
        if Bool.random(using: &random) {
          world.enter(user, &state)
        } else {
          try world.ask(user.turn, user, &state, start + .milliseconds(number * 5))
        }
      } else {
        world.event(&state, start + .milliseconds(number * 5), &random)
      }
      if remaining == 0, world.isIdle { break }
    }
    expectTrue(state.enterAtOnce())
    expectTrue(state.waiting.isEmpty)
    expectEqual(world.asked, world.written + world.refused + world.givenUp)
  }

  /// The threads, places and the queue that a write queue works for.
  private struct World: CustomStringConvertible {
    var writer: Somebody?
    var threads: [ObjectIdentifier: Somebody] = [:]
    var turns: [(turn: WriteTurn, user: Somebody)] = []
    var (waitingForOthers, woken): ([WriteTurn], [WriteTurn]) = ([], [])
    var (asked, written, refused, givenUp) = (0, 0, 0, 0)

    var isIdle: Bool {
      writer == nil && threads.isEmpty && turns.isEmpty && waitingForOthers.isEmpty
    }

    var description: String {
      "\(threads.count) threads, \(turns.count) turns, \(waitingForOthers.count) wait for others, "
        + "\(woken.count) woken, \(writer == nil ? 0 : 1) writes"
    }

    mutating func take(_ steps: [WriteQueueState.Step]) {
      for step in steps {
        switch step {
        case .signal(let thread):
          expectTrue(writer == nil && waitingForOthers.isEmpty)
          writer = threads.removeValue(forKey: ObjectIdentifier(thread))
          expectTrue(writer != nil, "a thread is signalled twice")
        case .wake(let turn): woken.append(turn)
        }
      }
    }

    mutating func enter(
      _ user: Somebody, _ state: inout WriteQueueState
    ) {
      // A thread waits once.
      guard !threads.values.contains(where: { $0 === user }) else { return }
      asked += 1
      switch state.enter(user.holder) {
      case .entered:
        expectTrue(writer == nil && waitingForOthers.isEmpty)
        writer = user
      case .waits(let thread): threads[ObjectIdentifier(thread)] = user
      case .refused:
        expectTrue(writer === user)
        refused += 1
      }
    }

    mutating func ask(
      _ turn: WriteTurn, _ user: Somebody, _ state: inout WriteQueueState,
      _ now: ContinuousClock.Instant
    ) throws {
      asked += 1
      turns.append((turn, user))
      take(try state.ask(turn, by: 0, at: now))
    }

    mutating func event(
      _ state: inout WriteQueueState, _ now: ContinuousClock.Instant,
      _ random: inout SplitMix64
    ) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where writer != nil:
        writer = nil
        written += 1
        take(state.leave(at: now))
      case 1 where !waitingForOthers.isEmpty:
        let turn = waitingForOthers.removeFirst()
        let fails = Int.random(in: 0..<8, using: &random) == 0
        let result: Result<Void, RealmError> =
          fails ? .failure(RealmError(.fail, "")) : .success(())
        take(state.othersEnded(turn, result, at: now))
      case 3: take(state.revokeSleepingTurns(at: now))
      case 4 where !woken.isEmpty:
        start(woken.remove(at: Int.random(in: woken.indices, using: &random)), &state, &random)
      case 5 where !turns.isEmpty && Int.random(in: 0..<8, using: &random) == 0:
        let index = Int.random(in: turns.indices, using: &random)
        givenUp += 1
        take(state.giveUp(turns.remove(at: index).turn))
      default: break
      }
    }

    mutating func start(
      _ turn: WriteTurn, _ state: inout WriteQueueState, _ random: inout SplitMix64
    ) {
      // Given up.
      guard let index = turns.firstIndex(where: { $0.turn === turn }) else { return }
      let user = turns[index].user
      // Its place is blocked.
      guard !threads.values.contains(where: { $0 === user }) else {
        woken.append(turn)
        return
      }
      switch state.start(turn, user.holder) {
      case .entered(let waits):
        expectTrue(writer == nil && waitingForOthers.isEmpty)
        if !waits, Int.random(in: 0..<4, using: &random) == 0 {
          state.waitsForOthers(turn)
          waitingForOthers.append(turn)
          return
        }
        state.begun(turn)
        writer = user
        turns.remove(at: index)
      case .later: expectTrue(writer != nil || !waitingForOthers.isEmpty)
      case .waiting:
        turns.remove(at: index)
        asked -= 1
        enter(user, &state)
      case .failed:
        turns.remove(at: index)
        refused += 1
      case .over: Issue.record("a turn was woken after its end")
      }
    }
  }
}
