import Foundation
package import GRDB
import GRDBSQLite
import Logging
import Synchronization

/// The checkpointer: it moves the WAL into the file, while no process can commit.
///
/// SQLite's own checkpoints run beside commits of other processes. In this library, only the last
/// connection that closes makes one. Before SQLite 3.51.3, a checkpoint that runs while a commit
/// resets the WAL can lose committed rows, or damage the file
/// (https://sqlite.org/wal.html#the_wal_reset_bug). So the writing connection holds the write lock
/// while a reading connection checkpoints. A commit of another process waits for some milliseconds.
///
/// A checkpoint is attempted after a commit, when the WAL has 1,000 frames or more. Some snapshots,
/// as observers have them, move on a moment after each commit. The attempt waits for them,
/// because the WAL is reset only if no reader needs it. Readers of the newest state begin again
/// afterwards, without the WAL.
///
/// Successive short readers also prevent the reset if there is always one of them. When the WAL is
/// longer, an attempt waits for these readers while this process commits nothing.
///
/// Used by the holder of the ``WriteQueue``, except for its knowledge of the WAL.
package final class Checkpointer: Sendable {
  private let snapshots: SnapshotStore
  private let logger: Logger?
  private let observers: ActivityObservers?
  private let path: String
  let foreign: ForeignWAL
  private let state = Mutex(State())

  private struct State: Sendable {
    var isInstalled = false
    /// The length of the next attempt: `soon` if all kept snapshots have moved on, `anyway`
    /// wherever they are. Both begin again when the WAL does.
    var next = (soon: Checkpointer.frames, anyway: Checkpointer.frames)
    /// The length from which the next attempt waits for readers.
    var patientNext = Checkpointer.patientFrames
    /// Whether a reader prevented the last attempt from moving all of the WAL.
    var isHeldUp = false
    var nextLook = ContinuousClock.now
  }

  /// SQLite's default.
  private static let frames = 1_000
  /// The least growth of the WAL between two attempts, each of which waits for the disk.
  private static let growth = 250
  /// The length from which an attempt waits for readers.
  static let patientFrames = 4_000
  /// The size in bytes to which a longer WAL is truncated when it is reset.
  private static let keptBytes = 8 << 20

  /// The limits from which a snapshot behind the newest one is logged as a warning.
  enum Limit {
    static let bytes = 64 << 20
    static let time = Duration.seconds(30)
    /// The time between two checks.
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
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      db.sqliteConnection,
      { context, _, _, frames in
        guard let context else { return SQLITE_OK }
        Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue().committed(Int(frames))
        return SQLITE_OK
      }, context)
    state.withLock { $0.isInstalled = true }
  }

  /// Stops counting.
  package func remove(from db: Database) {
    let wasInstalled = state.withLock { state in
      defer { state.isInstalled = false }
      return state.isInstalled
    }
    guard wasInstalled else { return }
    sqlite3_wal_hook(db.sqliteConnection, nil, nil)
  }

  private func committed(_ frames: Int) {
    let before = snapshots.wal.frames
    snapshots.wal.record(frames)
    guard frames < before else { return }
    state.withLock { state in
      state.next = (Self.frames, Self.frames)
      state.patientNext = Self.patientFrames
    }
  }

  // MARK: Attempts

  /// Whether an attempt is due: the WAL is long, and all kept snapshots are at most one commit old.
  /// Otherwise an attempt is due when the WAL is twice as long as at the last attempt.
  package var isDue: Bool {
    if patience != nil { return true }
    let frames = snapshots.wal.frames
    let next = state.withLock { $0.next }
    guard frames >= next.soon else { return false }
    let before = snapshots.lastCommits.before
    return frames >= next.anyway || snapshots.kept.allSatisfy { $0.number >= before }
  }

  /// Waits for the snapshots that move on by themselves. The limit grows with the length of the
  /// WAL.
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

  /// Moves the WAL into the file, as far as no reader needs it, without waiting for other
  /// connections. Call it only while no process can commit.
  ///
  /// - Returns: Whether all of the WAL is in the file.
  package func checkpoint() throws -> Bool {
    let activity = observers?.begin(.checkpoint)
    var length: CInt = 0
    var done: CInt = 0
    // Uses a reading connection, because the writing one is in a transaction.
    let result = try snapshots.readers.read {
      sqlite3_wal_checkpoint_v2(
        $0.sqliteConnection, "main", SQLITE_CHECKPOINT_PASSIVE, &length, &done)
    }
    let isComplete = result == SQLITE_OK && length == done
    activity?.end(RealmActivityResult(duration: .zero, isComplete: isComplete))
    // Another program may be checkpointing.
    if result != SQLITE_OK && result != SQLITE_BUSY {
      logger?.warning(
        "The WAL can't be moved into the file: \(String(cString: sqlite3_errstr(result))).",
        metadata: ["path": "\(path)"])
    }
    let soon = Int(length) + Self.growth
    state.withLock { state in
      state.next = (max(Self.frames, soon), max(Self.frames, isComplete ? soon : 2 * Int(length)))
      state.isHeldUp = !isComplete
    }
    return isComplete
  }

  /// Restarts the readers of the newest state. Call it only while no process can commit.
  package func renewSnapshots() {
    let last = snapshots.lastCommits.last
    for snapshot in snapshots.kept where snapshot.number >= last { snapshot.renew() }
  }

  // MARK: Attempts that wait for readers

  /// The time that the due attempt waits for readers, which grows with the length of the WAL; nil
  /// if it doesn't wait.
  package var patience: Duration? {
    let frames = snapshots.wal.frames
    let (next, isHeldUp) = state.withLock { ($0.patientNext, $0.isHeldUp) }
    guard frames >= next, isHeldUp || snapshots.isAnyKept else { return nil }
    return Self.patience(frames: frames)
  }

  static func patience(frames: Int) -> Duration {
    min(.microseconds(50 * frames), .milliseconds(500))
  }

  /// Records the end of an attempt that waited for readers. If it failed, the next attempt waits
  /// when the WAL is twice as long.
  package func recordPatientAttempt(mayBeginAgain: Bool) {
    let frames = snapshots.wal.frames
    state.withLock {
      $0.patientNext = max(Self.patientFrames, mayBeginAgain ? frames + Self.growth : 2 * frames)
    }
  }

  /// Whether a snapshot is kept that won't be released soon.
  package var isHeldForLong: Bool { snapshots.isAnyHeld(at: .now) }

  /// Whether a reader, of any process, needs the WAL. If all of the WAL is in the file and no
  /// reader needs it, the next commit resets the WAL.
  ///
  /// SQLITE_CHECKPOINT_RESTART checks the same, but runs beside commits of other processes. The
  /// locks are a part of the format of the WAL's index: readers share the locks from 4 on.
  ///
  /// - Parameter db: A connection that isn't reading.
  package static func isRead(_ db: Database) -> Bool {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(
        db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let methods = file.pointee.pMethods?.pointee, methods.iVersion >= 2,
      let lock = methods.xShmLock,
      lock(file, 4, 4, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE) == SQLITE_OK
    else { return true }
    _ = lock(file, 4, 4, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)
    return false
  }

  // MARK: Warnings

  /// Logs a warning, once for each, about snapshots that are far behind the newest one.
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

/// A WAL that other processes write, and whose reset snapshots of this process may prevent.
///
/// A snapshot of an observer needs the WAL until the next commit is seen, and the next commit
/// appends to the same WAL. However often other processes checkpoint, only this process can end
/// that.
final class ForeignWAL: Sendable {
  /// An attempt to let the WAL be reset, with its limits.
  struct Attempt {
    /// The length of the WAL.
    let bytes: Int64
    /// The longest time to wait for the snapshots that move on.
    let patience: Duration
    /// Whether other processes may be kept from committing meanwhile.
    let isUrgent: Bool
  }

  private struct State {
    /// The time of the next attempt.
    var next = ContinuousClock.now
    /// The length of the WAL when no snapshot needed it.
    var bytesInFile: Int64 = 0
  }

  private let snapshots: SnapshotStore
  private let path: String
  private let state = Mutex(State())

  init(_ snapshots: SnapshotStore, _ path: String) {
    self.snapshots = snapshots
    self.path = path + "-wal"
  }

  /// Returns the due attempt, by the length of the file: this process doesn't count the frames that
  /// other processes write.
  func dueAttempt(at now: ContinuousClock.Instant = .now) -> Attempt? {
    guard snapshots.isAnyKept, !snapshots.isAnyHeld(at: now) else { return nil }
    let bytes = FileNames.bytes(ofFileAt: path)
    let frameSize = snapshots.wal.frameSize
    return state.withLock { state in
      // The WAL was reset and truncated.
      if bytes < state.bytesInFile { state.bytesInFile = 0 }
      let limit = max(Int64(Checkpointer.patientFrames * frameSize), state.bytesInFile)
      guard bytes > limit, now >= state.next else { return nil }
      return Attempt(
        bytes: bytes, patience: Checkpointer.patience(frames: Int(bytes) / frameSize),
        isUrgent: bytes > Int64(Checkpointer.Limit.bytes))
    }
  }

  /// Records the end of an attempt. After a failed one the next is made a second later.
  func record(_ attempt: Attempt, isRenewed: Bool) {
    state.withLock { state in
      if isRenewed {
        state.bytesInFile = attempt.bytes
      } else {
        state.next = .now + .seconds(1)
      }
    }
  }
}

/// The length of the WAL of a file in frames, and the number of frames that this process saw
/// written.
///
/// A frame is one page that a transaction has changed.
package final class WALLength: Sendable {
  private let current = Atomic<Int>(0)
  private let total = Atomic<Int>(0)
  private let size = Atomic<Int>(4_096 + WALLength.header)
  /// The last known length of the WAL's file, which may be longer than the present WAL.
  private let fileBytes = Atomic<Int64>(0)

  /// The size of a frame's header in bytes.
  private static let header = 24

  /// The present frames of the WAL. It is reset when all of it is in the file and no reader needs
  /// it.
  var frames: Int { current.load(ordering: .relaxed) }

  /// The number of frames that were written since the file was opened.
  package var written: Int { total.load(ordering: .relaxed) }

  /// The present size of the WAL in bytes.
  package var bytes: Int { frames * frameSize }

  /// The size of a frame in bytes.
  var frameSize: Int { size.load(ordering: .relaxed) }

  func setPageSize(_ bytes: Int) { size.store(bytes + Self.header, ordering: .relaxed) }

  /// Records the length of the WAL's file, which other processes may have written, before anything
  /// is read.
  package func begin(fileBytes bytes: Int64) {
    fileBytes.store(bytes, ordering: .relaxed)
    current.store(frames(in: bytes), ordering: .relaxed)
  }

  /// Records frames that other processes have written, by the length of the file: if the file has
  /// grown, the WAL ends at its end. For the holder of the ``WriteQueue``.
  package func record(fileBytes bytes: Int64) {
    let before = fileBytes.exchange(bytes, ordering: .relaxed)
    guard bytes > before, frames(in: bytes) > frames else { return }
    record(frames(in: bytes))
  }

  private func frames(in bytes: Int64) -> Int { Int(bytes) / frameSize }

  /// Records the length after a commit. For the holder of the ``WriteQueue``.
  package func record(_ frames: Int) {
    let before = current.exchange(frames, ordering: .relaxed)
    total.add(frames > before ? frames - before : frames, ordering: .relaxed)
  }
}
