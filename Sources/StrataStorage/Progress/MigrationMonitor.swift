package import GRDB
import GRDBSQLite
import StrataSchema

/// The observer of a migration: it reports the progress, and cancels the migration on request.
///
/// The monitor belongs to the thread that migrates. Without a listener and a cancellation it only
/// records the migrated classes.
package final class MigrationMonitor {
  package typealias Listener = @Sendable (MigrationProgress) -> Void

  private let listener: Listener?
  let cancellation: Cancellation?
  private var stage = MigrationProgress(
    from: 0, to: 0, stage: 0, stages: 0, className: nil, completedRows: 0, totalRows: 0)
  private var work: (className: String, total: Int, lastRow: Int64)?
  private var lastNews = ContinuousClock.now
  /// The classes whose rows were changed, by their names at that time.
  package private(set) var workedOn: Set<String> = []
  /// Called with each of these classes.
  package var workListener: ((_ className: String) -> Void)?
  /// The present number of nested closure loops.
  private var loops = 0

  /// The shortest time between two calls of the listener for the same work.
  private static let pause = Duration.milliseconds(50)
  /// The number of rows of a loop between two checks, minus one.
  package static let rowMask = 255

  package init(_ listener: Listener?, _ cancellation: Cancellation?) {
    self.listener = listener
    self.cancellation = cancellation
  }

  package func check() throws {
    try cancellation?.check()
  }

  /// Runs a closure whose SQLite statements can be observed and interrupted.
  package func watch<Result>(_ db: Database, _ body: () throws -> Result) throws -> Result {
    guard listener != nil || cancellation != nil else { return try body() }
    let connection = db.sqliteConnection
    return try db.interrupting(when: { self.look(connection) }, check, body)
  }

  /// Reports the progress. Returns whether the opening was cancelled.
  private func look(_ connection: OpaquePointer?) -> Bool {
    // A closure that is in the middle of a row must not see half of it. The work isn't read either,
    // because another thread writes the loop's rows meanwhile.
    guard loops == 0 else { return false }
    if cancellation?.isCancelled == true { return true }
    if let work, work.lastRow > 0, let connection {
      // Statements copy rows in the order of their identities. No other call is allowed here.
      let row = sqlite3_last_insert_rowid(connection)
      report(Int(Double(work.total) * min(1, Double(row) / Double(work.lastRow))))
    }
    return false
  }

  // MARK: Work

  package func begin(stage number: Int, of stages: Int, from: UInt64, to: UInt64) {
    stage = MigrationProgress(
      from: from, to: to, stage: number, stages: stages, className: nil, completedRows: 0,
      totalRows: 0)
    work = nil
    listener?(stage)
  }

  /// Begins work on the rows of a table.
  ///
  /// - Parameter isCopied: Whether one statement copies each row.
  package func begin(_ className: String, identity: String, isCopied: Bool, _ db: Database) throws {
    recordWork(on: className)
    guard listener != nil else { return }
    let table = SQLName.quote(className)
    let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
    let lastRow =
      isCopied
      ? try Int64.fetchOne(db, sql: "SELECT max(\(SQLName.quote(identity))) FROM \(table)") ?? 0 : 0
    work = (className, total, lastRow)
    report(0, always: true)
  }

  /// Records that a statement without further progress reports reads the rows of a class.
  func recordWork(on className: String) {
    if workedOn.insert(className).inserted { workListener?(className) }
  }

  /// Reports the completed rows. Throws if the opening was cancelled.
  package func advance(to rows: Int) throws {
    try check()
    report(rows)
  }

  package func enterLoop() { loops += 1 }

  package func leaveLoop() {
    loops -= 1
    end()
  }

  /// Reports that all rows of the work are completed.
  package func end() {
    guard let work else { return }
    report(work.total, always: true)
    self.work = nil
  }

  private func report(_ rows: Int, always: Bool = false) {
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

/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
  /// The version before the present stage.
  public let from: UInt64
  /// The version after the present stage.
  public let to: UInt64
  /// The number of the stage, from 1.
  public let stage: Int
  /// The number of stages.
  public let stages: Int
  /// The class whose rows are being migrated; nil between two classes.
  public let className: String?
  /// The number of completed rows of the class.
  public let completedRows: Int
  /// The number of rows of the class.
  public let totalRows: Int

  /// The completed fraction of the rows of the class, from 0 to 1.
  public var fractionCompleted: Double {
    totalRows == 0 ? 0 : min(1, Double(completedRows) / Double(totalRows))
  }
}

extension MigrationProgress: CustomStringConvertible {
  /// A text such as `Version 2 to 3 (stage 1 of 2), Person: 12000 of 50000 rows`.
  public var description: String {
    let versions = "Version \(from) to \(to) (stage \(stage) of \(stages))"
    guard let className else { return versions }
    return "\(versions), \(className): \(completedRows) of \(totalRows) rows"
  }
}
