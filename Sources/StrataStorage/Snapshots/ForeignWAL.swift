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

/// The length of the WAL of a file, in frames, and how much this process has seen written to it.
///
/// A frame is one page that a transaction has changed.
package final class WALLength: Sendable {
  private let current = Atomic<Int>(0)
  private let total = Atomic<Int>(0)
  private let size = Atomic<Int>(4_096 + WALLength.header)
  /// The length of its file when it was last looked at; it may have more than the WAL has now.
  private let fileBytes = Atomic<Int64>(0)

  /// What a frame has before its page, in bytes.
  private static let header = 24

  /// The frames that the WAL has now. It begins again when all of it is in the file and no reader
  /// needs it.
  var frames: Int { current.load(ordering: .relaxed) }

  /// All frames that were written since the file was opened.
  package var written: Int { total.load(ordering: .relaxed) }

  /// The bytes that the WAL has now.
  package var bytes: Int { frames * frameSize }

  /// The bytes of a frame.
  var frameSize: Int { size.load(ordering: .relaxed) }

  func setPageSize(_ bytes: Int) { size.store(bytes + Self.header, ordering: .relaxed) }

  /// Notes the length of its file, which others may have written, before anything is read.
  package func begin(fileBytes bytes: Int64) {
    fileBytes.store(bytes, ordering: .relaxed)
    current.store(frames(in: bytes), ordering: .relaxed)
  }

  /// Notes what others have written, by the length of its file: where that has grown, the WAL ends
  /// with it. For the holder of the ``WriteQueue``.
  package func note(fileBytes bytes: Int64) {
    let before = fileBytes.exchange(bytes, ordering: .relaxed)
    guard bytes > before, frames(in: bytes) > frames else { return }
    note(frames(in: bytes))
  }

  private func frames(in bytes: Int64) -> Int { Int(bytes) / frameSize }

  /// Notes the length after a commit; for the holder of the ``WriteQueue``.
  package func note(_ frames: Int) {
    let before = current.exchange(frames, ordering: .relaxed)
    total.add(frames > before ? frames - before : frames, ordering: .relaxed)
  }
}
