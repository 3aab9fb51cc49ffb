package import Foundation
import GRDB
import StrataStorage

/// A creator of files of versions for which the program has no classes.
package enum FrozenFile {
  /// Creates a file, and calls a closure that creates its objects.
  ///
  /// - Throws: ``RealmError`` for an existing file, an invalid schema, or an invalid object, or the
  ///   error of the closure. No file is left then.
  package static func create(
    at url: URL, _ frozen: FrozenSchema, _ body: (Migration) throws -> Void
  ) throws {
    guard try StoreFile.inspect(url, forWriting: true) == .nothing else {
      throw RealmError(
        .fileOperationFailed, "There is a file at path '\(url.path)' already. Delete it first.",
        fileURL: url)
    }
    guard let version = UInt64(exactly: frozen.version) else {
      throw RealmError(.fail, "Version \(frozen.version) is less than 0.", fileURL: url)
    }
    let target = try DiscoveredSchema(frozen: frozen.schema)
    do {
      try create(at: url, ResolvedStage(version: version, target: target), body)
    } catch {
      for file in StoreFile.companions(of: url)
      where FileManager.default.fileExists(atPath: file.path) {
        try FileManager.default.removeItem(at: file)
      }
      if let failure = error as? BlockFailure { throw failure.error }
      throw error
    }
  }

  private static func create(
    at url: URL, _ stage: ResolvedStage, _ body: (Migration) throws -> Void
  ) throws {
    let queue = try Connections.openWriter(url, nil, busyTimeout: BusyTimeout())
    let readers = Readers(url, nil, for: .store)
    defer { readers.close() }
    let configuration = try ResolvedConfiguration(
      RealmConfiguration(fileURL: url, schemaVersion: stage.version))
    let migrator = Migrator(
      configuration: configuration, stages: [stage], url: url, readers: readers)
    _ = try migrator.migrate(queue, expecting: .missing)
    try queue.writeWithoutTransaction { db in
      try migrator.withoutForeignKeys(db) {
        let schema = stage.target.schema.stored
        let runner = OperationRunner(
          db, stage.target, file: schema, SchemaRecord(schema), from: stage.version,
          to: stage.version)
        let context = MigrationContext(
          old: db, new: db, oldSchema: schema, physical: schema, discovered: stage.target,
          runner: runner, logger: nil)
        let physical = try context.run { try body(Migration(context)) }
        let made = try runner.change(physical, to: stage.target.schema, phase: .afterBlock)
        try HelperItems.make(of: made, in: db)
      }
      // Leaves a single file without a WAL.
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try queue.close()
  }
}
