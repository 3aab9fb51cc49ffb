import Foundation
import GRDB
public import Strata
import StrataSchema
import Synchronization

extension SchemaFixtures {
  /// Migrates a copy of each frozen database to the newest version, in every way of opening, and
  /// checks the result:
  ///
  /// - The file has the newest version, and the tables, columns, references, indexes and triggers
  ///   of a new file.
  /// - SQLite finds no problems, and neither does `Realm.problems(for:)`.
  /// - Each object is accounted for: a class that the migration did not change has the same number
  ///   of objects as before, the others have the number in the report.
  /// - All ways result in the same contents. With a plan they include one stage at a time, each
  ///   committed.
  /// - A migration that fails at its end leaves the file unchanged.
  ///
  /// ```swift
  /// try await fixtures.verifyMigrations(to: configuration) { version, realm in
  ///   #expect(realm.objects(Person.self).count == 350)
  ///   if version >= 1 { #expect(realm.objects(Person.self).allSatisfy { $0.email != nil }) }
  /// }
  /// ```
  ///
  /// The configuration is the program's configuration; its file is not changed. `ignoring` names
  /// columns such as `Person.id` whose values differ each time, for example because the migration
  /// creates a `UUID`. `expectations` checks the data, and is called for each version and each way.
  ///
  /// With `olderPrograms`, programs of each frozen version must be able to use the migrated file,
  /// as they do with `opensNewerVersions`: with `.reading`, to read everything; with `.writing`, to
  /// change each object, and to add objects to each class and delete them. The newest program must
  /// read the same objects afterwards. A change that older programs can't cope with fails the test,
  /// with the reasons.
  /// - Throws: The errors of `expectations` and of the file system.
  public func verifyMigrations(
    to configuration: Realm.Configuration, ignoring: Set<String> = [],
    olderPrograms: MigrationForecast.OlderProgram.Use = .nothing,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    expectations: (_ version: Int, _ realm: Realm) throws -> Void = { _, _ in }
  ) async throws {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let versions = try versions().filter { $0 <= configuration.newestVersion }
    guard !versions.isEmpty else {
      site.report(
        "There is no database '\(name)-v….sqlite' in '\(directory.path)' to migrate. Freeze the "
          + "version with 'expectFrozen' first.")
      return
    }
    let newest = try Verification.newFile(configuration)
    for version in versions {
      let verification = Verification(
        database: database(version), version: version, configuration: configuration,
        newest: newest, ignoring: ignoring, site: site)
      try verification.verifyRollback()
      if olderPrograms != .nothing, version < configuration.newestVersion {
        try verification.verifyUse(by: schema(version), olderPrograms)
      }
      var first: (way: String, contents: [String])?
      for way in Opening.all(for: configuration) {
        guard let contents = try await verification.verify(way, expectations) else { continue }
        guard let known = first else {
          first = (way.name, contents)
          continue
        }
        guard let difference = lineDifference(known.contents, contents) else { continue }
        site.report(
          """
          Version \(version) has other contents after \(way.name) than after \(known.way):

          \(difference)

          Values that differ each time can be left out with 'ignoring'.
          """)
      }
    }
  }
}

/// A way of opening a file that needs a migration.
struct Opening: Sendable {
  let name: String
  let open: @Sendable (Realm.Configuration) async throws -> Void

  static func all(for configuration: Realm.Configuration) -> [Opening] {
    var ways = [
      Opening(name: "'Realm(configuration:)'") { _ = try Realm(configuration: $0) },
      Opening(name: "'Realm.performMigration(for:)'") { try Realm.performMigration(for: $0) },
      Opening(name: "'Realm.open(configuration:)'") { _ = try await Realm.open(configuration: $0) },
      Opening(name: "'Realm.asyncOpen(configuration:)'") { configuration in
        try await withCheckedThrowingContinuation { continuation in
          Realm.asyncOpen(configuration: configuration, callbackQueue: .global()) { result in
            continuation.resume(with: result.map { _ in })
          }
        }
      },
      Opening(name: "'Realm.opening(configuration:)'") { configuration in
        for try await _ in Realm.opening(configuration: configuration) {}
      },
    ]
    if let plan = configuration.migrationPlan {
      ways.append(
        Opening(name: "a plan that commits each stage") { configuration in
          var configuration = configuration
          configuration.migrationPlan?.commits = plan.commits == .together ? .eachStage : .together
          _ = try Realm(configuration: configuration)
        })
    }
    return ways
  }
}

/// The migration of one frozen database.
struct Verification {
  let database: URL
  let version: Int
  let configuration: Realm.Configuration
  let newest: NewFile
  let ignoring: Set<String>
  let site: CallSite

  /// A file that was created at the newest version.
  struct NewFile {
    let tables: Set<String>
    let structure: [String]
    let classes: Schema
  }

  static func newFile(_ configuration: Realm.Configuration) throws -> NewFile {
    let folder = try TemporaryFolder()
    let schema = try Realm(configuration: configuration.moved(to: folder.file)).schema.stored
    let tables = Set(
      schema.objectSchema.flatMap { [$0.className] + $0.collectionTables.map(\.name) })
    let structure = try DatabaseQueue.plain(folder.file).read { db in
      try FileDump(db).structure(of: tables)
    }
    return NewFile(tables: tables, structure: structure, classes: schema)
  }

  /// Checks that programs of the frozen version can use the migrated file.
  func verifyUse(
    by frozen: FrozenSchema, _ wanted: MigrationForecast.OlderProgram.Use
  ) throws {
    let folder = try copy()
    let newest = configuration.moved(to: folder.file)
    try Realm.performMigration(for: newest)
    let check = OlderProgramCheck(
      frozen: frozen, file: folder.file, newest: newest, wanted: wanted)
    for problem in try check.problems() {
      site.report("Version \(version), migrated to \(configuration.newestVersion): \(problem)")
    }
  }

  private func copy() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try DatabaseCopy.make(of: database, at: folder.file)
    return folder
  }

  /// Migrates a copy. Returns its contents, or nil after a failure.
  func verify(
    _ way: Opening, _ expectations: (_ version: Int, _ realm: Realm) throws -> Void
  ) async throws -> [String]? {
    let folder = try copy()
    let reports = Reports()
    var copy = configuration.moved(to: folder.file)
    copy.didMigrate = { reports.add($0) }
    let before = try counts(folder.file)
    do {
      try await way.open(copy)
    } catch {
      report(way, "can't be migrated: \(Self.text(error))")
      return nil
    }
    copy.didMigrate = nil
    try expectations(version, Realm(configuration: copy))
    return try check(folder.file, way, copy, before, reports)
  }

  private func check(
    _ file: URL, _ way: Opening, _ configuration: Realm.Configuration, _ before: [String: Int],
    _ reports: Reports
  ) throws -> [String] {
    let reached = try schemaVersionAtURL(file)
    if reached != UInt64(configuration.newestVersion) {
      report(way, "is at version \(reached) instead of \(configuration.newestVersion).")
    }
    for problem in try Realm.problems(for: configuration) {
      report(way, "is not sound: \(problem)")
    }
    let after = try counts(file)
    checkCounts(before, after, reports.all, way)
    return try DatabaseQueue.plain(file).inDatabase { db in
      let dump = try FileDump(db)
      // A trigger may maintain several properties, also retired ones.
      let comparesTriggers = try dump.retiredColumns().isEmpty
      func compared(_ lines: [String]) -> [String] {
        comparesTriggers ? lines : lines.filter { !$0.hasPrefix("trigger ") }
      }
      if let difference = lineDifference(
        compared(newest.structure), compared(try dump.structure(of: newest.tables)))
      {
        report(
          way, "is not like a new file:\n\n\(difference)\n\n(− a new file, + the migrated one)")
      }
      let problems = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      if problems != ["ok"] {
        report(way, "fails SQLite's own check: \(problems.joined(separator: "; "))")
      }
      let dangling = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count
      if dangling > 0 { report(way, "has \(dangling) references to missing rows.") }
      return try dump.contents(of: newest.tables, ignoring: ignoring)
    }
  }

  /// Checks that each object exists, or that the report accounts for it.
  private func checkCounts(
    _ before: [String: Int], _ after: [String: Int], _ reports: [MigrationReport], _ way: Opening
  ) {
    let counts = ObjectCounts(before, reports.flatMap(\.stages))
    for (className, count) in after.sorted(by: { $0.key < $1.key }) {
      let expected = counts[className] ?? count
      if count != expected {
        report(
          way,
          "has \(count) objects of '\(className)', but by the report of the migration there should be "
            + "\(expected).")
      }
    }
  }

  private func counts(_ file: URL) throws -> [String: Int] {
    let schema = try Realm.migrationHistory(at: file).last?.schema
    return try DatabaseQueue.plain(file).inDatabase { db in
      let dump = try FileDump(db)
      let names = (schema?.objectSchema ?? []).map(\.className)
      return try Dictionary(uniqueKeysWithValues: names.map { ($0, try dump.count($0)) })
    }
  }

  /// Checks that a migration that fails at its very end leaves nothing behind.
  func verifyRollback() throws {
    guard version < configuration.newestVersion else { return }
    let folder = try copy()
    let before = try text(folder.file)
    var failing = configuration.moved(to: folder.file).failing(atEndOf: configuration.newestVersion)
    // Stages with their own commits would correctly stay.
    failing.migrationPlan?.commits = .together
    do {
      _ = try Realm(configuration: failing)
      site.report("Version \(version) migrates although its migration was configured to fail.")
    } catch is InjectedFailure {
      guard let difference = lineDifference(before, try text(folder.file)) else { return }
      site.report(
        """
        A migration of version \(version) that fails at its end does not leave the file as it was:

        \(difference)
        """)
    } catch {
      // ``verify(_:_:)`` reports a migration that fails otherwise.
    }
  }

  private func text(_ file: URL) throws -> [String] {
    try DatabaseQueue.plain(file).inDatabase { db in
      try FileDump(db).sql.split(separator: "\n").map(String.init)
    }
  }

  private func report(_ way: Opening, _ text: String) {
    site.report("Version \(version), migrated by \(way.name), \(text)")
  }

  private static func text(_ error: any Error) -> String {
    (error as? Realm.Error)?.message ?? "\(error)"
  }
}

/// A collector of reports from the thread that migrates.
private final class Reports: Sendable {
  private let reports = Mutex<[MigrationReport]>([])

  @inline(never) func add(_ report: MigrationReport) { reports.withLock { $0.append(report) } }

  @inline(never) var all: [MigrationReport] { reports.withLock { $0 } }
}
