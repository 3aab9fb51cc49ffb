import GRDB
import StrataStorage

/// A statement that is stepped little by little, and keeps seeing what it saw at the first step.
///
/// Its connection may be a snapshot's, which threads use in turns. To finalize a statement is to
/// use its connection: so the only reference to it is in here, and is let go in a turn.
final class ReadStatement {
  private enum Source {
    case borrowed(FileConnection, from: Readers)
    case snapshot(Snapshot)
  }

  private let source: Source
  /// Nil when it has ended. It is changed in a turn only.
  private var statement: Statement?

  /// - Parameter make: Makes the statement, which it must not keep. It is told whether a statement
  ///   that begins later sees what was committed meanwhile.
  init(
    _ session: Session, _ make: (Database, _ seesCommits: Bool) throws -> Statement
  ) throws {
    if let snapshot = try session.snapshotToRead() {
      source = .snapshot(snapshot)
    } else {
      let readers = session.store.readers
      source = .borrowed(try readers.borrow(), from: readers)
    }
    try inTurn { statement = try make($0, seesCommits) }
  }

  deinit {
    end()
    if case .borrowed(let connection, let readers) = source { readers.giveBack(connection) }
  }

  /// Whether a statement that begins later sees what was committed meanwhile.
  var seesCommits: Bool {
    if case .borrowed = source { true } else { false }
  }

  /// Runs a closure with the statement, which it may replace and must not keep.
  ///
  /// - Returns: What the closure returns; nil when the statement has ended.
  func use<Result>(_ body: (Database, inout Statement) throws -> Result) rethrows -> Result? {
    try inTurn { db in
      guard statement != nil else { return nil }
      return try body(db, &statement!)
    }
  }

  /// Ends reading, which lets the WAL be checkpointed.
  func end() {
    guard statement != nil else { return }
    inTurn { _ in
      statement?.resetRaw()
      statement = nil
    }
  }

  private func inTurn<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    switch source {
    case .snapshot(let snapshot): try snapshot.read(body)
    case .borrowed(let connection, _): try connection.queue.unsafeRead(body)
    }
  }
}
