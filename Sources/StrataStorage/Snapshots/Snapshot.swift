import Foundation
package import GRDB
import Synchronization

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
    connection = try readers.borrow(mayLook: false)
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
