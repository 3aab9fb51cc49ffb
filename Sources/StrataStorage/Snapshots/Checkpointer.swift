package import Foundation
package import GRDB
import GRDBSQLite
import Logging
import Synchronization

/// Checkpoints of the WAL while snapshots of the file are kept.
///
/// SQLite makes them by itself at commits, from 1,000 frames on. That is no use while a snapshot is
/// kept that moves on a moment after each commit, as each observer has one: a part of the WAL is
/// always needed, and the WAL never begins again. So the library does it then: between two commits,
/// when all have moved on. Those that read the newest state begin to read it again afterwards,
/// without the WAL. Without kept snapshots it is SQLite's way.
///
/// Used by the holder of the ``WriteQueue``, but for what it says of the WAL.
package final class Checkpointer: Sendable {
  private let snapshots: SnapshotStore
  private let logger: Logger?
  private let observers: ActivityObservers?
  private let path: String
  private let state = Mutex(State())
  private let count = Atomic<Int>(0)

  private struct State: Sendable {
    var isInstalled = false
    /// The length from which the next attempt is made, where all kept snapshots have moved on, and
    /// the one from which it is made wherever they are.
    var next = (soon: Checkpointer.frames, anyway: Checkpointer.frames)
    var nextLook = ContinuousClock.now
  }

  /// SQLite's own number.
  private static let frames = 1_000
  /// By how much the WAL grows at least between two attempts, each of which waits for the disk.
  private static let growth = 250
  /// A longer log is made as short as this when it begins again, in bytes.
  private static let keptBytes = 8 << 20

  /// The distance behind which a snapshot is warned of.
  private enum Limit {
    static let bytes = 64 << 20
    static let time = Duration.seconds(30)
    /// How often to look.
    static let interval = Duration.milliseconds(500)
  }

  package init(
    _ snapshots: SnapshotStore, _ url: URL, _ logger: Logger?, _ observers: ActivityObservers?
  ) {
    self.snapshots = snapshots
    self.logger = logger
    self.observers = observers
    path = url.path
  }

  // MARK: The hook

  /// Counts the frames that a connection writes, from now on.
  package func install(on db: Database) throws {
    guard !state.withLock({ $0.isInstalled }) else { return }
    snapshots.wal.setPageSize(try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4_096)
    try db.execute(sql: "PRAGMA journal_size_limit = \(Self.keptBytes)")
    // SQLite's own checkpoints are such a hook, too: this one takes their place.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      db.sqliteConnection,
      { context, connection, name, frames in
        guard let context else { return SQLITE_OK }
        let checkpointer = Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue()
        return checkpointer.committed(Int(frames), connection, name)
      }, context)
    state.withLock { $0.isInstalled = true }
  }

  /// Counts nothing further.
  package func remove(from db: Database) {
    let wasInstalled = state.withLock { state in
      defer { state.isInstalled = false }
      return state.isInstalled
    }
    guard wasInstalled else { return }
    sqlite3_wal_hook(db.sqliteConnection, nil, nil)
  }

  private func committed(
    _ frames: Int, _ connection: OpaquePointer?, _ name: UnsafePointer<CChar>?
  ) -> CInt {
    snapshots.wal.note(frames)
    guard frames >= Self.frames, !snapshots.isAnyKept else { return SQLITE_OK }
    // As SQLite's own hook does: a checkpoint that fails doesn't make the commit fail.
    _ = passiveCheckpoint(connection, name)
    state.withLock { $0.next = (Self.frames, Self.frames) }
    return SQLITE_OK
  }

  // MARK: Attempts

  /// How often a checkpoint was attempted.
  var attempts: Int { count.load(ordering: .relaxed) }

  /// Whether it is time for an attempt: the WAL is long, and the snapshots that are kept were the
  /// newest ones a commit ago. Otherwise, when it is twice as long as it was at the last attempt.
  package var isDue: Bool {
    let frames = snapshots.wal.frames
    let next = state.withLock { $0.next }
    guard frames >= next.soon else { return false }
    let kept = snapshots.kept
    guard !kept.isEmpty else { return false }
    let before = snapshots.lastCommits.before
    return frames >= next.anyway || kept.allSatisfy { $0.number >= before }
  }

  /// Waits for the snapshots that move on by themselves: the longer, the longer the WAL is.
  package func waitForMoves() {
    let start = ContinuousClock.now
    let limit = min(Duration.microseconds(20 * snapshots.wal.frames), Duration.milliseconds(100))
    let last = snapshots.lastCommits.last
    while ContinuousClock.now - start < limit {
      let moving = snapshots.kept.contains { snapshot in
        guard snapshot.number < last, !snapshot.uses.isFrozen else { return false }
        // One that didn't move for long won't now.
        return snapshot.uses.superseded.map { start - $0 < .seconds(1) } ?? true
      }
      guard moving else { return }
      usleep(100)
    }
  }

  /// Moves the WAL into the file, as far as no reader needs it.
  ///
  /// - Returns: Whether all of it is in the file.
  package func checkpoint(_ db: Database) -> Bool {
    count.add(1, ordering: .relaxed)
    let (result, length, isComplete) = passiveCheckpoint(db.sqliteConnection, "main")
    if result != SQLITE_OK && result != SQLITE_BUSY {
      logger?.warning(
        "The WAL can't be moved into the file: \(String(cString: sqlite3_errstr(result))).",
        metadata: ["path": "\(path)"])
    }
    let (soon, anyway) = isComplete ? (0, 0) : (Int(length) + Self.growth, 2 * Int(length))
    state.withLock { $0.next = (max(Self.frames, soon), max(Self.frames, anyway)) }
    return isComplete
  }

  /// Moves as much as no reader needs, without waiting for anybody.
  private func passiveCheckpoint(
    _ connection: OpaquePointer?, _ name: UnsafePointer<CChar>?
  ) -> (result: CInt, length: CInt, isComplete: Bool) {
    let activity = observers?.begin(.checkpoint)
    var length: CInt = 0
    var done: CInt = 0
    let result = sqlite3_wal_checkpoint_v2(
      connection, name, SQLITE_CHECKPOINT_PASSIVE, &length, &done)
    let isComplete = result == SQLITE_OK && length == done
    activity?.end(RealmActivityResult(duration: .zero, isComplete: isComplete))
    return (result, length, isComplete)
  }

  /// Has the readers of the newest state begin again. Only while no process can commit.
  package func renewSnapshots() {
    let last = snapshots.lastCommits.last
    for snapshot in snapshots.kept where snapshot.number >= last { snapshot.renew() }
  }

  // MARK: Warnings

  /// Warns, once for each, of snapshots that others have left far behind.
  package func warnOfOldVersions(at now: ContinuousClock.Instant = .now) {
    guard let logger, snapshots.isAnyKept else { return }
    let isTime = state.withLock { state in
      guard now >= state.nextLook else { return false }
      state.nextLook = now + Limit.interval
      return true
    }
    guard isTime else { return }
    for snapshot in snapshots.kept {
      guard let superseded = snapshot.uses.superseded else { continue }
      let bytes = snapshot.uses.walBytes
      guard bytes > Limit.bytes || now - superseded > Limit.time, snapshot.uses.takeWarning() else {
        continue
      }
      let names = snapshot.uses.names.joined(separator: ", ")
      logger.warning(
        """
        An old version of the file is kept, \(bytes >> 20) MB and \
        \((now - superseded).components.seconds) s behind the newest one: \(names). The WAL \
        can't be checkpointed beyond it. Release what is frozen, let handlers return, and refresh \
        realms without autorefresh.
        """, metadata: ["path": "\(path)"])
    }
  }
}
