import Synchronization

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
