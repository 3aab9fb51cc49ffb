package import GRDB
import GRDBSQLite
import StrataSchema

/// The observer of a migration: it tells how far that is, and ends it on request.
///
/// Belongs to the thread that migrates. Without a listener and a cancellation it only notes which
/// classes are worked on.
package final class MigrationMonitor {
  package typealias Listener = @Sendable (MigrationProgress) -> Void

  private let listener: Listener?
  let cancellation: Cancellation?
  private var stage = MigrationProgress(
    from: 0, to: 0, stage: 0, stages: 0, className: nil, completedRows: 0, totalRows: 0)
  private var work: (className: String, total: Int, lastRow: Int64)?
  private var lastNews = ContinuousClock.now
  /// The classes whose rows were worked on, by the names that they had then.
  package private(set) var workedOn: Set<String> = []
  /// Hears of each of them.
  package var workListener: ((_ className: String) -> Void)?
  /// The connection that is watched.
  private var connection: OpaquePointer?
  /// How many loops of closures run at this moment, inside of each other.
  private var loops = 0

  /// How often the listener hears of the same work, at most.
  private static let pause = Duration.milliseconds(50)
  /// How many instructions of SQLite pass between two looks, which is well below a millisecond.
  private static let instructions: Int32 = 20_000
  /// How many rows of a loop pass between two looks, minus one.
  package static let rowMask = 255

  package init(_ listener: Listener?, _ cancellation: Cancellation?) {
    self.listener = listener
    self.cancellation = cancellation
  }

  package var isWanted: Bool { listener != nil || cancellation != nil }

  /// - Throws: `CancellationError` when the opening was cancelled.
  package func check() throws {
    try cancellation?.check()
  }

  /// Runs a closure during which SQLite's statements can be seen and ended.
  package func watch<Result>(_ db: Database, _ body: () throws -> Result) throws -> Result {
    guard isWanted else { return try body() }
    try check()
    sqlite3_progress_handler(
      db.sqliteConnection, Self.instructions,
      { monitor in
        monitor.map { Unmanaged<MigrationMonitor>.fromOpaque($0).takeUnretainedValue().look() } ?? 0
      },
      Unmanaged.passUnretained(self).toOpaque())
    connection = db.sqliteConnection
    defer {
      sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil)
      connection = nil
    }
    do {
      let result = try body()
      try check()
      return result
    } catch {
      // Whatever ended first, this is why.
      try check()
      throw error
    }
  }

  /// SQLite ends the statement when this is not 0.
  private func look() -> Int32 {
    // A closure that is in the middle of a row can't do with half of it.
    // Nor is anything looked at meanwhile: what a loop has set is written on another thread.
    guard loops == 0 else { return 0 }
    if cancellation?.isCancelled == true { return 1 }
    if let work, work.lastRow > 0, let connection {
      // Statements copy rows in the order of their identities; nothing else may be asked here.
      let row = sqlite3_last_insert_rowid(connection)
      tell(Int(Double(work.total) * min(1, Double(row) / Double(work.lastRow))))
    }
    return 0
  }

  // MARK: Work

  /// A stage begins.
  package func begin(stage number: Int, of stages: Int, from: UInt64, to: UInt64) {
    stage = MigrationProgress(
      from: from, to: to, stage: number, stages: stages, className: nil, completedRows: 0,
      totalRows: 0)
    work = nil
    listener?(stage)
  }

  /// Work on the rows of a table begins.
  ///
  /// - Parameter isCopied: Whether one statement does it, copying each row.
  package func begin(_ className: String, identity: String, isCopied: Bool, _ db: Database) throws {
    noteWork(on: className)
    guard listener != nil else { return }
    let table = SQLName.quote(className)
    let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
    let lastRow =
      isCopied
      ? try Int64.fetchOne(db, sql: "SELECT max(\(SQLName.quote(identity))) FROM \(table)") ?? 0 : 0
    work = (className, total, lastRow)
    tell(0, always: true)
  }

  /// Rows of a class are read, by a statement that nothing more is told of.
  func noteWork(on className: String) {
    if workedOn.insert(className).inserted { workListener?(className) }
  }

  /// Rows of the work are done; ends the migration if the opening was cancelled.
  package func advance(to rows: Int) throws {
    try check()
    tell(rows)
  }

  package func enterLoop() { loops += 1 }

  package func leaveLoop() {
    loops -= 1
    end()
  }

  /// All rows of the work are done.
  package func end() {
    guard let work else { return }
    tell(work.total, always: true)
    self.work = nil
  }

  private func tell(_ rows: Int, always: Bool = false) {
    guard let listener, let work else { return }
    let now = ContinuousClock.now
    guard always || now - lastNews >= Self.pause else { return }
    lastNews = now
    listener(
      MigrationProgress(
        from: stage.from, to: stage.to, stage: stage.stage, stages: stage.stages,
        className: work.className, completedRows: rows, totalRows: work.total))
  }
}
