import Foundation
import TestKit
import Testing

@testable import StrataStorage

/// The waiting of a ``WriteQueue``, on threads of its own.
struct WriteQueueTests {
  private let url = URL(fileURLWithPath: "/file")

  @Test(.timeLimit(.minutes(5)))
  func `A thread behind a turn whose place is blocked enters, whoever wrote before`() throws {
    let queue = WriteQueue()
    let turn = Somebody(1).turn
    // Its place never runs.
    try queue.ask(turn, by: 0, url)
    for _ in 0..<3 {
      expectTrue(queue.enterAtOnce())
      let entered = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [url] in
        do {
          try queue.enter(for: Somebody(2), url)
        } catch {
          Issue.record(error)
        }
        entered.signal()
      }
      while queue.waitingCount == 0 { sched_yield() }
      // The turn would be next: no thread is woken.
      queue.leave()
      expectTrue(entered.wait(timeout: .now() + 60) == .success)
      queue.leave()
    }
    queue.giveUp(turn)
    expectFalse(queue.isInUse)
  }
}
