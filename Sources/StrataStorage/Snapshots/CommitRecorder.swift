package import GRDB
package import StrataSchema
import Synchronization

/// The recorder of the rows that transactions change, while anything is observed or a history is
/// kept.
///
/// Must be used only by the holder of the ``WriteQueue``, except for ``receiver``.
package final class CommitRecorder: @unchecked Sendable {
  private let observer = Mutex<(any CommitReceiver)?>(nil)
  private let schema: Schema
  private let file: StoreFile
  private let expected: ExpectedSchema
  /// Created when something is first observed, or a history is kept. Nil if the SQLite library has
  /// no pre-update hook: then snapshots are compared, and triggers record the history.
  // guarded by: the holder of the ``WriteQueue``.
  private var hook: ChangeHook?
  /// Whether the hook was installed from the beginning of the transaction.
  // guarded by: the holder of the ``WriteQueue``.
  private var isRecording = false
  /// Whether something was observed at the beginning of the transaction.
  // guarded by: the holder of the ``WriteQueue``.
  private var isObserved = false
  /// The writer of the history that the file keeps.
  // guarded by: the holder of the ``WriteQueue``.
  private var history: HistoryWriter?
  /// Whether the history of the file may have begun or ended since the last check.
  // guarded by: the holder of the ``WriteQueue``.
  private var mustReadHistory: Bool
  // guarded by: the holder of the ``WriteQueue``.
  private var lastPruning: ContinuousClock.Instant?

  /// - Parameters:
  ///   - schema: The classes, with their names in the file.
  ///   - keepsHistory: Whether the file had a history when it was opened.
  package init(
    _ schema: Schema, of file: StoreFile, _ expected: ExpectedSchema, keepsHistory: Bool
  ) {
    self.schema = schema
    self.expected = expected
    self.file = file
    mustReadHistory = keepsHistory
  }

  /// The observer, while it observes anything.
  package var receiver: (any CommitReceiver)? {
    observer.withLock { $0 }.flatMap { $0.isActive ? $0 : nil }
  }

  /// Returns the observer of the store, which is created at the first call.
  package func receiver<Receiver: CommitReceiver>(or make: () -> Receiver) -> Receiver {
    observer.withLock { observer in
      if let known = observer as? Receiver { return known }
      let made = make()
      observer = made
      return made
    }
  }

  /// Records that another process has committed: it may have begun a history, or changed its
  /// settings.
  func recordOtherCommit() { mustReadHistory = true }

  /// Starts or stops recording, at the beginning of a transaction.
  package func begin(_ db: Database) throws {
    if mustReadHistory { try readHistory(db) }
    isObserved = receiver != nil
    let isWanted = isObserved || history != nil || !expected.extended.isEmpty
    if isWanted, hook == nil { hook = try makeHook(db) }
    if isRecording, !isWanted { hook?.remove(from: db) }
    isRecording = isWanted && hook != nil
    guard isRecording, let hook else { return }
    if !hook.isInstalled(on: db) { hook.install(on: db) }
    // Discards changes that were rolled back.
    hook.forget()
  }

  /// Runs a closure, and returns the rows that it deleted from a table.
  func deletedRows(
    of table: String, on db: Database, _ body: () throws -> Void
  ) rethrows -> RowSet {
    try ChangeHook.deletedRows(of: table, on: db, beside: isRecording ? hook : nil, body)
  }

  /// Runs a statement that sets some properties of objects.
  ///
  /// The history then knows these properties, and SQLite compares no rows.
  /// - Parameter slots: The properties, with the program's numbers.
  package func updating(
    _ className: String, slots: PropertySet, columns: () -> [String], _ body: () throws -> Void
  ) rethrows {
    guard let history, isRecording, let hook else { return try body() }
    hook.expect(history.properties(className, slots, columns))
    defer { hook.expect(PropertySet()) }
    try body()
  }

  /// Returns the rows that the transaction has changed, before it is committed; nil if unknown.
  /// Writes the entry of the history.
  ///
  /// - Parameters:
  ///   - canBeUndone: Whether the transaction may have rolled back to savepoints.
  ///   - readCommitted: Reads the file as of before the transaction.
  /// - Throws: ``RealmError`` with code `fail` if the history would miss changes.
  package func end(
    _ db: Database, _ connection: FileConnection, _ details: CommitDetails, canBeUndone: Bool,
    readCommitted: ((Database) throws -> Void) throws -> Void
  ) throws -> RecordedChanges? {
    guard isRecording, let hook else {
      try recordOlderWrites(nil, db)
      return nil
    }
    // SQLite has one hook of this kind for each connection. Another user of the connection may have
    // replaced it.
    guard hook.isInstalled(on: db) else {
      if history != nil {
        throw missing(
          "another user of the connection took SQLite's pre-update hook. Open another connection for "
            + "that user.")
      }
      try recordOlderWrites(nil, db)
      return nil
    }
    let isExtended = !expected.extended.isEmpty
    let changes = isObserved || isExtended ? hook.rows : nil
    try recordOlderWrites(changes, db)
    if let history {
      guard let notes = hook.notes else {
        throw missing("there was not enough memory to record them. Make smaller transactions.")
      }
      try history.write(
        notes, by: details.author, deletedAll: details.deletedAll, db, canBeUndone: canBeUndone,
        readCommitted: readCommitted
      ) { values in
        try connection.inTurn(Self.insertion, db) { statement in
          try statement.bindRaw(values)
          _ = try statement.stepRaw()
        }
      }
    }
    return isObserved && changes?.isComplete == true ? changes : nil
  }

  /// Records the rows that this transaction of an older program has changed in classes with
  /// properties that the program doesn't know.
  ///
  /// - Parameter changes: The changed rows; nil if they aren't known.
  private func recordOlderWrites(_ changes: RecordedChanges?, _ db: Database) throws {
    let known = changes.flatMap { $0.isComplete ? $0 : nil }
    for className in expected.extended.sorted() {
      guard let object = schema[className] else { continue }
      let rows = known.map { changes in
        ([className] + object.collectionTables.map(\.name)).reduce(into: RowSet()) {
          $0.formUnion(changes.tables[$1] ?? RowSet())
        }.members
      }
      if rows?.isEmpty == true { continue }
      try OlderWrites.add(rows, of: className, version: expected.version, db)
    }
  }

  // MARK: History

  /// Returns the settings of the history if expired transactions are to be deleted: after the first
  /// commit, because many programs don't run for long, and then once a minute.
  func settingsToPrune() -> HistorySettings? {
    guard let history else { return nil }
    let now = ContinuousClock.now
    if let lastPruning, now - lastPruning < Self.pruningInterval { return nil }
    lastPruning = now
    return history.settings
  }

  /// Records that some expired transactions are left, which are deleted after the next commit.
  func recordPartialPruning() { lastPruning = nil }

  private static let insertion = StatementText(HistoryTable.insertion)
  private static let pruningInterval = Duration.seconds(60)

  private func readHistory(_ db: Database) throws {
    history = nil
    hook?.remove(from: db)
    (hook, isRecording) = (nil, false)
    if let settings = try HistoryTable.settingsIfKept(db), ChangeHook.isAvailable,
      let current = try VersionTable.current(db, at: file.url)
    {
      history = HistoryWriter(
        settings, try VersionTable.decode(current.schema, at: file.url), version: current.version)
    }
    mustReadHistory = false
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
