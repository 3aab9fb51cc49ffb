import Foundation
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
/// Readers that follow each other, each for a moment, keep the WAL from beginning again as well:
/// there is always one. From some length on, an attempt waits for them while this process commits
/// nothing.
///
/// Used by the holder of the ``WriteQueue``, but for what it says of the WAL.
package final class Checkpointer: Sendable {
  private let snapshots: SnapshotStore
  private let logger: Logger?
  private let observers: ActivityObservers?
  private let path: String
  let foreign: ForeignWAL
  private let state = Mutex(State())
  private let count = Atomic<Int>(0)

  private struct State: Sendable {
    var isInstalled = false
    /// The length from which the next attempt is made, where all kept snapshots have moved on, and
    /// the one from which it is made wherever they are.
    var next = (soon: Checkpointer.frames, anyway: Checkpointer.frames)
    /// The length from which the next attempt waits for readers.
    var patientNext = Checkpointer.patientFrames
    /// Whether a reader kept SQLite's way from moving all of the WAL, at the last commit.
    var isHeldUp = false
    var nextLook = ContinuousClock.now
  }

  /// SQLite's own number.
  private static let frames = 1_000
  /// By how much the WAL grows at least between two attempts, each of which waits for the disk.
  private static let growth = 250
  /// The length from which an attempt waits for readers.
  static let patientFrames = 4_000
  /// A longer log is made as short as this when it begins again, in bytes.
  private static let keptBytes = 8 << 20

  /// The distance behind which a snapshot is warned of.
  enum Limit {
    static let bytes = 64 << 20
    static let time = Duration.seconds(30)
    /// How often to look.
    static let interval = Duration.milliseconds(500)
  }

  package init(
    _ snapshots: SnapshotStore, _ file: StoreFile, _ logger: Logger?,
    _ observers: ActivityObservers?
  ) {
    self.snapshots = snapshots
    self.logger = logger
    self.observers = observers
    path = file.path
    foreign = ForeignWAL(snapshots, path)
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
    let before = snapshots.wal.frames
    snapshots.wal.note(frames)
    if frames < before { state.withLock { $0.patientNext = Self.patientFrames } }
    guard frames >= Self.frames, !snapshots.isAnyKept else { return SQLITE_OK }
    // As SQLite's own hook does: a checkpoint that fails doesn't make the commit fail.
    let isComplete = passiveCheckpoint(connection, name).isComplete
    state.withLock { state in
      state.next = (Self.frames, Self.frames)
      state.isHeldUp = !isComplete
    }
    return SQLITE_OK
  }

  // MARK: Attempts

  /// How often a checkpoint was attempted.
  var attempts: Int { count.load(ordering: .relaxed) }

  /// Whether it is time for an attempt: the WAL is long, and the snapshots that are kept were the
  /// newest ones a commit ago. Otherwise, when it is twice as long as it was at the last attempt.
  package var isDue: Bool {
    if patience != nil { return true }
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
    waitForMoves(
      within: min(.microseconds(20 * snapshots.wal.frames), Duration.milliseconds(100)))
  }

  func waitForMoves(within limit: Duration) {
    let start = ContinuousClock.now
    let last = snapshots.lastCommits.last
    while ContinuousClock.now - start < limit {
      let moving = snapshots.kept.contains { snapshot in
        guard snapshot.number < last, !snapshot.uses.isFrozen else { return false }
        return !snapshot.uses.isHeld(at: start)
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
    noteAttempt(Int(length), isComplete: isComplete)
    return isComplete
  }

  private func noteAttempt(_ length: Int, isComplete: Bool) {
    let (soon, anyway) = isComplete ? (0, 0) : (length + Self.growth, 2 * length)
    state.withLock { $0.next = (max(Self.frames, soon), max(Self.frames, anyway)) }
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

  // MARK: Attempts that wait for readers

  /// How long the attempt that is due waits for readers: the longer, the longer the WAL is; nil for
  /// one that doesn't.
  package var patience: Duration? {
    let frames = snapshots.wal.frames
    let (next, isHeldUp) = state.withLock { ($0.patientNext, $0.isHeldUp) }
    guard frames >= next, isHeldUp || snapshots.isAnyKept else { return nil }
    return Self.patience(frames: frames)
  }

  static func patience(frames: Int) -> Duration {
    min(.microseconds(50 * frames), .milliseconds(500))
  }

  /// Moves the WAL into the file and has it begin again, waiting for those that read it.
  ///
  /// The caller makes sure that this process doesn't commit. Another one isn't kept from it.
  ///
  /// - Parameter renew: Has the readers of the newest state begin again, once all of the WAL is in
  ///   the file; false if another process commits, or has committed meanwhile.
  package func restart(
    _ db: Database, within patience: Duration, renewing renew: () throws -> Bool
  ) rethrows {
    let activity = observers?.begin(.checkpoint)
    count.add(1, ordering: .relaxed)
    let end = ContinuousClock.now + patience
    var microseconds: UInt32 = 1_000
    var (hasBegun, length) = (false, 0)
    defer {
      noteAttempt(length, isComplete: hasBegun)
      let next = hasBegun ? 0 : 2 * length
      state.withLock { $0.patientNext = max(Self.patientFrames, next) }
      activity?.end(RealmActivityResult(duration: .zero, isComplete: hasBegun))
    }
    while true {
      var isComplete = false
      (hasBegun, length, isComplete) = restart(db)
      if !hasBegun, isComplete, try renew() { (hasBegun, length, _) = restart(db) }
      let now = ContinuousClock.now
      guard !hasBegun, now < end, !snapshots.isAnyHeld(at: now) else { return }
      usleep(microseconds)
      microseconds = min(2 * microseconds, 20_000)
    }
  }

  /// Tries it at once: SQLite says that it is busy while a reader needs the WAL.
  private func restart(_ db: Database) -> (hasBegun: Bool, length: Int, isComplete: Bool) {
    var length: CInt = 0
    var done: CInt = 0
    let result = sqlite3_wal_checkpoint_v2(
      db.sqliteConnection, "main", SQLITE_CHECKPOINT_RESTART, &length, &done)
    return (result == SQLITE_OK, Int(length), length >= 0 && length == done)
  }

  /// Moves the WAL into the file with a connection that isn't writing.
  ///
  /// - Parameter end: Until when it waits for another process that moves it at this moment.
  func checkpointAsReader(until end: ContinuousClock.Instant) throws -> Bool {
    while true {
      let (result, _, isComplete) = try snapshots.withReader {
        passiveCheckpoint($0.sqliteConnection, "main")
      }
      guard result == SQLITE_BUSY, ContinuousClock.now < end else { return isComplete }
      usleep(1_000)
    }
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
