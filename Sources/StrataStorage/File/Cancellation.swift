import Synchronization

/// A request to cancel an opening, from any thread.
package final class Cancellation: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  package func check() throws {
    if isCancelled { throw CancellationError() }
  }

  package func cancel() { flag.store(true, ordering: .relaxed) }
}
