package import Dispatch
package import Foundation
package import GRDB
import Synchronization

/// Sees the commits of others on a connection that only reads, and is kept: `PRAGMA data_version`
/// compares with the last look of the same connection.
package final class Lookout: Sendable {
  private enum State {
    case unopened, closed
    /// With how the file was where the connection takes it for one that doesn't change.
    case open(DatabaseQueue, FileAppearance?, last: Int64?)
  }

  private let url: URL
  private let key: FileKey?
  private let purpose: OpenConnections.Purpose
  private let state = Mutex(State.unopened)

  /// - Parameter purpose: Whether it belongs to a store; opening the file again waits for those.
  package init(_ url: URL, _ key: FileKey?, for purpose: OpenConnections.Purpose = .store) {
    self.url = url
    self.key = key
    self.purpose = purpose
  }

  /// The news since the last look.
  package enum Sight {
    case nothing
    case commit
    /// The file has another schema version by now. Each later look sees the same.
    case otherVersion(RealmError)
  }

  /// Whether anything was committed since the last look. The first one can't know, and says so
  /// unless the caller knows better.
  ///
  /// - Throws: ``RealmError`` when the file can't be read, or has another schema by now.
  package func seesChange(
    unless isUnchanged: @autoclosure () -> Bool = false,
    checking check: (Database, _ url: URL) throws -> Void
  ) throws(RealmError) -> Bool {
    switch try look(unless: isUnchanged(), checking: check) {
    case .nothing: return false
    case .commit: return true
    case .otherVersion(let error): throw error
    }
  }

  /// The news since the last look. The first one can't know, and sees a commit unless the caller
  /// knows that there was none.
  ///
  /// - Parameters:
  ///   - isUnchanged: Whether nothing was committed by now; asked by the first look, at its end.
  ///   - check: Throws where the file has another schema by now.
  /// - Throws: ``RealmError`` when the file can't be read.
  package func look(
    unless isUnchanged: @autoclosure () -> Bool = false,
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
        // A failed look is ignored: the next one finds the same.
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
          return last == nil && isUnchanged() ? .nothing : .commit
        }
      }
    }
  }

  /// Whether it has looked before.
  package var isOpen: Bool {
    state.withLock { state in
      if case .open = state { true } else { false }
    }
  }

  /// Closes the connection, for good.
  package func close() {
    state.withLock { $0 = .closed }
  }
}

/// A timer that polls a file.
package enum LookTimer {
  /// Looks after some seconds, and each time that they have passed again: whether a file has
  /// changed, five times a second.
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
