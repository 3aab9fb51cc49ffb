import Foundation
package import GRDB
import Synchronization

/// The committed states of a file: the newest one, and the states that are being read.
///
/// The clock of the store numbers them. Commits, new snapshots and their notifications take turns
/// here. So a snapshot is exactly the state with its number, and all receivers are notified of
/// states in their order.
package final class SnapshotStore: Sendable {
  package let clock = StampClock()
  package let wal = WALLength()
  let readers: Readers
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

  /// Runs a commit, and assigns a number to the state that it creates.
  ///
  /// - Parameters:
  ///   - receiver: Gets the commit, or the reason why there is no snapshot, before anything else is
  ///     committed. Nil if no snapshot is needed.
  ///   - describe: Returns the commit with its changes. Without `describe`, they aren't known.
  /// - Returns: The number.
  @discardableResult
  func commit(
    _ body: () throws -> Void, for receiver: (any CommitReceiver)?,
    _ describe: (Snapshot) throws -> Commit = {
      Commit(snapshot: $0, changes: nil, details: CommitDetails())
    }
  ) throws -> UInt64 {
    defer { commits.send() }
    return try newest.withLock { newest in
      let result = Result { try body() }
      let number = clock.advance()
      newest.snapshot = nil
      try result.get()
      newest.commits = (number, newest.commits.last)
      supersede()
      guard let receiver else { return number }
      do {
        let snapshot = try make(number)
        newest.record(snapshot)
        receiver.receive(try describe(snapshot))
      } catch {
        receiver.missed(error)
      }
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
  /// The snapshot may contain commits of other processes that were not detected yet.
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
    try readers.read { db in try db.readingOneVersion { try body(db) } }
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

/// A state of a file that can be read while the snapshot is kept, whatever is committed.
///
/// SQLite can't open an old state, so a snapshot is a connection whose read transaction began when
/// its state was the newest. It may be used on any thread; statements take turns. While it is kept,
/// the WAL can't be checkpointed beyond it. When it is released, its connection is given back.
package final class Snapshot: Sendable {
  /// The time of the store's clock just after the commit that created the state.
  package let number: UInt64
  package let began = ContinuousClock.now
  package let uses: SnapshotUses
  private let connection: FileConnection
  private let readers: Readers

  /// The replica's file that it reads; nil for other files.
  package var publication: PublishedFile? { connection.publication }

  /// Begins to read the newest state, on an idle or a new connection, which takes some microseconds
  /// or some hundred. The caller prevents commits meanwhile.
  package init(number: UInt64, _ readers: Readers, _ wal: WALLength) throws {
    self.number = number
    self.readers = readers
    uses = SnapshotUses(wal)
    connection = try readers.borrow(checksForNewerFile: false)
    // After a failure `deinit` gives the connection back, as usual.
    try Self.begin(connection)
  }

  deinit { Self.end(connection, readers) }

  private static let beginning = StatementText("BEGIN DEFERRED")
  private static let firstRead = StatementText("SELECT 1 FROM sqlite_schema LIMIT 1")
  private static let ending = StatementText("COMMIT")

  private static func begin(_ connection: FileConnection) throws {
    try connection.run(beginning)
    // The first read fixes the state.
    try connection.run(firstRead)
  }

  /// Runs a closure with the connection. Calls may be nested.
  package func read<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    try connection.queue.unsafeReentrantRead { db in
      connection.tidy()
      return try body(db)
    }
  }

  /// Runs a closure with the statement of a text.
  package func read<Result>(
    _ text: StatementText, _ body: (RawStatement) throws -> Result
  ) throws -> Result {
    try read { try connection.inTurn(text, $0, body) }
  }

  /// Begins to read again when all of the WAL is in the file, so that the snapshot no longer needs
  /// the WAL.
  ///
  /// The caller makes sure that its state is the newest one, and that no process commits meanwhile.
  /// A running statement continues, and with it the old read transaction. A connection that is in
  /// use for long is skipped, because its user may wait for the caller.
  package func renew() {
    let turn = RenewalTurn()
    connection.queue.asyncWriteWithoutTransaction { [connection] _ in
      guard turn.take() else { return }
      defer { turn.isOver.signal() }
      do {
        try connection.run(Self.ending)
        try Self.begin(connection)
      } catch {
        // The next read throws the same error.
      }
    }
    if turn.isOver.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      if turn.take() { return }
      // The renewal has just begun.
      turn.isOver.wait()
    }
    uses.needsLogAgain()
  }

  /// A connection that can't end its transaction is closed instead of being given back.
  private static func end(_ connection: FileConnection, _ readers: Readers) {
    do {
      if connection.isInTransaction { try connection.run(ending) }
      readers.giveBack(connection)
    } catch {
      // The connection is closed.
    }
  }
}

/// The decision which comes first: the renewal of the connection, or the end of the caller's wait.
private final class RenewalTurn: Sendable {
  let isOver = DispatchSemaphore(value: 0)
  private let isTaken = Atomic<Bool>(false)

  func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }
}

/// The keepers of a snapshot, and the cost of keeping it.
package final class SnapshotUses: Sendable {
  private struct Keeper: Sendable {
    let id: ObjectIdentifier
    let isFrozen: Bool
    let name: @Sendable () -> String
  }

  private struct State: Sendable {
    var keepers: [Keeper] = []
    /// The total number of frames when the snapshot began to need the WAL.
    var start: Int
    var superseded: ContinuousClock.Instant?
    var hasWarned = false
  }

  private let wal: WALLength
  private let state: Mutex<State>

  /// The number of names that are kept for one keeper.
  private static let maxNames = 8

  init(_ wal: WALLength) {
    self.wal = wal
    state = Mutex(State(start: wal.written))
  }

  /// Records a keeper. The record itself doesn't keep the snapshot.
  ///
  /// - Parameter isFrozen: Whether it is kept permanently, not only until its keeper moves on.
  package func begin(
    _ id: ObjectIdentifier, isFrozen: Bool = false, _ name: @escaping @Sendable () -> String
  ) {
    state.withLock { state in
      guard state.keepers.count(where: { $0.id == id }) < Self.maxNames else { return }
      state.keepers.append(Keeper(id: id, isFrozen: isFrozen, name: name))
    }
  }

  package func end(_ id: ObjectIdentifier) {
    state.withLock { $0.keepers.removeAll { $0.id == id } }
  }

  /// The names of the keepers, without duplicates.
  package var names: [String] {
    var names: [String] = []
    for keeper in state.withLock({ $0.keepers }) {
      let name = keeper.name()
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Whether the snapshot is kept permanently.
  package var isFrozen: Bool { state.withLock { $0.keepers.contains(where: \.isFrozen) } }

  // MARK: What it costs

  /// The bytes that were written to the WAL since the snapshot began to need it.
  package var walBytes: Int { (wal.written - state.withLock { $0.start }) * wal.frameSize }

  /// Records that the snapshot doesn't need the present contents of the WAL.
  func needsLogAgain() {
    state.withLock { $0.start = wal.written }
  }

  /// The time of the next commit after this state; nil while it is the newest one.
  var superseded: ContinuousClock.Instant? { state.withLock { $0.superseded } }

  /// Whether the snapshot was superseded long ago, so that its holder won't release it soon.
  func isHeld(at now: ContinuousClock.Instant) -> Bool {
    superseded.map { now - $0 >= .seconds(1) } ?? false
  }

  func supersede(at time: ContinuousClock.Instant) {
    state.withLock { if $0.superseded == nil { $0.superseded = time } }
  }

  /// Returns true at the first call, which logs the warning, and then false.
  func takeWarning() -> Bool {
    state.withLock { state in
      defer { state.hasWarned = true }
      return !state.hasWarned
    }
  }
}

/// A location in the source code of the program.
package struct CodeLocation: Hashable, Sendable, CustomStringConvertible {
  package let fileID: String
  package let line: UInt

  package init(fileID: String, line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  package var description: String { "\(fileID):\(line)" }
}
