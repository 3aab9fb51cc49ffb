package import Foundation
import Synchronization

/// The values that handlers have received, from any thread.
package final class Heard<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let condition = NSCondition()

  package init() {}

  package func add(_ value: Value) {
    condition.lock()
    values.withLock { $0.append(value) }
    condition.broadcast()
    condition.unlock()
  }

  package var all: [Value] { values.withLock { $0 } }

  /// Waits for a number of values, and returns all values. Gives up after `seconds`.
  package func wait(for count: Int, seconds: TimeInterval = 300) -> [Value] {
    wait(seconds: seconds) { $0.count >= count }
  }

  /// Waits until the values are enough, and returns them. Gives up after `seconds`.
  package func wait(seconds: TimeInterval = 300, until areEnough: ([Value]) -> Bool) -> [Value] {
    let limit = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !areEnough(all), condition.wait(until: limit) {}
    return all
  }

  /// The same for a task, which must not block its thread. Other tests do, so it may take long
  /// until a thread is free.
  package func arrival(of count: Int, seconds: Double = 1_200) async throws -> [Value] {
    let limit = ContinuousClock.now + .seconds(seconds)
    while all.count < count, ContinuousClock.now < limit {
      try await Task.sleep(for: .milliseconds(2))
    }
    return all
  }
}
