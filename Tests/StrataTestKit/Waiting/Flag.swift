import Foundation
import Synchronization

/// Tells one thread that another has come to a point.
package final class Flag: Sendable {
  private let value = Atomic(false)
  private let condition = NSCondition()

  package init() {}

  package var isSet: Bool { value.load(ordering: .relaxed) }

  package func set() {
    condition.lock()
    value.store(true, ordering: .relaxed)
    condition.broadcast()
    condition.unlock()
  }

  /// Waits, and blocks the thread.
  package func wait() {
    condition.lock()
    defer { condition.unlock() }
    while !isSet { condition.wait() }
  }
}
