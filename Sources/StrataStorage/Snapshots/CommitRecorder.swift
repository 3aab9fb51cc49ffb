package import GRDB
package import StrataSchema
import Synchronization

/// Notes which rows transactions touch, while anything is observed, and hands over each snapshot.
///
/// Only for the holder of the ``WriteQueue``, but for ``receiver``.
package final class CommitRecorder: @unchecked Sendable {
  private let observer = Mutex<(any CommitReceiver)?>(nil)
  private let schema: Schema
  /// Made when something is first observed. It stays nil where the SQLite library can't tell: then
  /// snapshots are compared.
  // guarded by: the holder of the ``WriteQueue``.
  private var hook: ChangeHook?
  /// Whether the hook was there from the beginning of the transaction.
  // guarded by: the holder of the ``WriteQueue``.
  private var isNoting = false

  /// - Parameter schema: The classes, as the file names them.
  package init(_ schema: Schema) {
    self.schema = schema
  }

  /// The observer, while it observes anything.
  package var receiver: (any CommitReceiver)? {
    observer.withLock { $0 }.flatMap { $0.isActive ? $0 : nil }
  }

  /// The observer of the store, made when it is first asked for.
  package func receiver<Receiver: CommitReceiver>(or make: () -> Receiver) -> Receiver {
    observer.withLock { observer in
      if let known = observer as? Receiver { return known }
      let made = make()
      observer = made
      return made
    }
  }

  /// Begins to note, or ceases to, at the beginning of a transaction.
  package func begin(_ db: Database) {
    let isWanted = receiver != nil
    if isWanted, hook == nil { hook = ChangeHook(schema) }
    if isNoting, !isWanted { hook?.remove(from: db) }
    isNoting = isWanted && hook != nil
    guard isNoting, let hook else { return }
    if !hook.isInstalled(on: db) { hook.install(on: db) }
    // What was rolled back.
    _ = hook.take()
  }

  /// Runs a closure, and returns the rows that it deleted from a table.
  func deletedRows(
    of table: String, on db: Database, _ body: () throws -> Void
  ) rethrows -> RowSet {
    try ChangeHook.deletedRows(of: table, on: db, beside: isNoting ? hook : nil, body)
  }

  /// What the transaction has touched, before it is committed; nil when that isn't known.
  package func end(_ db: Database) -> NotedChanges? {
    guard isNoting, let hook else { return nil }
    // SQLite has one place for such a hook on a connection: another user of the connection may have
    // taken it.
    guard hook.isInstalled(on: db) else { return nil }
    let changes = hook.take()
    return changes.isComplete ? changes : nil
  }
}
