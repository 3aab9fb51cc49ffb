import Synchronization

/// A WAL that other processes write and snapshots of this one may keep from beginning again.
///
/// A snapshot of an observer needs the WAL from its state on until the next commit is seen, and the
/// next commit finds it there: however often the others checkpoint, only this process can end that.
final class ForeignWAL: Sendable {
  /// The limits of an attempt to let it begin again.
  struct Attempt {
    /// The length of the WAL.
    let bytes: Int64
    /// How long to wait for the snapshots that move on.
    let patience: Duration
    /// Whether others may be kept from committing meanwhile.
    let isUrgent: Bool
  }

  private struct State {
    /// When the next attempt is made.
    var next = ContinuousClock.now
    /// The length at which no snapshot needed it.
    var bytesInFile: Int64 = 0
  }

  private let snapshots: SnapshotStore
  private let path: String
  private let state = Mutex(State())

  init(_ snapshots: SnapshotStore, _ path: String) {
    self.snapshots = snapshots
    self.path = path + "-wal"
  }

  /// The attempt that is due, by the length in the file system: this process doesn't count what
  /// others write.
  func dueAttempt(at now: ContinuousClock.Instant = .now) -> Attempt? {
    guard snapshots.isAnyKept, !snapshots.isAnyHeld(at: now) else { return nil }
    let bytes = FileNames.bytes(ofFileAt: path)
    let frameSize = snapshots.wal.frameSize
    return state.withLock { state in
      // It has begun again, and was made shorter.
      if bytes < state.bytesInFile { state.bytesInFile = 0 }
      let limit = max(Int64(Checkpointer.patientFrames * frameSize), state.bytesInFile)
      guard bytes > limit, now >= state.next else { return nil }
      return Attempt(
        bytes: bytes, patience: Checkpointer.patience(frames: Int(bytes) / frameSize),
        isUrgent: bytes > Int64(Checkpointer.Limit.bytes))
    }
  }

  /// Notes how an attempt ended: after one in vain the next is made a second later.
  func note(_ attempt: Attempt, isRenewed: Bool) {
    state.withLock { state in
      if isRenewed {
        state.bytesInFile = attempt.bytes
      } else {
        state.next = .now + .seconds(1)
      }
    }
  }
}
