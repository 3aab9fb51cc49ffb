import GRDB
import StrataStorage

/// A statement that is stepped little by little, and keeps seeing what it saw at the first step.
///
/// Its connection is borrowed, and used by nothing else meanwhile; or it is a snapshot's, which
/// threads use in turns. There the statement is one of its own, as another loop may be in the
/// middle of the same text. To finalize it is to use its connection: so the only reference to it is
/// in here, and is let go in a turn.
final class ReadStatement {
  private enum Source {
    case borrowed(FileConnection, from: Readers)
    case snapshot(Snapshot)
  }

  private let source: Source
  /// The statement that is being stepped; nil before the beginning and at the end.
  private var current: RawStatement?
  /// The same where it is of a snapshot. It is changed in a turn only.
  private var own: Statement?
  /// Nil where nobody observes what is done.
  private let activity: FileActivity?
  /// What was done since the statement began, for the observers.
  private var measured: (sql: String, time: Duration, rows: Int) = ("", .zero, 0)

  init(_ session: Session) throws {
    activity = session.store.activity
    if let snapshot = try session.snapshotToRead() {
      source = .snapshot(snapshot)
    } else {
      let readers = session.store.readers
      source = .borrowed(try readers.borrow(), from: readers)
    }
  }

  deinit {
    end()
    if case .borrowed(let connection, let readers) = source { readers.giveBack(connection) }
  }

  /// Whether a statement that begins later sees what was committed meanwhile.
  var seesCommits: Bool {
    if case .borrowed = source { true } else { false }
  }

  /// The integer that another statement finds first; nil when it finds nothing.
  func integer(_ text: StatementText) throws -> Int64? {
    func first(_ statement: RawStatement) throws -> Int64? {
      defer { statement.resetRaw() }
      return try statement.stepRaw() ? statement.int64(0) : nil
    }
    return switch source {
    case .borrowed(let connection, _): try connection.borrowed(text, first)
    case .snapshot(let snapshot): try snapshot.read(text, first)
    }
  }

  /// Begins a statement, in the place of the one before.
  ///
  /// - Parameter bind: Binds what is no value.
  func begin(
    _ text: StatementText, _ parameters: [StoredValue], _ bind: (RawStatement) -> Void = { _ in }
  ) throws {
    end()
    if activity != nil { measured = (text.sql, .zero, 0) }
    switch source {
    case .borrowed(let connection, _):
      current = try connection.borrowed(text) { statement in
        try statement.bindRaw(parameters)
        bind(statement)
        return statement
      }
    case .snapshot(let snapshot):
      try snapshot.read { db in
        let made = try db.makeStatement(sql: text.sql)
        try made.bindRaw(parameters)
        let statement = RawStatement(made.sqliteStatement)
        bind(statement)
        own = made
        current = statement
      }
    }
  }

  /// Runs a closure with the statement, which it must not keep.
  ///
  /// - Returns: What the closure returns; nil when the statement has ended.
  func use<Result>(_ body: (RawStatement) throws -> Result) rethrows -> Result? {
    guard let current else { return nil }
    guard activity != nil else { return try step(current, body) }
    let start = ContinuousClock.now
    defer { measured.time += .now - start }
    return try step(current, body)
  }

  private func step<Result>(
    _ statement: RawStatement, _ body: (RawStatement) throws -> Result
  ) rethrows -> Result {
    switch source {
    case .borrowed: try body(statement)
    case .snapshot(let snapshot): try snapshot.read { _ in try body(statement) }
    }
  }

  /// Notes, for the observers, how many rows were read.
  func note(rows: Int) {
    if activity != nil { measured.rows += rows }
  }

  /// Ends reading, which lets the WAL be checkpointed.
  func end() {
    guard let ending = current else { return }
    current = nil
    defer { activity?.noteQuery(measured.sql, took: measured.time, rows: measured.rows) }
    switch source {
    case .borrowed: ending.resetRaw()
    case .snapshot(let snapshot):
      snapshot.read { _ in
        ending.resetRaw()
        own = nil
      }
    }
  }
}
