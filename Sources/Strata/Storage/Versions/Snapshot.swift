import Foundation
import GRDB
import Synchronization

/// A version of a file that can be read for as long as the snapshot is kept, whatever is committed.
///
/// SQLite can't open a version again, so a snapshot is a connection whose read transaction began
/// when its version was the newest. It may be used on any thread; statements take turns. While it
/// is kept, the log of the file can't be emptied beyond it. Released, it gives its connection back.
final class Snapshot: Sendable {
  /// The time of the store's clock just after the commit that made the version.
  let version: UInt64
  let began = ContinuousClock.now
  /// Who keeps it, for messages: several times for a frozen version.
  private let keepers = Mutex<[Keeper]>([])
  private let queue: DatabaseQueue
  private let readers: Readers

  private struct Keeper: Sendable {
    let id: ObjectIdentifier
    let name: @Sendable () -> String
  }

  /// How many names are remembered of one that keeps it for several.
  private static let mostNames = 8

  /// Begins to read the newest version, on a connection that is idle or new: some microseconds, or
  /// some hundred. The caller makes sure that no commit happens meanwhile.
  init(version: UInt64, _ readers: Readers) throws {
    self.version = version
    self.readers = readers
    queue = try readers.borrow()
    do {
      try queue.unsafeReentrantRead { db in
        try db.cachedStatement(sql: "BEGIN DEFERRED").execute()
        // The first read is what fixes the version.
        _ = try Int.fetchOne(db.cachedStatement(sql: "SELECT 1 FROM sqlite_schema LIMIT 1"))
      }
    } catch {
      Self.end(queue, readers)
      throw error
    }
  }

  deinit { Self.end(queue, readers) }

  // MARK: Who keeps it

  /// Notes who keeps it. It isn't what keeps it: a reference is.
  func keep(for id: ObjectIdentifier, _ name: @escaping @Sendable () -> String) {
    keepers.withLock { keepers in
      guard keepers.count(where: { $0.id == id }) < Self.mostNames else { return }
      keepers.append(Keeper(id: id, name: name))
    }
  }

  func end(for id: ObjectIdentifier) {
    keepers.withLock { $0.removeAll { $0.id == id } }
  }

  /// Who keeps it, each once.
  var names: [String] {
    var names: [String] = []
    for keeper in keepers.withLock({ $0 }) {
      let name = keeper.name()
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  // MARK: Reading

  /// Runs a closure with the connection. Inside of it, it may be called again.
  func read<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    try queue.unsafeReentrantRead(body)
  }

  /// A connection that can't end its transaction is closed instead of being used again.
  private static func end(_ queue: DatabaseQueue, _ readers: Readers) {
    let hasEnded = queue.unsafeReentrantRead { db in
      if !db.isInsideTransaction { return true }
      do {
        try db.rollback()
        return true
      } catch {
        return false
      }
    }
    if hasEnded { readers.giveBack(queue) }
  }
}
