import Foundation
import GRDB
import Synchronization

/// The committed states of a file: the newest one, and those that are read.
///
/// The clock of the store names them. A commit, a new snapshot and what is told of them take turns
/// here, so that a snapshot is exactly the state whose number it has, and all hear of states in
/// their order.
package final class SnapshotStore: Sendable {
  package let clock = StampClock()
  package let wal = WALLength()
  private let readers: Readers
  private let newest = Mutex(Newest())
  private let known = Mutex<[WeakSnapshot]>([])
  /// Told of each commit, this process's or another one's.
  package let commits = CommitSignals()

  private struct Newest: Sendable {
    weak var snapshot: Snapshot?
    /// Until when that is known to be the newest state.
    var time: UInt64 = 0
    /// The numbers of the last two commits.
    var commits: (last: UInt64, before: UInt64) = (0, 0)

    mutating func note(_ snapshot: Snapshot) {
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

  /// The file that those who read have open; nil where that isn't known.
  var shownFile: FileNumber? { readers.file }

  /// Runs a commit, and gives the state that it makes a number.
  ///
  /// - Parameter handOver: Called with a snapshot of that state, or with the reason why there is
  ///   none, before anything else is committed. Nil if it needs no snapshot.
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
      if case .success(let snapshot) = snapshot { newest.note(snapshot) }
      handOver(snapshot)
      return number
    }
  }

  /// Advances the clock after a transaction was taken back: the newest state is what it was, and
  /// so is its snapshot.
  func noteRollback() {
    newest.withLock { newest in
      let now = clock.advance()
      if newest.time == now - 1 { newest.time = now }
    }
  }

  /// A snapshot of the newest state, shared by all callers before the next commit.
  ///
  /// What another process has committed, and was not noticed yet, may be in it.
  package func snapshot() throws -> Snapshot { try snapshot { $0 } }

  /// Runs a closure with a snapshot of the newest state, before anything else is committed.
  package func snapshot<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
    try newest.withLock { newest in
      let number = clock.now
      if let shared = newest.snapshot, newest.time == number { return try body(shared) }
      let snapshot = try make(number)
      newest.note(snapshot)
      return try body(snapshot)
    }
  }

  /// A snapshot of everything that is committed, also by others and not noticed.
  package func freshSnapshot() throws -> Snapshot {
    try newest.withLock { _ in try make(clock.now) }
  }

  /// Reads what is committed, at one moment: while a transaction has the lock, the file as it was
  /// before it.
  func readCommitted(_ body: (Database) throws -> Void) throws {
    try readers.read { db in try db.readingAtOnce(isWanted: true) { try body(db) } }
  }

  /// Runs a closure with a connection that reads, outside of a transaction.
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

  // MARK: Those that are kept

  /// The snapshots that are kept, the oldest first.
  ///
  /// Called wherever a snapshot may be released: never under the lock that its release takes.
  package var kept: [Snapshot] {
    known.withLock { $0.compactMap(\.snapshot) }
  }

  var isAnyKept: Bool { known.withLock { $0.contains { $0.snapshot != nil } } }

  /// Whether one is kept that was left behind so long ago that it won't be let go soon.
  func isAnyHeld(at now: ContinuousClock.Instant) -> Bool {
    kept.contains { $0.uses.isHeld(at: now) }
  }

  private func supersede() {
    guard isAnyKept else { return }
    let now = ContinuousClock.now
    for snapshot in kept { snapshot.uses.supersede(at: now) }
  }

  /// The numbers of the last commit and of the one before.
  package var lastCommits: (last: UInt64, before: UInt64) { newest.withLock { $0.commits } }
}
