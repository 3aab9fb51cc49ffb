import TestKit
import Testing

@testable import StrataStorage

@Suite("The time to wait for others")
struct BusyTimeoutTests {
  @Test func `A cancelled opening doesn't wait`() {
    let cancellation = Cancellation()
    let timeout = BusyTimeout(cancellation)
    expectTrue(timeout.shouldWait(attempts: 0))
    cancellation.cancel()
    expectFalse(timeout.shouldWait(attempts: 1))
  }

  @Test func `A cancellation after the opening changes nothing`() {
    let cancellation = Cancellation()
    let timeout = BusyTimeout(cancellation)
    timeout.set(BusyTimeout.migration)
    timeout.endOpening()
    cancellation.cancel()
    expectTrue(timeout.shouldWait(attempts: 0))
    expectEqual(timeout.limit, BusyTimeout.ordinary)
  }

  @Test func `A write waits as long as its program says`() {
    let timeout = BusyTimeout(ofWrites: .zero)
    timeout.set(BusyTimeout.migration)
    expectTrue(timeout.shouldWait(attempts: 0))
    timeout.endOpening()
    expectFalse(timeout.shouldWait(attempts: 0))
  }

  @Test func `Nothing waits longer than the limit`() {
    let timeout = BusyTimeout()
    timeout.set(.zero)
    expectFalse(timeout.shouldWait(attempts: 0))
  }

  @Test func `Nothing waits where it must not`() {
    let timeout = BusyTimeout()
    expectFalse(timeout.withoutWaiting { timeout.shouldWait(attempts: 0) })
    expectTrue(timeout.shouldWait(attempts: 0))
  }
}
