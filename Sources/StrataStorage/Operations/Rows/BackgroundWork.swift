import Foundation

/// Does work in order on a thread of its own, while the caller continues.
///
/// Belongs to one thread, which hands work over and waits for it. Whatever a work uses is not the
/// caller's from ``run(_:)`` until it has waited; the lock inside makes either see what the other
/// has done. After a failure nothing more is begun.
package final class BackgroundWork {
  /// Tells one work from the others: they are counted.
  package typealias Number = Int

  private let queue = Queue()
  private var last: Number = 0
  /// Whether something was handed over that was not waited for.
  @exclusivity(unchecked) package private(set) var isRunning = false

  package init() {}

  deinit { queue.close() }

  /// Hands work over.
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

  /// Waits until a work, and what was handed over before it, is done; returns at once for nil.
  ///
  /// - Throws: What a work has thrown.
  package func wait(for number: Number?) throws {
    if isRunning, let number { try queue.wait(for: number) }
  }

  /// Waits until nothing is being done.
  ///
  /// - Throws: What a work has thrown.
  package func wait() throws {
    guard isRunning else { return }
    isRunning = false
    try queue.wait(for: last)
  }

  /// The work, as both threads see it.
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

    /// The result of the next work, of which nothing is left then: to finalize a statement is to
    /// use its connection. Nil when there will be none.
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
