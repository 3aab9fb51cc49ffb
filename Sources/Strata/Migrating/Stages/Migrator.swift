import Foundation
import GRDB
import StrataStorage
import Synchronization

/// Brings a file from version to version, in one transaction.
struct Migrator: Sendable {
  let configuration: ResolvedConfiguration
  /// The versions to come to, in their order; the last is that of the program, or one before it.
  let stages: [ResolvedStage]
  let url: URL
  let readers: Readers
  /// How the file is copied first; nil for not at all.
  var backup: MigrationBackup?

  /// Thrown when the file changed between the decision and the lock: another process was faster.
  struct FileMoved: Error {}

  /// Creates or migrates.
  ///
  /// - Parameters:
  ///   - expected: The state that the decision was made on.
  ///   - startsOver: Whether the file is emptied first, in the same transaction.
  /// - Throws: ``FileMoved``, ``BlockFailure``, ``RealmError`` or a `DatabaseError`; the file is as
  ///   it was then.
  func migrate(
    _ writer: DatabaseQueue, expecting expected: FileState, startsOver: Bool = false
  ) throws -> MigrationReport {
    // SQLite ignores `foreign_keys` inside of a transaction: GRDB turns them off before it begins.
    // It would check the whole file afterwards and fail on old violations; ``ForeignKeyCheck``
    // looks for new ones.
    var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
    let names = try writer.read { [migrator] db in try identifiers(db, migrator) }
    guard let last = names.last else { throw FileMoved() }
    let hasBegun = Atomic(false)
    let result = Mutex<MigrationReport?>(nil)
    migrator.registerMigration(last) { db in
      hasBegun.store(true, ordering: .relaxed)
      let monitor = MigrationMonitor(
        configuration.settings.migrationProgress, configuration.cancellation)
      let report = try monitor.watch(db) {
        try run(db, expecting: expected, startsOver: startsOver, monitor)
      }
      // GRDB notes the one it runs; the others are in the same transaction.
      for identifier in names.dropLast() {
        try db.execute(
          sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [identifier])
      }
      result.withLock { $0 = report }
    }
    let start = ContinuousClock.now
    do {
      try migrator.migrate(writer)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      guard !hasBegun.load(ordering: .relaxed) else { throw error }
      // GRDB looks for its ledger in two queries outside of a transaction: another process may have
      // made it between them. Then it can be read now.
      _ = try writer.read { [migrator] db in try ledger(db, migrator) }
      throw FileMoved()
    }
    guard var report = result.withLock({ $0 }) else { throw FileMoved() }
    report.duration = ContinuousClock.now - start
    return report
  }

  /// The names of the stages in GRDB's ledger, where each name occurs once.
  private func identifiers(_ db: Database, _ migrator: DatabaseMigrator) throws -> [String] {
    var taken = try ledger(db, migrator)
    return stages.map { stage in
      let name = "\(VersionTable.ledgerPrefix)\(stage.version)"
      var candidate = name
      var number = 2
      while !taken.insert(candidate).inserted {
        candidate = "\(name) (\(number))"
        number += 1
      }
      return candidate
    }
  }

  /// What is in GRDB's ledger.
  ///
  /// GRDB asks in two queries whether there is one. A query before them gives both the same
  /// snapshot: another process may be making the ledger.
  private func ledger(_ db: Database, _ migrator: DatabaseMigrator) throws -> Set<String> {
    let hasLedger = try Bool.fetchOne(
      db, sql: "SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'grdb_migrations'")
    return hasLedger == true ? try migrator.appliedIdentifiers(db) : []
  }

  /// Removes everything of this library from the file.
  ///
  /// What other programs keep in the file stays.
  private func empty(_ db: Database, _ state: FileState) throws {
    for table in state.schema.textTables {
      try db.execute(sql: "DROP TABLE IF EXISTS \(SQLName.quote(table.name))")
    }
    for table in state.schema.objectSchema.flatMap(\.collectionTables) {
      try db.execute(sql: "DROP TABLE \(SQLName.quote(table.name))")
    }
    for schema in state.schema.objectSchema {
      try db.execute(sql: "DROP TABLE \(SQLName.quote(schema.className))")
    }
    try db.execute(sql: "DROP TABLE \(SQLName.quote(VersionTable.name))")
    try db.execute(
      sql: "DELETE FROM grdb_migrations WHERE substr(identifier, 1, ?) = ?",
      arguments: [VersionTable.ledgerPrefix.count, VersionTable.ledgerPrefix])
  }

  /// Reads the state again, now that no other connection can change it.
  private func currentState(_ db: Database, _ expected: FileState) throws -> FileState {
    db.clearSchemaCache()
    let state = try FileState.read(db, at: url)
    guard state.version == expected.version, state.schemaJSON == expected.schemaJSON else {
      throw FileMoved()
    }
    return state
  }

  private func run(
    _ db: Database, expecting expected: FileState, startsOver: Bool, _ monitor: MigrationMonitor
  ) throws -> MigrationReport {
    var state = try currentState(db, expected)
    if let backup, let version = state.version {
      let copying = configuration.observers?.begin(.backup, within: configuration.opening)
      try copying.ends {
        try readers.readSnapshot {
          try FileBackup.make(
            of: url, configuration.key, at: version, $0, backup, monitor)
        }
      }
    }
    if startsOver {
      try empty(db, state)
      state = try FileState.read(db, at: url)
    }
    let check = DamageCheck(
      of: state.schema, readers, at: url,
      includesIndexes: configuration.settings.migrationIndexCheck)
    if configuration.settings.migrationIntegrityCheck { monitor.workListener = check.begin }
    do {
      let report = try runStages(db, state, monitor)
      if configuration.settings.migrationIntegrityCheck {
        try check.finish(Set(monitor.workedOn.map { report.origins[$0] ?? $0 }))
      }
      return report
    } catch {
      check.cancel()
      throw error
    }
  }

  private func runStages(
    _ db: Database, _ state: FileState, _ monitor: MigrationMonitor
  ) throws -> MigrationReport {
    var foreignKeys = try ForeignKeyCheck(db)
    let dependents = try DependentsCheck(db, state)
    var report = MigrationReport(from: state.version)
    report.danglingReferences = foreignKeys.dangling
    if !foreignKeys.isClean {
      try DanglingLinks.clear(of: state.schema, in: db)
      foreignKeys = try ForeignKeyCheck(db)
    }
    var schema = state.schema
    let keepsHistory = state.history != nil
    for (index, stage) in stages.enumerated() {
      let version = report.to
      // Creating a file is not a migration.
      if let version {
        monitor.begin(stage: index + 1, of: stages.count, from: version, to: stage.version)
      }
      let runner = StageRunner(
        stage: stage, version: version, file: schema, db: db,
        oldRows: index == 0 ? .committed(readers) : .copied(configuration.key), monitor: monitor,
        logger: configuration.logger)
      let result = try runner.run()
      let before = schema
      schema = result.schema
      try VersionTable.record(
        db, version: stage.version, schema: schema,
        history: VersionTable.History(
          from: version, seconds: result.report.duration / .seconds(1), rows: result.report.rows))
      if keepsHistory { try enter(result.report, from: before, to: schema, db) }
      report.stages.append(result.report)
    }
    try ForeignKeyCheck(db).compare(with: foreignKeys)
    try DependentsCheck(db).compare(with: dependents)
    return report
  }
}

extension Migrator {
  /// Gives the history of the file settings, which begins if there is none; nil ends it.
  func keepHistory(
    _ settings: HistorySettings?, _ writer: DatabaseQueue, expecting expected: FileState
  ) throws {
    try writer.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        let state = try currentState(db, expected)
        if let settings {
          try HistoryTable.keep(settings, version: configuration.schemaVersion, db)
        } else {
          try HistoryTable.drop(db)
        }
        db.clearSchemaCache()
        try HelperItems.make(of: state.schema, in: db)
        return .commit
      }
    }
  }

  /// Adds a stage to the history of the file. A stage that creates the file begins the history
  /// anew.
  private func enter(
    _ stage: MigrationReport.Stage, from before: Schema, to after: Schema, _ db: Database
  ) throws {
    guard stage.from != nil else { return try HistoryTable.startOver(version: stage.to, db) }
    let entry = stage.historyEntry(from: before, to: after)
    try HistoryTable.add(.migration, version: stage.to, changes: entry.text, db)
  }
}

extension MigrationReport {
  /// By the names that classes have now, those before all stages.
  fileprivate var origins: [String: String] {
    stages.flatMap(\.renamedClasses).reduce(into: [:]) { origins, renamed in
      origins[renamed.new] = origins[renamed.old] ?? renamed.old
    }
  }
}

extension Migrator {
  /// New classes and indexes, triggers and what else may be missing, at the same version.
  func applyFreeChanges(
    of target: DiscoveredSchema, _ writer: DatabaseQueue, expecting expected: FileState
  ) throws {
    try writer.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        let state = try currentState(db, expected)
        let version = configuration.schemaVersion
        let runner = OperationRunner(
          db, target, file: state.schema,
          report: MigrationReport.Stage(from: version, to: version))
        let schema = try runner.change(
          runner.makeRoom(in: state.schema, for: target.schema), to: target.schema, phase: .noBlock)
        if state.history != nil { try HistoryTable.makeTables(version: version, db) }
        try HelperItems.make(of: schema, in: db)
        try configuration.logger.noteLookAlikes(
          from: state.schema, to: target.schema, kept: schema, db)
        try VersionTable.record(db, version: version, schema: schema)
        return .commit
      }
    }
  }
}
