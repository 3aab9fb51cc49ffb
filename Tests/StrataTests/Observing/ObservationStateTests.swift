import StrataStorage
import TestKit
import Testing

@testable import Strata

/// Each row of the table of ``ObservationState``.
struct ObservationStateTests {
  private func observed(_ number: UInt64) -> ObservationState.Observed {
    .init(number: number, state: .rows([Int64(number)]))
  }

  private func changes(_ row: Int64) -> CommitChanges {
    var rows = RowSet()
    rows.insert(row)
    return CommitChanges(rows: ["Person": rows])
  }

  /// The numbers of what was delivered and proposed, and the rows that are pending.
  private func facts(_ state: ObservationState) -> [UInt64?] {
    [
      state.delivered?.number, state.proposed?.number,
      UInt64(state.pending.rows(of: "Person").count),
    ]
  }

  @Test func `The first state that is told is proposed, and delivered when it was taken`() {
    var state = ObservationState()
    state.begin(at: observed(1), isTold: true)
    expectEqual(facts(state), [nil, 1, 0])
    let isWaiting = state.settle(waits: false)
    expectFalse(isWaiting)
    expectEqual(facts(state), [1, nil, 0])
  }

  @Test func `The first state that isn't told is known at once`() {
    var state = ObservationState()
    state.begin(at: observed(1), isTold: false)
    expectEqual(facts(state), [1, nil, 0])
    let isWaiting = state.settle(waits: false)
    expectFalse(isWaiting)
  }

  @Test func `A commit that matters is proposed, and its changes wait with it`() {
    var state = ObservationState()
    state.begin(at: observed(1), isTold: false)
    state.add(changes(7))
    state.propose(observed(2), isTold: true)
    expectEqual(facts(state), [1, 2, 1])
    let isWaiting = state.settle(waits: false)
    expectFalse(isWaiting)
    expectEqual(facts(state), [2, nil, 0])
  }

  @Test func `A commit that doesn't matter is known at once`() {
    var state = ObservationState()
    state.begin(at: observed(1), isTold: false)
    state.add(changes(7))
    state.propose(observed(2), isTold: false)
    expectEqual(facts(state), [2, nil, 0])
  }

  @Test func `While mail waits, commits are told as one`() {
    var state = ObservationState()
    state.begin(at: observed(1), isTold: false)
    for number in 2...4 as ClosedRange<UInt64> {
      let isWaiting = state.settle(waits: true)
      expectEqual(isWaiting, (number > 2))
      state.add(changes(Int64(number)))
      state.propose(observed(number), isTold: true)
    }
    expectEqual(facts(state), [1, 4, 3])
    let isWaiting = state.settle(waits: false)
    expectFalse(isWaiting)
    expectEqual(facts(state), [4, nil, 0])
  }

  @Test func `Commits that take each other back while mail waits leave nothing to tell`() {
    var state = ObservationState()
    state.begin(at: observed(1), isTold: false)
    state.add(changes(7))
    state.propose(observed(2), isTold: true)
    let isWaiting = state.settle(waits: true)
    expectTrue(isWaiting)
    state.add(changes(7))
    state.propose(observed(3), isTold: false)
    expectEqual(facts(state), [3, nil, 0])
  }
}
