import Foundation
import GRDB
import Synchronization

/// The committed states of a file: the newest one, and the states that are being read.
///
/// The clock of the store numbers them. Commits, new snapshots and their notifications take turns
/// here. So a snapshot is exactly the state with its number, and all receivers are notified of
/// states in their order.
package final class SnapshotStore: Sendable {
  package let clock = StampClock()
  package let wal = WALLength()
  private let readers: Readers
  private let newest = Mutex(Newest())
  private let known = Mutex<[WeakSnapshot]>([])
  /// Sent at each commit, of this process or another one.
  package let commits = CommitSignals()

  private struct Newest: Sendable {
    weak var snapshot: Snapshot?
    /// The last time at which that is known to be the newest state.
    var time: UInt64 = 0
    /// The numbers of the last two commits.
    var commits: (last: UInt64, before: UInt64) = (0, 0)

    mutating func record(_ snapshot: Snapshot) {
      self.snapshot = snapshot
      time = snapshot.number
    }
  }

  private struct WeakSnapshot: Sendable {
    weak let snapshot: Snapshot?
  }

  package init(_ readers: Readers) {
    self.readers = readers
  }

  /// The file that the readers have open; nil if unknown.
  var shownFile: FileNumber? { readers.file }

  /// Runs a commit, and assigns a number to the state that it creates.
  ///
  /// - Parameter handOver: Called with a snapshot of that state, or with the reason why there is
  ///   none, before anything else is committed. Nil if no snapshot is needed.
  /// - Returns: The number.
  @discardableResult
  package func commit(
    _ body: () throws -> Void, handOver: ((Result<Snapshot, any Error>) -> Void)? = nil
  ) throws -> UInt64 {
    defer { commits.send() }
    return try newest.withLock { newest in
      let result = Result { try body() }
      let number = clock.advance()
      newest.snapshot = nil
      try result.get()
      newest.commits = (number, newest.commits.last)
      supersede()
      guard let handOver else { return number }
      let snapshot = Result { try make(number) }
      if case .success(let snapshot) = snapshot { newest.record(snapshot) }
      handOver(snapshot)
      return number
    }
  }

  /// Advances the clock after a rollback. The newest state and its snapshot stay the same.
  func recordRollback() {
    newest.withLock { newest in
      let now = clock.advance()
      if newest.time == now - 1 { newest.time = now }
    }
  }

  /// Returns a snapshot of the newest state, shared by all callers before the next commit.
  ///
  /// It may contain commits of other processes that were not noticed yet.
  package func snapshot() throws -> Snapshot { try snapshot { $0 } }

  /// Runs a closure with a snapshot of the newest state, before anything else is committed.
  package func snapshot<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
    try newest.withLock { newest in
      let number = clock.now
      if let shared = newest.snapshot, newest.time == number { return try body(shared) }
      let snapshot = try make(number)
      newest.record(snapshot)
      return try body(snapshot)
    }
  }

  /// Returns a snapshot of everything that is committed, including unnoticed commits of other
  /// processes.
  package func freshSnapshot() throws -> Snapshot {
    try newest.withLock { _ in try make(clock.now) }
  }

  /// Reads the committed state as one snapshot: while a transaction holds the lock, the file as of
  /// before the transaction.
  func readCommitted(_ body: (Database) throws -> Void) throws {
    try readers.read { db in try db.readingAtOnce(isWanted: true) { try body(db) } }
  }

  /// Runs a closure with a reading connection, outside of a transaction.
  func withReader<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try readers.read(body)
  }

  private func make(_ number: UInt64) throws -> Snapshot {
    let snapshot = try Snapshot(number: number, readers, wal)
    known.withLock { known in
      known.removeAll { $0.snapshot == nil }
      known.append(WeakSnapshot(snapshot: snapshot))
    }
    return snapshot
  }

  // MARK: Kept snapshots

  /// The snapshots that are kept, the oldest first.
  ///
  /// The caller may release the last reference to a snapshot, so never call it under the lock that
  /// the release takes.
  package var kept: [Snapshot] {
    known.withLock { $0.compactMap(\.snapshot) }
  }

  var isAnyKept: Bool { known.withLock { $0.contains { $0.snapshot != nil } } }

  /// Whether a snapshot is kept that was superseded so long ago that it won't be released soon.
  func isAnyHeld(at now: ContinuousClock.Instant) -> Bool {
    kept.contains { $0.uses.isHeld(at: now) }
  }

  private func supersede() {
    guard isAnyKept else { return }
    let now = ContinuousClock.now
    for snapshot in kept { snapshot.uses.supersede(at: now) }
  }

  /// The numbers of the last commit and of the previous one.
  package var lastCommits: (last: UInt64, before: UInt64) { newest.withLock { $0.commits } }
}
