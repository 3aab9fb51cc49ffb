package import GRDB
import GRDBSQLite

extension Cancellation {
  /// The number of SQLite's instructions between two checks: well below a millisecond.
  private static let instructions: Int32 = 20_000

  /// Runs a closure whose statements are interrupted by a cancellation. Nil interrupts none.
  ///
  /// - Throws: `CancellationError` if the opening was cancelled, otherwise the error of the
  ///   closure.
  package static func watch<Result>(
    _ db: Database, for cancellation: Cancellation?, _ body: () throws -> Result
  ) throws -> Result {
    guard let cancellation else { return try body() }
    try cancellation.check()
    sqlite3_progress_handler(
      db.sqliteConnection, instructions,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
      }, Unmanaged.passUnretained(cancellation).toOpaque())
    defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
    do {
      let result = try body()
      try cancellation.check()
      return result
    } catch {
      // A cancellation is the reason, whichever error it led to.
      try cancellation.check()
      throw error
    }
  }
}
