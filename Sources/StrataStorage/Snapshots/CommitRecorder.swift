package import GRDB
package import StrataSchema
import Synchronization

/// Notes which rows transactions touch, while anything is observed or a history is kept, and hands
/// over each snapshot.
///
/// Only for the holder of the ``WriteQueue``, but for ``receiver``.
package final class CommitRecorder: @unchecked Sendable {
  private let observer = Mutex<(any CommitReceiver)?>(nil)
  private let schema: Schema
  private let file: StoreFile
  /// Made when something is first observed, or a history is kept. It stays nil where the SQLite
  /// library can't tell: then snapshots are compared, and triggers note the history.
  // guarded by: the holder of the ``WriteQueue``.
  private var hook: ChangeHook?
  /// Whether the hook was there from the beginning of the transaction.
  // guarded by: the holder of the ``WriteQueue``.
  private var isNoting = false
  /// Whether something was observed at the beginning of the transaction.
  // guarded by: the holder of the ``WriteQueue``.
  private var isObserved = false
  /// The writer of the history that the file keeps.
  // guarded by: the holder of the ``WriteQueue``.
  private var history: HistoryWriter?
  /// Whether the file may have begun or ended its history since it was looked at.
  // guarded by: the holder of the ``WriteQueue``.
  private var mustLookForHistory: Bool
  // guarded by: the holder of the ``WriteQueue``.
  private var lastPruning: ContinuousClock.Instant?

  /// - Parameters:
  ///   - schema: The classes, as the file names them.
  ///   - keepsHistory: Whether the file had a history when it was opened.
  package init(_ schema: Schema, of file: StoreFile, keepsHistory: Bool) {
    self.schema = schema
    self.file = file
    mustLookForHistory = keepsHistory
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

  /// Another process has committed: it may have begun a history, or given it other settings.
  func noteOtherCommit() { mustLookForHistory = true }

  /// Begins to note, or ceases to, at the beginning of a transaction.
  package func begin(_ db: Database) throws {
    if mustLookForHistory { try lookForHistory(db) }
    isObserved = receiver != nil
    let isWanted = isObserved || history != nil
    if isWanted, hook == nil { hook = try makeHook(db) }
    if isNoting, !isWanted { hook?.remove(from: db) }
    isNoting = isWanted && hook != nil
    guard isNoting, let hook else { return }
    if !hook.isInstalled(on: db) { hook.install(on: db) }
    // What was rolled back.
    hook.forget()
  }

  /// Runs a closure, and returns the rows that it deleted from a table.
  func deletedRows(
    of table: String, on db: Database, _ body: () throws -> Void
  ) rethrows -> RowSet {
    try ChangeHook.deletedRows(of: table, on: db, beside: isNoting ? hook : nil, body)
  }

  /// Runs a statement that sets some properties of objects.
  ///
  /// A history then knows which these are, and SQLite compares no rows.
  /// - Parameters:
  ///   - slots: The properties as the program numbers them.
  ///   - columns: The columns of the properties.
  func updating(
    _ className: String, slots: PropertySet, _ columns: () -> [String], _ body: () throws -> Void
  ) rethrows {
    guard let history, isNoting, let hook else { return try body() }
    hook.expect(history.properties(className, slots, columns))
    defer { hook.expect(PropertySet()) }
    try body()
  }

  /// The rows that the transaction has touched, before it is committed; nil when that isn't known.
  /// Writes the entry of the history.
  ///
  /// - Parameters:
  ///   - mayBeUndone: Whether the transaction may have rolled back to savepoints.
  ///   - readCommitted: Reads the file as it was before the transaction.
  /// - Throws: ``RealmError`` with code `fail` when the history would miss changes.
  package func end(
    _ db: Database, _ connection: FileConnection, _ details: CommitDetails, mayBeUndone: Bool,
    readCommitted: ((Database) throws -> Void) throws -> Void
  ) throws -> NotedChanges? {
    guard isNoting, let hook else { return nil }
    // SQLite has one place for such a hook on a connection: another user of the connection may have
    // taken it.
    guard hook.isInstalled(on: db) else {
      if history != nil { throw missing(ErrorText.hookTaken) }
      return nil
    }
    let changes = isObserved ? hook.rows : nil
    if let history {
      guard let notes = hook.notes else { throw missing(ErrorText.noMemoryForNotes) }
      try history.write(
        notes, by: details.author, deletedAll: details.deletedAll, db, mayBeUndone: mayBeUndone,
        readCommitted: readCommitted
      ) { values in
        try connection.inTurn(Self.insertion, db) { statement in
          try statement.bindRaw(values)
          _ = try statement.stepRaw()
        }
      }
    }
    return changes?.isComplete == true ? changes : nil
  }

  // MARK: History

  /// The settings of the history, if it is time to delete what it need not keep any longer: after
  /// the first commit, since many programs don't live for long, and then once a minute.
  func settingsToPrune() -> HistorySettings? {
    guard let history else { return nil }
    let now = ContinuousClock.now
    if let lastPruning, now - lastPruning < Self.pruningInterval { return nil }
    lastPruning = now
    return history.settings
  }

  /// Notes that a part of what need not be kept was deleted: the rest goes after the next commit.
  func prunedInPart() { lastPruning = nil }

  private static let insertion = StatementText(HistoryTable.insertion)
  private static let pruningInterval = Duration.seconds(60)

  private func lookForHistory(_ db: Database) throws {
    history = nil
    hook?.remove(from: db)
    (hook, isNoting) = (nil, false)
    if let settings = try HistoryTable.settingsIfKept(db), ChangeHook.isAvailable,
      let current = try VersionTable.current(db, at: file.url)
    {
      history = HistoryWriter(
        settings, try VersionTable.decode(current.schema, at: file.url), version: current.version)
    }
    mustLookForHistory = false
  }

  private func makeHook(_ db: Database) throws -> ChangeHook? {
    guard let layout = history?.layout else { return ChangeHook(schema) }
    var properties: [String: [_PropertySlot?]] = [:]
    for (position, object) in layout.classes.enumerated() {
      let columns = try Catalog.columns(of: object.className, db).map(\.name)
      properties[object.className] = layout.properties(ofColumns: columns, in: position)
    }
    return ChangeHook(Schema(layout.classes), properties: properties)
  }

  private func missing(_ reason: String) -> RealmError {
    RealmError(.fail, "The history would miss changes: \(reason)", fileURL: file.url)
  }
}
