import Foundation
import GRDB
import Synchronization

/// The reading connections of a replica, which shows one file after the other.
extension Readers {
  /// How many connections wait for their use at least: a file may lose its name at any time, and
  /// then no further ones can be opened.
  static let reserved = 4
  /// The same for a file that has been replaced, but stays the one that is shown.
  static let reservedForLong = 16

  private static let longestWait = Duration.seconds(5)
  private static let mostAttempts = 3

  /// Opens a connection to a file that isn't shown yet.
  package func openCandidate(_ file: PublishedFile) throws -> FileConnection {
    FileConnection(try Connections.openPublication(file.url, key), publication: file)
  }

  /// Shows another file from now on. A connection to the one before is closed when it is given
  /// back.
  ///
  /// - Parameter connection: The first connection to the file.
  /// - Returns: What is to be let go of outside of all locks: closing takes its time.
  package func exchange(with connection: FileConnection) -> [FileConnection] {
    pool.withLock { pool in
      defer {
        pool.publication = connection.publication
        pool.idle = [connection]
        pool.reserved = 0
      }
      return pool.idle
    }
  }

  /// Opens connections for later, while the file has its name.
  ///
  /// - Parameter isReplaced: Whether the folder has a newer file, so that this one may be deleted.
  package func reserve(isReplaced: Bool) throws {
    let wanted = isReplaced ? Self.reservedForLong : Self.reserved
    let isEnough = pool.withLock { $0.reserved >= wanted }
    guard !isEnough, let file = publication, file.hasName else { return }
    let missing = pool.withLock { pool in
      defer { pool.reserved = max(pool.reserved, wanted) }
      return pool.reserved < wanted ? wanted - pool.idle.count : 0
    }
    for _ in 0..<max(0, missing) { giveBack(try openCandidate(file)) }
  }

  /// A connection to the file that is shown, when no idle one is left.
  ///
  /// - Parameter mayLook: Whether the folder may be looked at for a newer file.
  func borrowPublished(_ first: PublishedFile, mayLook: Bool) throws -> FileConnection {
    var file = first
    var attempts = 0
    while true {
      do {
        return try openCandidate(file)
      } catch {
        guard !file.hasName else { throw error }
        attempts += 1
        if mayLook { lookAgain.withLock { $0 }?() }
        guard attempts <= Self.mostAttempts, let shown = publication, shown !== file else {
          return try waitForIdle(file, error)
        }
        file = shown
      }
    }
  }

  private func waitForIdle(_ file: PublishedFile, _ error: any Error) throws -> FileConnection {
    let start = ContinuousClock.now
    repeat {
      if let idle = pool.withLock({ $0.idle.popLast() }) { return idle }
      usleep(1_000)
    } while ContinuousClock.now - start < Self.longestWait
    throw RealmError(
      .fileNotFound,
      "The version '\(file.name)' of the replica in '\(file.url.deletingLastPathComponent().path)' was "
        + "deleted while it is shown, and all connections to it are in use. Let the folder keep more "
        + "versions (`strata follow --keep`), or close the realm and open it again.",
      fileURL: file.url, underlyingError: error)
  }
}
