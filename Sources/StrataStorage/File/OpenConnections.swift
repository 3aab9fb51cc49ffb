package import Foundation

/// The connections that this process has to each file.
///
/// A store ends for the program with its last realm, a moment before its connections are closed,
/// and the last connection to close deletes the WAL by its name. Until then the file must be
/// neither deleted nor exchanged, and opening it again waits.
package final class OpenConnections: Sendable {
  package static let shared = OpenConnections()

  package enum Purpose: Hashable {
    /// The connection belongs to a store, or to an opening.
    case store
    /// The connection reads a file without opening a realm, which may take long.
    case inspection
  }

  /// A token that counts as a connection while it exists. A connection keeps its token in its
  /// configuration. The configuration is released when the connection has closed, or a moment
  /// later.
  package final class Token: Sendable {
    private let use: Use
    private let connections: OpenConnections

    fileprivate init(_ use: Use, _ connections: OpenConnections) {
      self.use = use
      self.connections = connections
    }

    deinit { connections.end(use) }
  }

  fileprivate struct Use: Hashable {
    var key: PathKey
    var purpose: Purpose
  }

  private let condition = NSCondition()
  nonisolated(unsafe) private var counts: [Use: Int] = [:]

  /// Counts a connection from now on.
  package func begin(_ url: URL, for purpose: Purpose) -> Token {
    let use = Use(key: StoreFile.key(for: url), purpose: purpose)
    condition.withLock { counts[use, default: 0] += 1 }
    return Token(use, self)
  }

  private func end(_ use: Use) {
    condition.withLock {
      let count = counts[use, default: 0] - 1
      counts[use] = count > 0 ? count : nil
      condition.broadcast()
    }
  }

  /// Waits until the process has no connection to a file for one of these purposes.
  ///
  /// - Returns: False if a connection remains when the time has passed.
  package func waitUntilClosed(_ url: URL, _ purposes: Set<Purpose>, atMost seconds: TimeInterval)
    -> Bool
  {
    let uses = purposes.map { Use(key: StoreFile.key(for: url), purpose: $0) }
    let end = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while uses.contains(where: { counts[$0] != nil }) {
        guard condition.wait(until: end) else { return false }
      }
      return true
    }
  }
}
