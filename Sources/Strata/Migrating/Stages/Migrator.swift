import Foundation
import GRDB
import StrataStorage

/// A migration of a file through one or several versions, in one transaction.
struct Migrator: Sendable {
  let configuration: ResolvedConfiguration
  /// The target versions in order. The last one is the version of the program, or an earlier one.
  let stages: [ResolvedStage]
  let url: URL
  let readers: Readers
  /// The backup that is made first; nil for none.
  var backup: MigrationBackup?
  /// The history that begins with the migration, if the file doesn't keep one.
  var newHistory: HistorySettings?

  /// An error for a file that another process changed between the decision and the lock.
  struct FileMoved: Error {}

  /// Creates or migrates.
  ///
  /// - Parameters:
  ///   - expected: The state on which the decision is based.
  ///   - startsOver: Whether the file is emptied first, in the same transaction.
  /// - Returns: A report, and the state of the file afterwards.
  /// - Throws: ``FileMoved``, ``BlockFailure``, ``RealmError`` or a `DatabaseError`. The file is
  ///   unchanged then.
  func migrate(
    _ writer: DatabaseQueue, expecting expected: FileState, startsOver: Bool = false
  ) throws -> (report: MigrationReport, state: FileState) {
    let start = ContinuousClock.now
    var (report, state) = try writer.writeWithoutTransaction { db in
      try withoutForeignKeys(db) {
        let monitor = MigrationMonitor(
          configuration.settings.migrationProgress, configuration.cancellation)
        return try monitor.watch(db) {
          try run(db, expecting: expected, startsOver: startsOver, monitor)
        }
      }
    }
    report.duration = ContinuousClock.now - start
    return (report, state)
  }

  /// Runs a closure in a transaction in which references may temporarily be dangling.
  ///
  /// SQLite ignores `foreign_keys` inside of a transaction. ``ForeignKeyCheck`` finds the
  /// references that the transaction broke.
  func withoutForeignKeys<Value>(
    _ db: Database, _ body: () throws -> Value
  ) throws -> Value {
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    var result = Result<Value, any Error>.failure(FileMoved())
    do {
      try db.inTransaction(.immediate) {
        result = .success(try body())
        return .commit
      }
    } catch {
      result = .failure(error)
    }
    let restored = Result { try db.execute(sql: "PRAGMA foreign_keys = ON") }
    // Throws the first failure: it is the cause of later ones.
    let value = try result.get()
    try restored.get()
    return value
  }

  /// Removes all tables of this library from the file. Tables of other programs remain.
  private func empty(_ db: Database, _ state: FileState) throws {
    let schema = state.schemaWithRetired
    for table in schema.textTables {
      try db.execute(sql: "DROP TABLE IF EXISTS \(SQLName.quote(table.name))")
    }
    for table in schema.objectSchema.flatMap(\.collectionTables) {
      try db.execute(sql: "DROP TABLE \(SQLName.quote(table.name))")
    }
    for schema in schema.objectSchema {
      try db.execute(sql: "DROP TABLE \(SQLName.quote(schema.className))")
    }
    try db.execute(sql: "DROP TABLE \(SQLName.quote(VersionTable.name))")
    try MigrationLedger.removeAll(db)
  }

  /// Reads the state again, now that no other connection can change it.
  func currentState(_ db: Database, _ expected: FileState) throws -> FileState {
    let state = try expected.now(db, at: url)
    guard state.version == expected.version, state.schemaJSON == expected.schemaJSON else {
      throw FileMoved()
    }
    if let version = state.version { try FileOrigins.recordCopy(version: version, db) }
    return state
  }

  /// Adds an origin if the file is a copy, before anything else is written to it.
  func recordCopy(_ writer: DatabaseQueue, expecting expected: FileState) throws {
    try change(writer, expecting: expected) { _, _ in }
  }

  /// Runs a closure in a transaction, with the state of the file.
  private func change(
    _ writer: DatabaseQueue, expecting expected: FileState,
    _ body: (Database, FileState) throws -> Void
  ) throws {
    try writer.inTransaction(.immediate) { db in
      try body(db, currentState(db, expected))
      return .commit
    }
  }

  private func run(
    _ db: Database, expecting expected: FileState, startsOver: Bool, _ monitor: MigrationMonitor
  ) throws -> (MigrationReport, FileState) {
    var state = try currentState(db, expected)
    if let backup, let version = state.version {
      let copying = configuration.observers?.begin(.backup, within: configuration.opening)
      try copying.measure {
        try readers.readSnapshot {
          try FileBackup.make(
            of: url, configuration.key, at: version, $0, backup, monitor)
        }
      }
    }
    // Created before all other tables, as GRDB's migrators do.
    try MigrationLedger.make(db, in: state.catalog)
    if startsOver {
      try empty(db, state)
      state = try FileState.read(db, at: url)
    }
    let check = DamageCheck(
      of: state.schema, readers, at: url,
      includesIndexes: configuration.settings.migrationIndexCheck)
    if configuration.settings.migrationIntegrityCheck { monitor.workListener = check.begin }
    do {
      let (report, left) = try runStages(db, state, monitor)
      if configuration.settings.migrationIntegrityCheck {
        try check.finish(Set(monitor.workedOn.map { report.origins[$0] ?? $0 }))
      }
      return (report, left)
    } catch {
      check.cancel()
      throw error
    }
  }

  private func runStages(
    _ db: Database, _ state: FileState, _ monitor: MigrationMonitor
  ) throws -> (MigrationReport, FileState) {
    var foreignKeys = try ForeignKeyCheck(db)
    let dependents = try DependentsCheck(db, state.catalog)
    var report = MigrationReport(from: state.version)
    report.danglingReferences = foreignKeys.dangling
    if !foreignKeys.isClean {
      try DanglingLinks.clear(of: state.schemaWithRetired, in: db)
      foreignKeys = try ForeignKeyCheck(db)
    }
    var left = (version: state.version ?? 0, schema: state.schemaJSON)
    var (schema, record, catalog) = (state.schema, state.record, state.catalog)
    let keepsHistory = state.history != nil
    for (index, stage) in stages.enumerated() {
      let version = report.to
      // Creating a file doesn't count as a migration.
      if let version {
        monitor.begin(stage: index + 1, of: stages.count, from: version, to: stage.version)
      }
      let runner = StageRunner(
        stage: stage.named(besides: schema), version: version, file: schema, record: record,
        db: db, readers: index == 0 ? readers : nil, monitor: monitor, configuration: configuration)
      let result = try runner.run()
      let before = schema
      record = result.record
      if version == nil, let plan = configuration.settings.migrationPlan {
        record.names = plan.names
      }
      schema = record.schema
      catalog = try result.catalog ?? .readWithoutColumns(db)
      var history = VersionTable.History(
        from: version, seconds: result.report.duration / .seconds(1), rows: result.report.rows)
      if stage.version == configuration.schemaVersion {
        history.oldestReader = configuration.settings.oldestReadingVersion
        history.oldestWriter = configuration.settings.oldestWritingVersion
      }
      let json = try VersionTable.record(
        db, version: stage.version, record, history: history, in: catalog)
      if !VersionTable.isComplete(in: catalog) { catalog = try .readWithoutColumns(db) }
      try MigrationLedger.enter(stage.version, db)
      left = (stage.version, json)
      if keepsHistory { try enter(result.report, from: before, to: schema, db) }
      report.stages.append(result.report)
    }
    try ForeignKeyCheck(db).compare(with: foreignKeys)
    try DependentsCheck(db, catalog).compare(with: dependents)
    if let newHistory, !keepsHistory {
      try begin(newHistory, version: left.version, record.schemaWithRetired, db)
      catalog = try .readWithoutColumns(db)
    }
    return (report, try FileState.of(left, catalog, db, at: url))
  }
}

extension Migrator {
  /// Sets the history settings of the file, and begins a history if necessary. Nil removes the
  /// history.
  func keepHistory(
    _ settings: HistorySettings?, _ writer: DatabaseQueue, expecting expected: FileState
  ) throws {
    try change(writer, expecting: expected) { db, state in
      if let settings {
        try begin(settings, version: configuration.schemaVersion, state.schemaWithRetired, db)
      } else {
        try HistoryTable.drop(db)
        db.clearSchemaCache()
        try HelperItems.make(of: state.schemaWithRetired, in: db)
      }
    }
  }

  /// Begins a history, or changes its settings, with the necessary triggers.
  private func begin(
    _ settings: HistorySettings, version: UInt64, _ schema: Schema, _ db: Database
  ) throws {
    try HistoryTable.keep(settings, version: version, db)
    db.clearSchemaCache()
    try HelperItems.make(of: schema, in: db)
  }

  /// Adds a stage to the history of the file. A stage that creates the file starts the history
  /// over.
  func enter(
    _ stage: MigrationReport.Stage, from before: Schema, to after: Schema, _ db: Database
  ) throws {
    guard stage.from != nil else { return try HistoryTable.startOver(version: stage.to, db) }
    let entry = stage.historyEntry(from: before, to: after)
    try HistoryTable.add(.migration, version: stage.to, changes: entry.text, db)
  }
}

extension MigrationReport {
  /// The names of classes before all stages, by their current names.
  fileprivate var origins: [String: String] {
    stages.flatMap(\.renamedClasses).reduce(into: [:]) { origins, renamed in
      origins[renamed.new] = origins[renamed.old] ?? renamed.old
    }
  }
}

extension Migrator {
  /// Adds missing classes, indexes, triggers and other items that need no higher version.
  func applyFreeChanges(
    of target: DiscoveredSchema, _ writer: DatabaseQueue, expecting expected: FileState
  ) throws {
    try change(writer, expecting: expected) { db, state in
      let version = configuration.schemaVersion
      let runner = OperationRunner(
        db, target, file: state.schema, state.record, from: version, to: version)
      let schema = try runner.change(
        runner.makeRoom(in: state.schema, for: target.schema), to: target.schema, phase: .noBlock)
      var record = runner.record
      record.schema = schema
      if state.history != nil { try HistoryTable.makeTables(version: version, db) }
      try HelperItems.make(of: record.schemaWithRetired, in: db)
      try configuration.logger.recordLookAlikes(
        from: state.schema, to: target.schema, kept: schema, db)
      try VersionTable.record(db, version: version, record)
    }
  }
}

extension Migrator {
  /// Calls the program's closure for the objects that older programs have written since the file
  /// has the program's version, in one transaction.
  ///
  /// - Throws: ``FileMoved``, ``BlockFailure``, ``RealmError`` or a `DatabaseError`. The file is
  ///   unchanged then.
  func adopt(
    _ adopt: MigrationBlock, by target: DiscoveredSchema, _ writer: DatabaseQueue,
    expecting expected: FileState
  ) throws {
    try writer.writeWithoutTransaction { db in
      try withoutForeignKeys(db) {
        let state = try currentState(db, expected)
        guard let oldest = try OlderWrites.oldestVersion(db), let version = state.version else {
          return
        }
        let foreignKeys = try ForeignKeyCheck(db)
        let runner = OperationRunner(
          db, target, file: state.schema, state.record, from: version, to: version)
        let physical = try readers.readSnapshot { old in
          let context = MigrationContext(
            old: old, new: db, oldSchema: state.schema, physical: state.schema,
            discovered: target, runner: runner, logger: configuration.logger)
          context.visitsOlderWrites = true
          return try context.run { try adopt(Migration(context), oldest) }
        }
        let schema = try runner.change(physical, to: target.schema, phase: .afterBlock)
        guard schema == state.schema else {
          throw RealmError(
            .fail,
            "'adoptsOlderWrites' has renamed or dropped properties or classes. Change objects only, "
              + "and raise the schema version for other changes.", fileURL: url)
        }
        try HelperItems.make(of: state.schemaWithRetired, in: db)
        try OlderWrites.removeAll(db)
        try ForeignKeyCheck(db).compare(with: foreignKeys)
        if state.history != nil { try enter(runner.report, from: schema, to: schema, db) }
      }
    }
  }
}
