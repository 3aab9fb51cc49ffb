package import GRDB
import GRDBSQLite

extension Database {
  /// The number of SQLite's instructions between two checks: well below a millisecond.
  private static let instructionsBetweenChecks: Int32 = 20_000

  /// Runs a closure whose statements can be interrupted.
  ///
  /// - Parameters:
  ///   - isCancelled: Whether to interrupt the running statement. The closure must not use the
  ///     connection.
  ///   - check: Throws if the work was cancelled, which is then the reason, whichever error it led
  ///     to.
  package func interrupting<Result>(
    when isCancelled: @escaping () -> Bool, _ check: () throws -> Void,
    _ body: () throws -> Result
  ) throws -> Result {
    try check()
    var isCancelled = isCancelled
    return try withUnsafeMutablePointer(to: &isCancelled) { isCancelled in
      sqlite3_progress_handler(
        sqliteConnection, Self.instructionsBetweenChecks,
        { $0?.assumingMemoryBound(to: (() -> Bool).self).pointee() == true ? 1 : 0 }, isCancelled)
      defer { sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
      do {
        let result = try body()
        try check()
        return result
      } catch {
        try check()
        throw error
      }
    }
  }
}

extension Cancellation {
  /// Runs a closure whose statements are interrupted by a cancellation. Nil interrupts none.
  ///
  /// - Throws: `CancellationError` if the opening was cancelled, otherwise the error of the
  ///   closure.
  package static func watch<Result>(
    _ db: Database, for cancellation: Cancellation?, _ body: () throws -> Result
  ) throws -> Result {
    guard let cancellation else { return try body() }
    return try db.interrupting(
      when: { cancellation.isCancelled }, cancellation.check, body)
  }
}
