import Foundation
import GRDB
import Synchronization

/// Sees the commits of others on a connection that only reads, and is kept: `PRAGMA data_version`
/// compares with the last look of the same connection.
final class Lookout: Sendable {
  private enum State {
    case unopened, closed
    /// With how the file was where the connection takes it for one that doesn't change.
    case open(DatabaseQueue, FileAppearance?, last: Int64?)
  }

  private let url: URL
  private let state = Mutex(State.unopened)

  init(_ url: URL) {
    self.url = url
  }

  /// Whether anything was committed since the last look. The first one can't know, and says so.
  ///
  /// - Throws: ``RealmError`` when the file can't be read, or has another schema version by now.
  func seesChange(checking schemaVersion: UInt64) throws(RealmError) -> Bool {
    try translatingErrors(at: url) {
      try state.withLock { state in
        let queue: DatabaseQueue
        let appearance: FileAppearance?
        var last: Int64?
        switch state {
        case .closed: return false
        case .open(let open, let seen, let version)
        where seen == nil || seen == FileAppearance(of: url):
          (queue, appearance, last) = (open, seen, version)
        case .open, .unopened:
          (queue, appearance) = try Connections.openReader(url, for: .store)
        }
        // A failed look is ignored: the next one finds the same.
        state = .open(queue, appearance, last: last)
        let version = try queue.unsafeRead { db in
          let version = try Int64.fetchOne(db, sql: "PRAGMA data_version")
          if version != last { try VersionTable.check(db, isAt: schemaVersion, at: url) }
          return version
        }
        state = .open(queue, appearance, last: version)
        return version != last
      }
    }
  }

  /// Whether it has looked before.
  var isOpen: Bool {
    state.withLock { state in
      if case .open = state { true } else { false }
    }
  }

  /// Closes the connection, for good.
  func close() {
    state.withLock { $0 = .closed }
  }
}
