import Foundation
import Strata

/// A change of a file that must happen completely or not at all.
struct Job: Sendable {
  /// Makes the file as it is before.
  var prepare: @Sendable (_ file: URL) throws -> Void
  /// Makes the change, and closes the file.
  var run: @Sendable (_ file: URL) throws -> Void

  static let all: [String: Job] = [
    "migrate": .migrate, "migrate-no-block": .migrateWithoutBlock, "migrate-many": .migrateMany,
    "write": .write,
    "write-keeping-open": .writeKeepingOpen,
    "create": .create, "free-changes": .freeChanges, "start-over": .startOver,
    "compact": .compact, "rehearse": .rehearse, "seed": .seed, "race": .race,
    "race-for-seed": .raceForSeed,
    "consume": .consume, "begin-history": .beginHistory,
    "convert": .convert, "race-to-convert": .raceToConvert,
    "old-writer": .oldWriter, "old-reader": .oldReader, "new-writer": .newWriter,
    "open-and-write": .openAndWrite, "migrate-again": .migrateAgain,
    "fail-in-block": .failInBlock, "fail-without-migration": .failWithoutMigration,
    "fail-on-damage": .failOnDamage, "write-again": .writeAgain,
    "write-beside-readers": .writeBesideReaders, "leak-on-purpose": .leakOnPurpose,
    "open-write-close": .openWriteClose, "open-in-memory": .openInMemory,
  ].merging(looks) { job, _ in job }.merging(asAnotherUser) { job, _ in job }
    .merging(promising) { job, _ in job }
    .merging(perturbed) { job, _ in job }.merging(ownWrites) { job, _ in job }.merging(failover) {
      job, _ in job
    }.merging(replicated) {
      job, _ in job
    }.merging(releases) {
      job, _ in job
    }.merging(replicas) {
      job, _ in job
    }.merging(
      commitsBeside
    ) { job, _ in job }.merging(historyRaces) { job, _ in job }.merging(checkpoints) { job, _ in job
    }
}

extension Job {
  /// The closure edits, creates and deletes; every kind of change of a class occurs.
  static let migrate = Job(prepare: makeOldFile) { file in
    _ = try Realm(configuration: After.configuration(file))
  }

  /// Properties and classes come and go, and nothing else is asked for.
  static let migrateWithoutBlock = Job(prepare: makeOldFile) { file in
    _ = try Realm(
      configuration: Realm.Configuration(
        fileURL: file, schemaVersion: 1, objectTypes: Small.types))
  }

  /// Rows are written while the closure goes on.
  static let migrateMany = Job(prepare: Many.fill, run: Many.migrate)

  static let create = Job(prepare: { _ in }) { file in
    _ = try Realm(configuration: After.configuration(file))
  }

  /// New classes and indexes, which need no higher version.
  static let freeChanges = Job(prepare: makeOldFile) { file in
    _ = try Realm(
      configuration: Realm.Configuration(fileURL: file, objectTypes: Before.types + Small.extra))
  }

  static let startOver = Job(prepare: makeOldFile) { file in
    var configuration = After.configuration(file)
    configuration.deleteRealmIfMigrationNeeded = true
    _ = try Realm(configuration: configuration)
  }

  /// The copy is beside the file, where a test looks for remains.
  static let rehearse = Job(prepare: makeOldFile) { file in
    _ = try Realm.rehearseMigration(
      for: After.configuration(file), in: file.deletingLastPathComponent())
  }

  static let compact = Job(
    prepare: { file in
      try makeOldFile(file)
      let realm = try Realm(configuration: Before.configuration(file))
      try realm.write { realm.delete(realm.objects(Before.Account.self)) }
    },
    run: { file in
      var configuration = Before.configuration(file)
      configuration.shouldCompactOnLaunch = { _, _ in true }
      _ = try Realm(configuration: configuration)
    })

  /// The file is a copy of another one.
  static let seed = Job(prepare: { file in try makeOldFile(seed(of: file)) }) { file in
    var configuration = Before.configuration(file)
    configuration.seedFilePath = seed(of: file)
    _ = try Realm(configuration: configuration)
  }

  private static func seed(of file: URL) -> URL {
    file.deletingLastPathComponent().appendingPathComponent("seed")
  }

  @Sendable private static func makeOldFile(_ file: URL) throws {
    try Before.fill(Realm(configuration: Before.configuration(file)))
  }
}

extension Before {
  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(fileURL: file, objectTypes: types)
  }
}

extension After {
  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: file, schemaVersion: 1, migrationBlock: migrate, objectTypes: types)
  }
}
