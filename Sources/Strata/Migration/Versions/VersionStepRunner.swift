import GRDB
import Logging

/// Where a closure finds the objects as they were.
enum OldRows {
  /// In what is committed: another connection goes on seeing it.
  case committed(Readers)
  /// In a copy, because the steps before are not committed.
  case copied
}

/// Brings the tables of a file from one version to the next, inside of the transaction that is open.
struct VersionStepRunner {
  let step: VersionStep
  /// The version that the file is at; nil for a new one.
  let version: UInt64?
  /// What is in the file.
  let file: Schema
  let db: Database
  let oldRows: OldRows
  let monitor: MigrationMonitor
  let logger: Logger?

  /// - Returns: What is in the file then, and what was done.
  /// - Throws: ``Migrator/BlockFailure``, ``RealmError`` or a `DatabaseError`.
  func run() throws -> (schema: Schema, report: MigrationReport.Step) {
    let start = ContinuousClock.now
    let runner = StepRunner(
      db, step.target, file: file,
      report: MigrationReport.Step(from: version, to: step.version))
    runner.monitor = monitor
    runner.embeddingChoices = step.declarations.embeddings
    // By the names that classes have after the step.
    var before = renamedFile
    var carried: Set<String> = []
    let schema: Schema
    if let version, let block = step.block, step.runsClosure {
      let physical = try withOldRows { old in
        let context = makeContext(old, runner)
        let physical = try context.run(block, from: version)
        before = context.start
        carried = context.carried
        try lossCheck(from: before, context.replaced).check(old, carried: carried) {
          context.fileName(of: $0) ?? $0
        }
        try runner.accounts.countBefore(
          context.involvedClasses.union(classesAtRisk(from: before)), old,
          oldName: context.fileName)
        return physical
      }
      schema = try runner.change(physical, to: step.target, phase: .afterBlock)
    } else {
      // Nobody asks for old objects: what must be known of them is asked now.
      if version != nil {
        try lossCheck(from: before, step.declarations.replaced(in: file)).check(db) {
          tables.table(of: $0) ?? $0
        }
      }
      try runner.accounts.countBefore(
        classesAtRisk(from: before), db, oldName: tables.table)
      var physical = file
      if let version, let block = step.block {
        physical = try makeContext(db, runner).run(block, from: version)
      }
      schema = try runner.change(physical, to: step.target, phase: .noBlock)
    }
    try deleteChildren(schema, before)
    try runner.makeTriggers(of: schema)
    try logger?.noteLookAlikes(
      from: before, to: step.target.schema, kept: schema, carried: carried, db)
    var report = runner.report
    report.classes = try runner.accounts.balance(
      schema, wereEmbedded: Set(before.embeddedClasses.map(\.className)), db)
    report.duration = ContinuousClock.now - start
    return (schema, report)
  }

  private func makeContext(_ old: Database, _ runner: StepRunner) -> MigrationContext {
    MigrationContext(
      old: old, new: db, oldSchema: file, discovered: step.target, runner: runner, logger: logger)
  }

  /// What is in the file, by the names that the step declares for after it.
  private var renamedFile: Schema { step.declarations.renamed(file) }

  /// The tables that classes have in the file, by the names that the step declares.
  private var tables: Provenance {
    var tables = Provenance(of: file)
    tables.rename(step.declarations)
    return tables
  }

  /// The classes of embedded objects whose holders may go with the step, or with their class, and
  /// those that become embedded ones: objects of them may be deleted, or copied.
  ///
  /// - Parameter before: The schema before the step, by the names that classes have after it.
  private func classesAtRisk(from before: Schema) -> Set<String> {
    let changes = SchemaDiff.changes(from: before, to: step.target.schema)
    let converted = changes.compactMap { change -> String? in
      if case .changeKind(let name, _) = change { name } else { nil }
    }
    let dropped = step.declarations.dropped.filter { step.target.schema[$0] == nil }
    let direct = before.classesLosingHolders(changes, in: step.target.schema).union(converted)
    // What is inside of objects goes with them.
    return direct.union(direct.union(dropped).flatMap(before.classesInside))
  }

  /// - Parameters:
  ///   - before: The schema before the step, by the names that classes have after it.
  ///   - replaced: The properties whose names others took.
  private func lossCheck(from before: Schema, _ replaced: [PossibleLoss]) -> LossCheck {
    let losses = PossibleLoss.all(from: before, to: step.target.schema)
    let more = replaced.filter { loss in !losses.contains { $0.name == loss.name } }
    return LossCheck(
      losses: step.isStrict ? losses + more : [], version: step.version,
      allowed: step.declarations.dropped)
  }

  /// Embedded objects go with the properties that held them, also when their class leaves too.
  private func deleteChildren(_ schema: Schema, _ before: Schema) throws {
    let changes = SchemaDiff.changes(from: before, to: step.target.schema)
    let classes = before.classesLosingHolders(changes, in: step.target.schema)
    for target in schema.embeddedClasses where classes.contains(target.className) {
      try EmbeddedConversion(db: db, schema: schema, target: target, choice: EmbeddingChoice())
        .deleteOrphans()
    }
  }

  /// Gives a connection that goes on seeing the file as it was before the step.
  private func withOldRows<Value>(_ body: (Database) throws -> Value) throws -> Value {
    switch oldRows {
    case .committed(let readers): try readers.readSnapshot(body)
    case .copied: try RowsCopy(of: file, in: db).read(body)
    }
  }
}

extension Readers {
  /// Gives a connection that goes on seeing the file as it is at this moment.
  ///
  /// It must be done before the commit: while it reads, the log of the file can't be emptied.
  func readSnapshot<Value>(_ body: (Database) throws -> Value) throws -> Value {
    let queue = try borrow()
    defer { giveBack(queue) }
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

extension StepRunner {
  /// Plans and makes the changes of one phase; returns what is in the file then.
  func change(
    _ physical: Schema, to target: DiscoveredSchema, phase: MigrationPlanner.Phase
  ) throws -> Schema {
    let changes = SchemaDiff.changes(from: physical, to: target.schema)
    let defaults = try ModelDefaults(of: changes, target)
    let plan = MigrationPlanner.plan(
      from: physical, to: target.schema, phase: phase, defaults: defaults.value)
    try run(plan.steps)
    return plan.schema
  }
}
