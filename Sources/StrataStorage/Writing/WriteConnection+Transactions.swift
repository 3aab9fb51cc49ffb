import Foundation
package import GRDB
import GRDBSQLite
import Logging
import Synchronization

/// Transactions: their beginning, in the order of the requests, and their end.
extension WriteConnection {
  /// Waits for the other writers, and begins a transaction.
  package func begin(_ user: any WriteUser) throws(RealmError) {
    let asking = activity?.asks()
    do throws(RealmError) {
      try queue.enter(for: user, url)
    } catch {
      asking?.failed(error)
      throw error
    }
    do {
      _ = try begin(for: asking, waits: true)
    } catch {
      queue.leave()
      throw error
    }
  }

  /// Creates a turn to write, for ``WriteQueue/ask(_:by:_:)``.
  package func turn(of user: any WriteUser, wake: @escaping @Sendable () -> Void) -> WriteTurn {
    let asking = activity?.asks()
    return WriteTurn(
      user,
      begin: { [self] (waits) throws(RealmError) in try begin(for: asking, waits: waits) },
      waitForOthers: { [self] () throws(RealmError) in
        do throws(RealmError) {
          try use { db in
            try db.beginTransaction(.immediate)
            try db.rollback()
          }
        } catch {
          asking?.failed(error)
          throw error
        }
      }, wake: wake)
  }

  private func begin(for asking: RunningActivity?, waits: Bool) throws(RealmError) -> Bool {
    pauseForOthers()
    do throws(RealmError) {
      guard try use({ db, connection in try begin(db, connection, waits: waits) }) else {
        return false
      }
    } catch {
      asking?.failed(error)
      throw error
    }
    if let asking { activity?.began(asking) }
    return true
  }

  /// Leaves the file unlocked while other processes are due to write. A place may sleep for this
  /// short time: if it had to wait to be woken again, it would write once in each round of a busy
  /// pool.
  private func pauseForOthers() {
    while let pause = others.pause() {
      usleep(UInt32(pause / .microseconds(1)) + 1)
    }
  }

  /// - Returns: False if another process writes and the call doesn't wait.
  private func begin(
    _ db: Database, _ connection: FileConnection, waits: Bool
  ) throws -> Bool {
    connection.tidy()
    do {
      if waits {
        try run(Self.beginning, db, connection)
      } else {
        try busyTimeout.withoutWaiting { try run(Self.beginning, db, connection) }
      }
    } catch let error as DatabaseError where !waits && error.resultCode == .SQLITE_BUSY {
      return false
    }
    do {
      try checkHasNotMoved(db)
      try others.notice(db)
      try log.begin(db)
      try checkpointer.install(on: db)
      changesBefore.store(db.totalChangesCount, ordering: .relaxed)
    } catch {
      try db.rollback()
      throw error
    }
    return true
  }

  private static let beginning = StatementText("BEGIN IMMEDIATE TRANSACTION")
  private static let end = StatementText("COMMIT TRANSACTION")

  /// Runs a statement that begins or ends a transaction, and notifies GRDB's observers.
  private func run(_ text: StatementText, _ db: Database, _ connection: FileConnection) throws {
    guard !others.haveHadConnection else {
      return try db.cachedStatement(sql: text.sql).execute()
    }
    _ = try connection.inTurn(text, db) { try $0.stepRaw() }
  }

  /// Changes of a deleted or moved file would be lost: see ``FilePresence``.
  func checkHasNotMoved(_ db: Database) throws(RealmError) {
    var hasMoved: CInt = 0
    let result = sqlite3_file_control(
      db.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    if result == SQLITE_OK, hasMoved != 0 { throw presence.moved }
    try presence.checkCompanions()
  }

  /// Commits. On an error the transaction is rolled back.
  ///
  /// - Parameters:
  ///   - changed: The tables with changes that GRDB's observers haven't seen.
  ///   - details: The session's knowledge of its changes, beyond the changed rows.
  package func commit(
    changed: @autoclosure () -> [String], _ details: CommitDetails
  ) throws(RealmError) -> CommittedTransaction {
    defer { leaveAfterCommit() }
    do {
      let committed = try use { db, connection in
        if others.haveHadConnection { try notifyObservers(changed(), db) }
        let changedRows = db.totalChangesCount - changesBefore.load(ordering: .relaxed)
        let number = try explainingReferences(db) { try commit(db, connection, details) }
        return CommittedTransaction(number: number, changedRows: changedRows)
      }
      activity?.committed(rows: committed.changedRows, author: details.author)
      return committed
    } catch {
      activity?.rolledBack(because: error, author: details.author)
      do {
        try rollbackNow()
      } catch let second {
        logger?.error("Rolling back failed as well: \(second.loggedMessage)")
      }
      throw error
    }
  }

  private func explainingReferences(_ db: Database, _ body: () throws -> UInt64) throws -> UInt64 {
    do {
      return try body()
    } catch {
      throw DanglingReferences.explaining(error, db)
    }
  }

  /// Notifies GRDB's observers, which see only statements of GRDB.
  private func notifyObservers(_ changed: [String], _ db: Database) throws {
    // GRDB reads the columns of the table with a name that ends at a quotation mark.
    for table in changed where !table.contains("\"") {
      try db.notifyChanges(in: GRDB.Table(table))
    }
  }

  private func commit(
    _ db: Database, _ connection: FileConnection, _ details: CommitDetails
  ) throws -> UInt64 {
    let end = { [self] in try run(Self.end, db, connection) }
    let changes = try log.end(
      db, connection, details, canBeUndone: others.haveHadConnection,
      readCommitted: snapshots.readCommitted)
    return try snapshots.commit(end, for: log.receiver) { snapshot in
      // Another process may have committed before the snapshot began.
      let isAlone = try !others.haveCommitted(db)
      return Commit(snapshot: snapshot, changes: isAlone ? changes : nil, details: details)
    }
  }

  package func rollback() throws(RealmError) {
    defer { queue.leave() }
    defer { snapshots.recordRollback() }
    defer { others.transactionEnded() }
    activity?.rolledBack()
    try rollbackNow()
  }

  private func rollbackNow() throws(RealmError) {
    try use { db in
      if db.isInsideTransaction { try db.rollback() }
    }
  }

  /// Runs a closure that deletes, and returns the rows that it deleted from a table. Returns nil
  /// without running the closure if these rows can't be recorded: SQLite may lack the hook, or code
  /// outside of the library may have taken it.
  package func deletedRows(
    of table: String, on db: Database, _ body: () throws -> Void
  ) rethrows -> RowSet? {
    guard ChangeHook.isAvailable, !others.haveHadConnection else { return nil }
    return try log.deletedRows(of: table, on: db, body)
  }
}

/// The references to missing rows that prevent a commit.
///
/// SQLite counts them during the transaction. At its end it reports only that there are some.
enum DanglingReferences {
  private static let named = 3

  /// Adds the offending rows to a foreign-key error. Returns other errors unchanged.
  ///
  /// - Parameter db: The connection, still in the transaction, which a failed commit leaves open.
  static func explaining(_ error: any Error, _ db: Database) -> any Error {
    guard let error = error as? DatabaseError,
      error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY, db.isInsideTransaction
    else { return error }
    let plain = RealmError(error, at: db.fileURL)
    do {
      let lines = try first(db)
      guard !lines.isEmpty else { return error }
      return RealmError(
        .fail,
        "\(plain.message) Nothing was committed: \(lines.joined(separator: "; ")). Add the rows that are "
          + "referred to, or remove the references, before the transaction ends.",
        fileURL: plain.fileURL, underlyingError: error)
    } catch {
      // Reports the original error.
      return plain
    }
  }

  private static func first(_ db: Database) throws -> [String] {
    // A table-valued function, which ends after the first rows.
    let rows = try Row.fetchAll(
      db, sql: "SELECT \"table\", rowid, parent FROM pragma_foreign_key_check LIMIT \(named)")
    let lines = rows.map { row in
      let (table, parent): (String, String) = (row[0], row[2])
      // Rows of collections have no number.
      let number = (row[1] as Int64?).map { "row \($0)" } ?? "a row"
      return "\(number) of table '\(table)' refers to a row of '\(parent)' that isn't there"
    }
    return lines.enumerated().filter { !lines[..<$0.offset].contains($0.element) }.map(\.element)
  }
}
