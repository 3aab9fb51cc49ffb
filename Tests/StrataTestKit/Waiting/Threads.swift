import Foundation
package import Strata
import Synchronization

/// A thread that is running, and the error that it may end with.
package final class RunningThread: Sendable {
  private let done = DispatchSemaphore(value: 0)
  private let failure = Mutex<(any Error)?>(nil)

  package init(_ body: @escaping @Sendable () throws -> Void) {
    let thread = Thread { [self] in
      do {
        try body()
      } catch {
        failure.withLock { $0 = error }
      }
      done.signal()
    }
    thread.start()
  }

  package func wait() throws {
    done.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

package func startThread(_ body: @escaping @Sendable () throws -> Void) -> RunningThread {
  RunningThread(body)
}

/// Starts a thread with a realm of its own.
package func startThread(
  _ configuration: Realm.Configuration, _ body: @escaping @Sendable (Realm) throws -> Void
) -> RunningThread {
  RunningThread { try body(Realm(configuration: configuration)) }
}

/// Runs a closure on another thread, and waits for it.
package func inThread(_ body: @escaping @Sendable () throws -> Void) throws {
  try RunningThread(body).wait()
}

/// Runs a closure on another thread with a realm of that thread, and waits for it.
package func inThread(
  _ configuration: Realm.Configuration, _ body: @escaping @Sendable (Realm) throws -> Void
) throws {
  try startThread(configuration, body).wait()
}
