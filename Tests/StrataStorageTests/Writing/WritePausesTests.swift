import TestKit
import Testing

@testable import StrataStorage

/// The pauses of a program that writes without end, with times that each test chooses.
struct WritePausesTests {
  private let start = ContinuousClock.now

  private func time(_ milliseconds: Double) -> ContinuousClock.Instant {
    start + .microseconds(Int(milliseconds * 1_000))
  }

  /// Runs a program whose transactions last some milliseconds each and follow each other at once.
  ///
  /// - Returns: The pauses, in milliseconds, and the time of the last end.
  private func pauses(
    _ state: inout WritePauses, of transactions: Int, lasting length: Double,
    from begin: Double = 0, apart: Double = 0
  ) -> (pauses: [Double], end: Double) {
    var now = begin
    var pauses: [Double] = []
    for _ in 0..<transactions {
      while let pause = state.due(at: { time(now) }) {
        pauses.append(pause / .milliseconds(1))
        now += pause / .milliseconds(1)
      }
      now += length
      state.transactionEnded(at: { time(now) })
      now += apart
    }
    return (pauses, now)
  }

  @Test func `A program that writes alone makes no pause`() {
    var state = WritePauses()
    expectEqual(pauses(&state, of: 1_000, lasting: 1).pauses, [])
  }

  @Test func `A third of the time is left to a program that has committed`() {
    var state = WritePauses()
    state.otherCommitted(at: time(0))
    let (pauses, end) = pauses(&state, of: 1_000, lasting: 1)
    expectEqual(Set(pauses), [2])
    expectEqual(pauses.count, 249)
    expectEqual(end, 1_498)
  }

  @Test func `A pause is half as long as a transaction, and 10 ms at most`() {
    var state = WritePauses()
    state.otherCommitted(at: time(0))
    expectEqual(pauses(&state, of: 3, lasting: 10).pauses, [5, 5])
    state = WritePauses()
    state.otherCommitted(at: time(0))
    expectEqual(pauses(&state, of: 3, lasting: 400).pauses, [10, 10])
  }

  @Test func `The time between transactions is a pause`() {
    var state = WritePauses()
    state.otherCommitted(at: time(0))
    expectEqual(pauses(&state, of: 100, lasting: 4, apart: 2).pauses, [])
    state = WritePauses()
    state.otherCommitted(at: time(0))
    expectEqual(pauses(&state, of: 3, lasting: 4, apart: 0.5).pauses, [1.5, 1.5])
  }

  @Test func `Two seconds after the last commit of others there are no more pauses`() {
    var state = WritePauses()
    state.otherCommitted(at: time(0))
    let (many, end) = pauses(&state, of: 10_000, lasting: 1)
    expectEqual(many.count, 333)
    state.otherCommitted(at: time(end))
    expectEqual(pauses(&state, of: 9, lasting: 1, from: end).pauses, [2, 2])
  }
}
