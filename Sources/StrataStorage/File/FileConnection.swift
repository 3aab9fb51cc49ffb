package import GRDB
import GRDBSQLite
import Synchronization

/// A connection to a file: GRDB's connection, and the statements with numbers.
///
/// Only one thread at a time may use it: a thread that has borrowed it, has its turn, or may write.
package final class FileConnection: Sendable {
  package let queue: DatabaseQueue
  /// The file of a replica; nil for other files.
  package let publication: PublishedFile?
  // guarded by: the right to use the connection.
  nonisolated(unsafe) private let statements: NumberedStatements
  /// The number of uses since the last check of ``tidy()``.
  private let uses = Atomic(0)

  /// The number of uses between two checks, and the limit of GRDB's statements in bytes.
  private static let usesBetweenLooks = 256
  private static let maxBytes = 2 << 20

  package init(_ queue: DatabaseQueue, publication: PublishedFile? = nil) {
    self.queue = queue
    self.publication = publication
    let connection = queue.unsafeReentrantRead { $0.sqliteConnection }
    guard let connection else { stopForProgrammerError("A closed connection can't be used.") }
    statements = NumberedStatements(connection)
  }

  /// Runs a closure with the statement of a text, without GRDB's queue. Only for the thread that
  /// has borrowed the connection.
  @inline(__always)
  package func borrowed<Result>(
    _ text: StatementText, _ body: (RawStatement) throws -> Result
  ) throws -> Result {
    if let number = text.number { return try body(statements.statement(text, number)) }
    return try queue.unsafeRead { try inTurn(text, $0, body) }
  }

  /// Runs the statement of a kept text up to its first row, for its effect. Only for the caller
  /// that has the connection, or its turn.
  package func run(_ text: StatementText) throws {
    try borrowed(text) { statement in
      if try statement.stepRaw() { statement.resetRaw() }
    }
  }

  /// Clears GRDB's statement cache when it takes some megabytes.
  ///
  /// GRDB caches a statement for each text while the connection is open. The texts of conditions
  /// differ, so a program with user-defined conditions makes new ones forever. The numbered
  /// statements are not in that cache, and stay. Call it only while no caller uses a statement of
  /// the connection without a reference to it.
  package func tidy() {
    // One thread at a time has the connection, so there are no concurrent increments.
    let count = uses.load(ordering: .relaxed) + 1
    uses.store(count < Self.usesBetweenLooks ? count : 0, ordering: .relaxed)
    guard count >= Self.usesBetweenLooks else { return }
    guard statements.bytes > Self.maxBytes else { return }
    queue.unsafeReentrantRead { $0.clearSchemaCache() }
  }

  /// Whether a transaction is open on the connection.
  package var isInTransaction: Bool { statements.isInTransaction }

  /// Runs a closure with the statement of a text, in a turn of the connection.
  package func inTurn<Result>(
    _ text: StatementText, _ db: Database, _ body: (RawStatement) throws -> Result
  ) throws -> Result {
    if let number = text.number { return try body(statements.statement(text, number)) }
    let statement = try db.freeStatement(sql: text.sql)
    return try withExtendedLifetime(statement) {
      try body(RawStatement(statement.sqliteStatement))
    }
  }
}
