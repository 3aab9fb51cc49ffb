import Foundation

/// A queue for work that runs in order on a thread of its own, while the caller continues.
///
/// The queue belongs to one thread, which submits work and waits for its end. The caller must not
/// use the objects of submitted work from ``run(_:)`` until it has waited. The lock inside makes
/// each thread see the other's writes. After a failure, no further work begins.
package final class BackgroundWork {
  /// The number of a work, in the order of submission.
  package typealias Number = Int

  private let queue = Queue()
  private var last: Number = 0
  /// Whether work was submitted that hasn't been waited for.
  @exclusivity(unchecked) package private(set) var isRunning = false

  package init() {}

  deinit { queue.close() }

  package func run(_ work: @escaping () throws -> Void) -> Number {
    if last == 0 {
      let thread = Thread { [queue] in queue.serve() }
      thread.name = "Strata migration"
      thread.start()
    }
    last += 1
    isRunning = true
    queue.add(work)
    return last
  }

  /// Waits until a work, and all work submitted before it, is done; returns at once for nil.
  package func wait(for number: Number?) throws {
    if isRunning, let number { try queue.wait(for: number) }
  }

  /// Waits until all work is done.
  package func wait() throws {
    guard isRunning else { return }
    isRunning = false
    try queue.wait(for: last)
  }

  /// The work, shared by both threads.
  private final class Queue: @unchecked Sendable {
    private let condition = NSCondition()
    // guarded by: the condition, as all that follows.
    private var works: [() throws -> Void] = []
    private var done: Number = 0
    private var failure: (any Error)?
    private var isClosed = false

    func add(_ work: @escaping () throws -> Void) {
      condition.withLock {
        works.append(work)
        condition.broadcast()
      }
    }

    func wait(for number: Number) throws {
      try condition.withLock {
        while done < number { condition.wait() }
        if let failure { throw failure }
      }
    }

    func close() {
      condition.withLock {
        isClosed = true
        condition.broadcast()
      }
    }

    func serve() {
      while let result = runNext() {
        condition.withLock {
          if case .failure(let error) = result { failure = error }
          done += 1
          condition.broadcast()
        }
      }
    }

    /// Returns the result of the next work; nil if the queue is closed. The work itself is released
    /// here, because finalizing its statements uses the connection.
    private func runNext() -> Result<Void, any Error>? {
      next().map { work in Result(catching: work) }
    }

    private func next() -> (() throws -> Void)? {
      condition.withLock {
        while true {
          if !works.isEmpty {
            let work = works.removeFirst()
            if failure == nil { return work }
            done += 1
            condition.broadcast()
          } else if isClosed {
            return nil
          } else {
            condition.wait()
          }
        }
      }
    }
  }
}
