import TestKit
import Testing

@testable import StrataStudio

/// Slow operations are cancelled; others are unaffected.
@Suite struct DeadlineTests {
  @Test func `A value comes as it is`() async throws {
    for number in 0..<100 {
      try await expectEqual(withDeadline(.seconds(60)) { number }, number)
    }
    try await expectNil(withDeadline(.seconds(60)) { Int?.none })
  }

  @Test func `An error comes as it is`() async {
    struct Failure: Error {}
    await #expect(throws: Failure.self) { try await withDeadline(.seconds(60)) { throw Failure() } }
  }

  @Test func `What takes longer is cancelled`() async {
    let cancelled = TestEvent()
    let start = ContinuousClock.now
    await #expect(throws: DeadlinePassed.self) {
      try await withDeadline(.milliseconds(100)) {
        do {
          try await Task.sleep(for: .seconds(600))
        } catch {
          await cancelled.happen()
          throw error
        }
      }
    }
    let time = ContinuousClock.now - start
    expectTrue(time >= .milliseconds(100))
    // Beside all other tests some seconds; the rest is what it would take.
    expectTrue(time < .seconds(300))
    await expectEqual(cancelled.count, 1)
  }

  @Test func `Who is cancelled cancels what it waits for`() async throws {
    let began = TestEvent()
    let cancelled = TestEvent()
    let task = Task {
      try await withDeadline(.seconds(600)) {
        await began.happen()
        do {
          try await Task.sleep(for: .seconds(600))
        } catch {
          await cancelled.happen()
          throw error
        }
      }
    }
    try await began.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await expectEqual(cancelled.count, 1)
  }
}
