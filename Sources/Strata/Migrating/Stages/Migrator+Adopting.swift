import GRDB
import StrataStorage

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
          db, target, file: state.schema,
          report: MigrationReport.Stage(from: version, to: version))
        runner.retired = state.record.retired
        runner.perObject = state.record.perObject
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
