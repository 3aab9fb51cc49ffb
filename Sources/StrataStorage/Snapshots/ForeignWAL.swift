import Synchronization

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
