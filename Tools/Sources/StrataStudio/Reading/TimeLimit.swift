import GRDB
import GRDBSQLite
import Synchronization

/// A limit for statements: a maximum duration, and the cancellation of the task.
///
/// SQLite checks the limit after every thousand virtual machine steps.
final class TimeLimit: Sendable {
  private let duration: Duration
  /// The time of the end; set when the statements start, so that waiting doesn't count.
  private let end = Mutex<ContinuousClock.Instant?>(nil)
  private let isCancelled = Atomic<Bool>(false)

  init(_ duration: Duration) { self.duration = duration }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  @inline(never) private var isOver: Bool {
    if isCancelled.load(ordering: .relaxed) { return true }
    return end.withLock { $0.map { ContinuousClock.now > $0 } ?? false }
  }

  /// Runs a closure whose statements are interrupted at the limit.
  ///
  /// - Throws: ``RequestFailure`` with status 422 and code `slow` after the maximum duration,
  ///   `CancellationError` after a cancellation, and the errors of the closure.
  @inline(never) func run<Result>(_ db: Database, _ body: () throws -> Result) throws -> Result {
    end.withLock { $0 = .now + duration }
    sqlite3_progress_handler(
      db.sqliteConnection, 1000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<TimeLimit>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    defer {
      sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil)
      withExtendedLifetime(self) {}
    }
    do {
      return try body()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
      throw RequestFailure.slow(after: duration)
    }
  }
}

extension RequestFailure {
  /// The failure of a question that met a time limit.
  static func slow(after limit: Duration) -> RequestFailure {
    let seconds = limit / .seconds(1)
    let text = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    return RequestFailure(
      .unprocessable, "slow",
      "The question took longer than \(text) seconds. Narrow it, or declare an index for it.")
  }
}
