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
    let state = WriteQueueMachine()
    var world = World()
    let users = (1...3).map { Somebody($0) }
    var remaining = 40
    for number in 0... {
      try #require(number < 10_000, "callers wait for ever: \(world)")
      if remaining > 0, Bool.random(using: &random) {
        remaining -= 1
        let user = users.randomElement(using: &random)!
        if Bool.random(using: &random) {
          world.enter(user, state)
        } else {
          try world.ask(user.turn, user, state)
        }
      } else {
        world.event(state, start + .milliseconds(number * 5), &random)
      }
      if remaining == 0, world.isIdle { break }
    }
    #expect(state.enterAtOnce())
    #expect(!state.isAnybodyWaiting)
    #expect(world.asked == world.written + world.refused + world.givenUp)
  }

  /// The threads, places and the queue that a write queue works for.
  private struct World: CustomStringConvertible {
    var writer: Somebody?
    var threads: [ObjectIdentifier: Somebody] = [:]
    var turns: [(turn: WriteTurn, user: Somebody)] = []
    var (beginning, rollingBack, woken): ([WriteTurn], [WriteTurn], [WriteTurn]) = ([], [], [])
    var (asked, written, refused, givenUp) = (0, 0, 0, 0)

    var isIdle: Bool {
      writer == nil && threads.isEmpty && turns.isEmpty && beginning.isEmpty && rollingBack.isEmpty
    }

    var description: String {
      "\(threads.count) threads, \(turns.count) turns, \(beginning.count) begin, "
        + "\(rollingBack.count) roll back, \(woken.count) woken, \(writer == nil ? 0 : 1) writes"
    }

    mutating func take(_ step: WriteQueueState.Step?) {
      switch step {
      case .signal(let thread, _):
        #expect(writer == nil)
        writer = threads.removeValue(forKey: ObjectIdentifier(thread))
        #expect(writer != nil, "a thread is signalled twice")
      case .begin(let turn):
        #expect(writer == nil && beginning.isEmpty)
        beginning.append(turn)
      case .wake(let turn): woken.append(turn)
      case .rollBack(let turn):
        #expect(writer == nil)
        rollingBack.append(turn)
      case nil: break
      }
    }

    mutating func enter(
      _ user: Somebody, _ state: WriteQueueMachine
    ) {
      // A thread waits once.
      guard !threads.values.contains(where: { $0 === user }) else { return }
      asked += 1
      switch state.enter(user.holder) {
      case .entered:
        #expect(writer == nil)
        writer = user
      case .waits(let thread): threads[ObjectIdentifier(thread)] = user
      case .refused:
        #expect(writer === user)
        refused += 1
      }
    }

    mutating func ask(
      _ turn: WriteTurn, _ user: Somebody, _ state: WriteQueueMachine
    ) throws {
      asked += 1
      turns.append((turn, user))
      take(try state.ask(turn, by: 0))
    }

    mutating func event(
      _ state: WriteQueueMachine, _ now: ContinuousClock.Instant,
      _ random: inout SplitMix64
    ) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where writer != nil:
        writer = nil
        written += 1
        take(state.leave())
      case 1 where !beginning.isEmpty:
        let turn = beginning.removeFirst()
        let fails = Int.random(in: 0..<8, using: &random) == 0
        let result: Result<Void, RealmError> =
          fails ? .failure(RealmError(.fail, "")) : .success(())
        for step in state.begun(turn, result, at: now) { take(step) }
      case 2 where !rollingBack.isEmpty:
        rollingBack.removeFirst()
        take(state.leave())
      case 3: take(state.takeFromSleeping(at: now))
      case 4 where !woken.isEmpty:
        start(woken.removeFirst(), state)
      case 5 where !turns.isEmpty && Int.random(in: 0..<8, using: &random) == 0:
        let index = Int.random(in: turns.indices, using: &random)
        givenUp += 1
        take(state.giveUp(turns.remove(at: index).turn))
      default: break
      }
    }

    mutating func start(
      _ turn: WriteTurn, _ state: WriteQueueMachine
    ) {
      guard let index = turns.firstIndex(where: { $0.turn === turn }) else { return }
      let user = turns[index].user
      // Its place is blocked.
      guard !threads.values.contains(where: { $0 === user }) else {
        woken.append(turn)
        return
      }
      let (start, step) = state.start(turn, user.holder)
      switch start {
      case .begun:
        #expect(writer == nil)
        writer = user
        turns.remove(at: index)
      case .later: break
      case .waiting:
        turns.remove(at: index)
        asked -= 1
        enter(user, state)
      case .failed:
        turns.remove(at: index)
        refused += 1
      case .over: Issue.record("a turn was woken after its end")
      }
      take(step)
    }
  }
}
