import GRDB
import Logging
import StrataSchema
import StrataStorage

/// A migration of a file's tables from one version to the next, inside of an open transaction.
struct StageRunner {
  let stage: ResolvedStage
  /// The current version of the file; nil for a new one.
  let version: UInt64?
  /// The current schema of the file.
  let file: Schema
  /// The record of the current version.
  let record: SchemaRecord
  let db: Database
  /// The readers of the committed file; nil if it isn't the file before the stage.
  let readers: Readers?
  let monitor: MigrationMonitor
  let configuration: ResolvedConfiguration

  /// Whether removed properties stay in the file for older programs.
  private var retires: Bool { configuration.settings.retiresRemovedProperties }

  /// - Returns: The record of the version, the catalog of the file if read last, and the report.
  func run() throws -> (record: SchemaRecord, catalog: Catalog?, report: MigrationReport.Stage) {
    let start = ContinuousClock.now
    let runner = OperationRunner(
      db, stage.target, file: file, record, from: version, to: stage.version)
    runner.monitor = monitor
    runner.embeddingChoices = stage.declarations.embeddings
    if retires, version != nil { runner.retiring = stage.version }
    runner.droppedProperties = stage.declarations.dropped
    let (before, schema, carried) =
      if let version, case .closure(let block) = stage.work {
        try runClosure(block, from: version, runner)
      } else {
        try runDeclarations(runner)
      }
    var record = runner.record
    record.schema = schema
    record.names = runner.report.names
    try deleteChildren(record, before)
    let catalog = try HelperItems.make(of: record.schemaWithRetired, in: db)
    try configuration.logger.recordLookAlikes(
      from: before, to: stage.target.schema, kept: schema, carried: carried, db)
    var report = runner.report
    report.classes = try runner.accounts.balance(
      schema, wereEmbedded: Set(before.embeddedClasses.map(\.className)), db)
    report.duration = ContinuousClock.now - start
    return (record, catalog, report)
  }

  /// The old schema, by the names that classes have after the stage; the current schema; and the
  /// properties whose values a closure has read, renamed or deleted.
  private typealias Outcome = (before: Schema, schema: Schema, carried: Set<String>)

  /// Runs a block that reads the old objects.
  private func runClosure(
    _ block: MigrationBlock, from version: UInt64, _ runner: OperationRunner
  ) throws -> Outcome {
    let (before, physical, carried) = try withOldRows { old in
      let room = try runner.makeRoom(in: file, for: stage.target.schema)
      let context = makeContext(old, file, room, runner)
      let physical = try context.run { try block(Migration(context), version) }
      let (before, notes) = (context.classes.start, context.notes)
      try lossCheck(from: before, notes.replaced).check(old, carried: notes.carried) {
        context.classes.fileName(of: $0) ?? $0
      }
      try runner.accounts.countBefore(
        context.involvedClasses.union(classesAtRisk(from: before)), old,
        oldName: context.classes.fileName)
      return (before, physical, notes.carried)
    }
    let schema = try runner.change(physical, to: stage.target.schema, phase: .afterBlock)
    return (before, schema, carried)
  }

  /// Runs the declarations of the stage. No closure reads old objects, so the required counts are
  /// taken first.
  private func runDeclarations(_ runner: OperationRunner) throws -> Outcome {
    let before = stage.declarations.renamed(file)
    if version != nil {
      try lossCheck(from: before, stage.declarations.replaced(in: file)).check(db) {
        tables.table(of: $0) ?? $0
      }
    }
    try runner.accounts.countBefore(classesAtRisk(from: before), db, oldName: tables.table)
    var physical = try runner.makeRoom(in: file, for: stage.target.schema)
    if let version, case .declared(let block) = stage.work {
      let context = makeContext(db, physical, physical, runner)
      physical = try context.run { try block(Migration(context), version) }
    }
    let schema = try runner.change(physical, to: stage.target.schema, phase: .noBlock)
    return (before, schema, [])
  }

  private func makeContext(
    _ old: Database, _ oldSchema: Schema, _ physical: Schema, _ runner: OperationRunner
  ) -> MigrationContext {
    MigrationContext(
      old: old, new: db, oldSchema: oldSchema, physical: physical, discovered: stage.target,
      runner: runner, logger: configuration.logger)
  }

  /// The tables of classes in the file, by the names that the stage declares.
  private var tables: Provenance {
    var tables = Provenance(of: file)
    tables.rename(stage.declarations)
    return tables
  }

  /// Returns the embedded classes whose objects may be deleted or copied: because the stage drops
  /// their parents or their class, or because they become embedded.
  ///
  /// - Parameter before: The schema before the stage, by the names that classes have after it.
  private func classesAtRisk(from before: Schema) -> Set<String> {
    let changes = SchemaDiff.changes(from: before, to: stage.target.schema)
    let converted = changes.compactMap { change -> String? in
      if case .changeKind(let name, _) = change { name } else { nil }
    }
    let dropped = stage.declarations.dropped.filter { stage.target.schema[$0] == nil }
    let direct = before.classesLosingHolders(changes, in: stage.target.schema).union(converted)
    // Objects are deleted together with the objects embedded in them.
    return direct.union(direct.union(dropped).flatMap(before.classesInside))
  }

  /// - Parameters:
  ///   - before: The schema before the stage, by the names that classes have after it.
  ///   - replaced: The properties whose names other properties have taken.
  private func lossCheck(from before: Schema, _ replaced: [PossibleLoss]) -> LossCheck {
    let losses = PossibleLoss.all(from: before, to: stage.target.schema).filter {
      !retires || $0.replacement != nil
    }
    let more = replaced.filter { loss in !losses.contains { $0.name == loss.name } }
    return LossCheck(
      losses: stage.isStrict ? losses + more : [], version: stage.version,
      allowed: stage.declarations.dropped)
  }

  /// Deletes embedded objects whose properties were dropped, also if their class leaves the
  /// program.
  private func deleteChildren(_ record: SchemaRecord, _ before: Schema) throws {
    let changes = SchemaDiff.changes(from: before, to: stage.target.schema).filter { change in
      guard case .removeProperty(let name, let property) = change else { return true }
      return !record.retired.contains {
        $0.className == name && $0.property.columnName == property.columnName
      }
    }
    let classes = before.classesLosingHolders(changes, in: stage.target.schema)
    let schema = record.schemaWithRetired
    for target in schema.embeddedClasses where classes.contains(target.className) {
      try EmbeddedConversion(db: db, schema: schema, target: target, choice: EmbeddingChoice())
        .deleteOrphans()
    }
  }

  /// Provides a connection that still sees the file from before the stage.
  private func withOldRows<Value>(_ body: (Database) throws -> Value) throws -> Value {
    if let readers { return try readers.readSnapshot(body) }
    return try TemporaryRows(of: file, in: db, configuration.key).read(body)
  }
}

extension OperationRunner {
  /// Creates a runner for the classes of the program, with the properties of a file's record.
  convenience init(
    _ db: Database, _ discovered: DiscoveredSchema, file: Schema, _ record: SchemaRecord,
    from version: UInt64?, to newVersion: UInt64
  ) {
    self.init(
      db, target: discovered.schema, classes: discovered.classes, file: file,
      report: MigrationReport.Stage(from: version, to: newVersion))
    self.record = record
  }
}

extension ClassInfo: ModelClass {
  func defaultValues(_ slots: [_PropertySlot]) throws(RealmError) -> [StoredValue] {
    let object = type.init()
    var values: [StoredValue] = []
    for slot in slots { values.append(try storedValue(slot, of: object)) }
    return values
  }
}
