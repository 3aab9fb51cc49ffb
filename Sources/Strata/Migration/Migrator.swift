import Foundation
import GRDB
import Synchronization

/// Brings a file to the program's schema, in one transaction.
struct Migrator: Sendable {
  let request: OpenRequest
  let discovered: DiscoveredSchema
  let url: URL
  let readers: Readers

  /// Thrown when the file changed between the decision and the lock: somebody else was faster.
  struct FileMoved: Error {}

  /// Thrown around what the user's block threw, so that it can be told from the library's own
  /// errors.
  struct BlockFailure: Error {
    let error: any Error
  }

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
    do {
      return try migrateOnce(writer, expecting: expected, startsOver: startsOver)
    } catch let error as DatabaseError where error.message == "no such table: grdb_migrations" {
      // GRDB looks for its ledger in two queries: another process made it between them.
      throw FileMoved()
    }
  }

  private func migrateOnce(
    _ writer: DatabaseQueue, expecting expected: FileState, startsOver: Bool
  ) throws -> MigrationReport {
    let result = Mutex<MigrationReport?>(nil)
    // SQLite ignores `foreign_keys` inside of a transaction: GRDB turns them off before it begins.
    // It would check the whole file afterwards and fail on old violations; ``ForeignKeyCheck``
    // looks for new ones.
    var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
    let identifier = try writer.read { db in try self.identifier(db, migrator) }
    migrator.registerMigration(identifier) { db in
      let report = try run(db, expecting: expected, startsOver: startsOver)
      result.withLock { $0 = report }
    }
    let start = ContinuousClock.now
    try migrator.migrate(writer)
    guard var report = result.withLock({ $0 }) else { throw FileMoved() }
    report.duration = ContinuousClock.now - start
    return report
  }

  /// The name of the migration in GRDB's ledger, where each name occurs once.
  private func identifier(_ db: Database, _ migrator: DatabaseMigrator) throws -> String {
    let applied = try migrator.appliedIdentifiers(db)
    let name = "\(Self.identifierPrefix)\(request.schemaVersion)"
    var candidate = name
    var number = 2
    while applied.contains(candidate) {
      candidate = "\(name) (\(number))"
      number += 1
    }
    return candidate
  }

  static let identifierPrefix = "strata schema version "

  /// New classes and indexes at the same version.
  func applyFreeChanges(_ writer: DatabaseQueue, expecting expected: FileState) throws {
    try writer.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        let state = try currentState(db, expected)
        let runner = StepRunner(
          db, discovered, file: state.schema, report: MigrationReport(to: request.schemaVersion))
        let schema = try change(db, state.schema, phase: .noBlock, runner)
        try runner.makeTriggers(of: schema)
        try VersionTable.record(db, version: request.schemaVersion, schema: schema)
        return .commit
      }
    }
  }

  /// Removes everything of this library from the file.
  ///
  /// What other programs keep in the file stays.
  private func empty(_ db: Database, _ state: FileState) throws {
    for table in state.schema.objectSchema.flatMap(\.collectionTables) {
      try db.execute(sql: "DROP TABLE \(SQLName.quote(table.name))")
    }
    for schema in state.schema.objectSchema {
      try db.execute(sql: "DROP TABLE \(SQLName.quote(schema.className))")
    }
    try db.execute(sql: "DROP TABLE \(SQLName.quote(VersionTable.name))")
    try db.execute(
      sql: "DELETE FROM grdb_migrations WHERE substr(identifier, 1, ?) = ?",
      arguments: [Self.identifierPrefix.count, Self.identifierPrefix])
  }

  /// Reads the state again now that nobody else can change it.
  private func currentState(_ db: Database, _ expected: FileState) throws -> FileState {
    db.clearSchemaCache()
    let state = try FileState.read(db, at: url)
    guard state.version == expected.version, state.schemaJSON == expected.schemaJSON else {
      throw FileMoved()
    }
    return state
  }

  private func run(
    _ db: Database, expecting expected: FileState, startsOver: Bool
  ) throws -> MigrationReport {
    var state = try currentState(db, expected)
    if startsOver {
      try empty(db, state)
      state = try FileState.read(db, at: url)
    }
    var foreignKeys = try ForeignKeyCheck(db)
    let dependents = try DependentsCheck(db)
    let runner = StepRunner(
      db, discovered, file: state.schema,
      report: MigrationReport(from: state.version, to: request.schemaVersion))
    if !foreignKeys.isClean {
      try runner.clearDanglingLinks(of: state.schema)
      foreignKeys = try ForeignKeyCheck(db)
    }
    let schema: Schema
    if let version = state.version, let block = request.migrationBlock {
      let physical = try withOldRows { old in
        let context = MigrationContext(
          old: old, new: db, oldSchema: state.schema, discovered: discovered, runner: runner,
          logger: request.logger)
        return try context.run(block, from: version)
      }
      schema = try change(db, physical, phase: .afterBlock, runner)
    } else {
      schema = try change(db, state.schema, phase: .noBlock, runner)
    }
    try deleteChildren(db, ofPropertiesIn: state.schema, schema)
    try runner.makeTriggers(of: schema)
    try ForeignKeyCheck(db).compare(with: foreignKeys)
    try DependentsCheck(db).compare(with: dependents)
    try VersionTable.record(db, version: request.schemaVersion, schema: schema)
    return runner.report
  }

  /// Plans and makes the changes of one phase; returns what is in the file then.
  private func change(
    _ db: Database, _ physical: Schema, phase: MigrationPlanner.Phase, _ runner: StepRunner
  ) throws -> Schema {
    let changes = SchemaDiff.changes(from: physical, to: discovered.schema)
    let defaults = try ModelDefaults(of: changes, discovered)
    let plan = MigrationPlanner.plan(
      from: physical, to: discovered.schema, phase: phase, defaults: defaults.value)
    try runner.run(plan.steps)
    return plan.schema
  }

  /// Embedded objects go with the properties that held them.
  private func deleteChildren(
    _ db: Database, ofPropertiesIn old: Schema, _ schema: Schema
  ) throws {
    var classes: Set<String> = []
    for change in SchemaDiff.changes(from: old, to: discovered.schema) {
      switch change {
      case .removeProperty(_, let property), .changeType(_, let property, _):
        guard property.type == .object, let name = property.objectClassName,
          old[name]?.isEmbedded == true, discovered.schema[name]?.isEmbedded == true
        else { continue }
        classes.insert(name)
      default: continue
      }
    }
    for target in schema.embeddedClasses where classes.contains(target.className) {
      try EmbeddedConversion(db: db, schema: schema, target: target, choice: EmbeddingChoice())
        .deleteOrphans()
    }
  }

  /// Gives a connection that goes on seeing the file as it was before the migration.
  ///
  /// It must be done before the commit: while it reads, the log of the file can't be emptied.
  private func withOldRows<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let queue = try readers.borrow()
    defer { readers.giveBack(queue) }
    return try queue.unsafeRead { old in
      old.clearSchemaCache()
      try old.beginTransaction(.deferred)
      let result = Result {
        // The first read is what fixes the moment; nobody can have committed since the lock.
        _ = try Int.fetchOne(old, sql: "SELECT count(*) FROM sqlite_schema")
        return try body(old)
      }
      try old.rollback()
      return try result.get()
    }
  }
}
