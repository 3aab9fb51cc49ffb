import Foundation
import GRDB
import Synchronization

/// The reading connections of a store: borrowed, used by one thread, given back.
///
/// Each statement on a reader sees the newest committed state; a statement that is not yet finished
/// goes on seeing the state in which it began.
final class Readers: Sendable {
  private let url: URL
  private let idle = Mutex<[DatabaseQueue]>([])
  /// More than this many connections are closed when they are given back.
  private static let keptIdle = 8

  init(_ url: URL) {
    self.url = url
  }

  /// A connection that nobody else uses; give it back with ``giveBack(_:)``.
  func borrow() throws -> DatabaseQueue {
    if let queue = idle.withLock({ $0.popLast() }) { return queue }
    // Each time anew: what it depends on may have changed since, such as the file's being there.
    let (path, configuration) = Connections.reader(url)
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  func giveBack(_ queue: DatabaseQueue) {
    idle.withLock { idle in
      if idle.count < Self.keptIdle { idle.append(queue) }
    }
  }

  /// Runs a closure with a connection of its own.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    let queue = try borrow()
    defer { giveBack(queue) }
    return try queue.unsafeRead(body)
  }

  /// Closes the idle connections.
  func close() {
    idle.withLock { $0.removeAll() }
  }
}
