import Foundation
package import GRDB
import Synchronization

/// A state of a file that can be read for as long as the snapshot is kept, whatever is committed.
///
/// SQLite can't open a state again, so a snapshot is a connection whose read transaction began
/// when its state was the newest. It may be used on any thread; statements take turns. While it
/// is kept, the WAL can't be checkpointed beyond it. Released, it gives its connection back.
package final class Snapshot: Sendable {
  /// The time of the store's clock just after the commit that made the state.
  package let number: UInt64
  package let began = ContinuousClock.now
  package let uses: SnapshotUses
  private let connection: FileConnection
  private let readers: Readers

  /// The file of a replica that it is of; nil for other files.
  package var publication: PublishedFile? { connection.publication }

  /// Begins to read the newest state, on a connection that is idle or new: some microseconds, or
  /// some hundred. The caller makes sure that no commit happens meanwhile.
  package init(number: UInt64, _ readers: Readers, _ wal: WALLength) throws {
    self.number = number
    self.readers = readers
    uses = SnapshotUses(wal)
    connection = try readers.borrow(mayLook: false)
    // After a failure `deinit` gives the connection back, as it does later.
    try Self.begin(connection)
  }

  deinit { Self.end(connection, readers) }

  private static let beginning = StatementText("BEGIN DEFERRED")
  private static let firstRead = StatementText("SELECT 1 FROM sqlite_schema LIMIT 1")
  private static let ending = StatementText("COMMIT")

  private static func begin(_ connection: FileConnection) throws {
    try connection.run(beginning)
    // The first read is what fixes the state.
    try connection.run(firstRead)
  }

  /// Runs a closure with the connection. Inside of it, it may be called again.
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

  /// Begins to read again, when all of the WAL is in the file: then it no longer needs the WAL.
  ///
  /// The caller makes sure that its state is the newest one, and that neither this process nor
  /// another one commits meanwhile. A statement that is being stepped goes on as it is, and with it
  /// the old reading. A connection that is in use for long is left alone: its user may wait for the
  /// caller.
  package func renew() {
    let turn = RenewalTurn()
    connection.queue.asyncWriteWithoutTransaction { [connection] _ in
      guard turn.take() else { return }
      defer { turn.isOver.signal() }
      do {
        try connection.run(Self.ending)
        try Self.begin(connection)
      } catch {
        // What it reads next says the same.
      }
    }
    if turn.isOver.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      if turn.take() { return }
      // It has just begun.
      turn.isOver.wait()
    }
    uses.needsLogAgain()
  }

  /// A connection that can't end its transaction is closed instead of being used again.
  private static func end(_ connection: FileConnection, _ readers: Readers) {
    do {
      if connection.isInTransaction { try connection.run(ending) }
      readers.giveBack(connection)
    } catch {
      // It is closed.
    }
  }
}

/// The decision which comes first: the connection, which begins again, or the end of the caller's
/// wait.
private final class RenewalTurn: Sendable {
  let isOver = DispatchSemaphore(value: 0)
  private let isTaken = Atomic<Bool>(false)

  func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }
}
