package import Dispatch
package import Foundation
package import GRDB
import Synchronization

/// A poller that detects the commits of other connections. It keeps a read-only connection, because
/// `PRAGMA data_version` compares with the last call on the same connection.
package final class Lookout: Sendable {
  private enum State {
    case unopened, closed
    /// With the appearance of the file, if the connection treats the file as immutable.
    case open(DatabaseQueue, FileAppearance?, last: Int64?)
  }

  private let url: URL
  private let key: FileKey?
  private let purpose: OpenConnections.Purpose
  private let state = Mutex(State.unopened)

  /// - Parameter purpose: Whether it belongs to a store. Opening the file again waits for the
  ///   connections of stores.
  package init(_ url: URL, _ key: FileKey?, for purpose: OpenConnections.Purpose = .store) {
    self.url = url
    self.key = key
    self.purpose = purpose
  }

  /// The changes since the last poll.
  package enum Sight {
    case nothing
    case commit
    /// The file has another schema version now. Each later poll returns the same.
    case otherVersion(RealmError)
  }

  /// Whether anything was committed since the last poll. The first poll can't know, and returns
  /// true.
  package func seesChange(
    checking check: (Database, _ url: URL) throws -> Void
  ) throws(RealmError) -> Bool {
    switch try look(checking: check) {
    case .nothing: return false
    case .commit: return true
    case .otherVersion(let error): throw error
    }
  }

  /// Returns the changes since the last poll. The first poll can't know, and returns a commit.
  ///
  /// - Parameter check: Throws if the file has another schema now.
  package func look(
    checking check: (Database, _ url: URL) throws -> Void
  ) throws(RealmError) -> Sight {
    try translatingErrors(at: url) {
      try state.withLock { state in
        let queue: DatabaseQueue
        let appearance: FileAppearance?
        var last: Int64?
        switch state {
        case .closed: return .nothing
        case .open(let open, let seen, let version)
        where seen == nil || seen == FileAppearance(of: url):
          (queue, appearance, last) = (open, seen, version)
        case .open, .unopened:
          (queue, appearance) = try Connections.openReader(url, key, for: purpose)
        }
        // A failed poll is not recorded: the next one finds the same change.
        state = .open(queue, appearance, last: last)
        return try queue.unsafeRead { db in
          let version = try Int64.fetchOne(db, sql: "PRAGMA data_version")
          guard version != last else { return .nothing }
          do {
            try check(db, url)
          } catch let error as RealmError {
            return .otherVersion(error)
          }
          state = .open(queue, appearance, last: version)
          return .commit
        }
      }
    }
  }

  /// Whether the file was polled before.
  package var isOpen: Bool {
    state.withLock { state in
      if case .open = state { true } else { false }
    }
  }

  /// Closes the connection permanently.
  package func close() {
    state.withLock { $0 = .closed }
  }
}

/// A timer that polls a file.
package enum LookTimer {
  /// Calls a closure repeatedly after each interval in seconds. The default polls a file for
  /// changes five times a second.
  package static func start(
    every interval: Double = 0.2, _ body: @escaping @Sendable () -> Void
  ) -> sending any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(50))
    timer.setEventHandler(handler: body)
    timer.resume()
    return timer
  }
}
