import Foundation
import GRDB
import StrataRealmImport
import StrataStorage
import Synchronization

/// A forecaster of the changes that opening a file would make. Writes neither to the file nor to
/// its WAL.
struct Forecaster {
  let configuration: ResolvedConfiguration
  let discovered: DiscoveredSchema
  let url: URL
  /// The file that opening would copy first.
  var seed: URL?
  /// The Realm file that opening would convert first.
  var realmFile: URL?

  /// Forecasts the opening of a configuration's file.
  ///
  /// - Throws: ``RealmError``: the error that opening would throw before it changes anything.
  static func forecast(for configuration: ResolvedConfiguration) throws -> MigrationForecast {
    let url = try configuration.file(to: "migrate")
    var forecaster = Forecaster(
      configuration: configuration, discovered: try DiscoveredSchema.of(configuration.types),
      url: url)
    var content = try StoreFile.inspect(url, forWriting: false)
    if let conversion = configuration.settings.convertsRealmFile,
      let queue = try RealmFileConverter(conversion, to: url, configuration.key)
        .databaseIfWanted(checking: { _ = try forecaster.decision($0, $1) })
    {
      forecaster.realmFile = conversion.realmFile
      return try forecaster.forecast(of: queue, at: url)
    }
    if let seed = configuration.settings.seedFilePath.map({
      SeedFile($0, to: url, configuration.key)
    }),
      seed.isWanted
    {
      content = try seed.inspect()
      forecaster.seed = seed.url
    }
    guard content == .database else { return try forecaster.forecast(.missing, nil) }
    let source = forecaster.seed ?? url
    return try translatingErrors(at: source) {
      try forecaster.forecast(
        of: Connections.openChecker(source, configuration.key), at: source)
    }
  }

  private func forecast(of queue: DatabaseQueue, at source: URL) throws -> MigrationForecast {
    try queue.unsafeRead { db in
      try db.readingOneVersion { try forecast(FileState.read(db, at: source), FileCounts(db)) }
    }
  }

  /// Returns the decision for a file with a version and a schema. The version is nil for a missing
  /// or empty file.
  private func decision(_ version: UInt64?, _ schema: Schema) throws -> OpenDecision {
    try OpenDecision.decide(
      current: version.map { ($0, schema) },
      target: discovered.named(
        besides: schema, readOnly: configuration.isReadOnly
      ).schema,
      configuration: configuration)
  }

  private func forecast(_ state: FileState, _ counts: FileCounts?) throws -> MigrationForecast {
    let isDynamic = configuration.settings.dynamicClasses == .all
    var recorded = RecordedFile([], defaults: [:])
    if state.version != nil, let counts { recorded = try VersionTable.recorded(counts.db, at: url) }
    guard !isDynamic || state.version != nil else {
      throw RealmError(.invalidDatabase, ErrorText.notInitialized(configuration.name))
    }
    let isNewer = try !isDynamic && isNewerAndFits(state, recorded)
    let decision = isDynamic || isNewer ? .nothing : try decision(state.version, state.schema)
    func result(
      _ outcome: MigrationForecast.Outcome, _ stages: [MigrationForecast.Stage] = []
    ) -> MigrationForecast {
      MigrationForecast(
        path: url.path, seedPath: seed?.path, realmFilePath: realmFile?.path, outcome: outcome,
        from: state.version,
        to: isDynamic ? state.version ?? 0 : configuration.schemaVersion, stages: stages,
        olderPrograms: outcome == .startOver
          ? [] : MigrationForecast.OlderProgram.all(with: recorded),
        describesOlderPrograms: configuration.settings.opensNewerVersions)
    }
    switch decision {
    case .nothing: return result(.nothing)
    case .create, .startOver:
      return result(decision == .create ? .create : .startOver)
    case .applyFreeChanges, .migrate:
      guard let counts else { return result(.nothing) }
      let stages =
        decision == .migrate
        ? try configuration.allStages(from: state, to: discovered)
        : [ResolvedStage(version: configuration.schemaVersion, target: discovered)]
      let forecasts = try self.stages(stages, state, counts, &recorded)
      return result(decision == .migrate ? .migrate : .freeChanges, forecasts)
    }
  }

  /// Whether the file is of a newer version, and may be opened.
  private func isNewerAndFits(_ state: FileState, _ recorded: RecordedFile) throws -> Bool {
    guard configuration.settings.opensNewerVersions, let version = state.version,
      version > configuration.schemaVersion
    else { return false }
    try Compatibility.of(
      program: discovered.schema, version: configuration.schemaVersion, with: recorded
    ).check(
      readOnly: configuration.isReadOnly, configuration.schemaVersion, of: version, at: url)
    return true
  }

  /// Forecasts the stages, and makes their changes in the facts about the file.
  private func stages(
    _ stages: [ResolvedStage], _ state: FileState, _ counts: FileCounts,
    _ recorded: inout RecordedFile
  ) throws -> [MigrationForecast.Stage] {
    var version = state.version
    var schema = state.schema
    var provenance = Provenance(of: state.schema)
    var changed: Set<String> = []
    var result: [MigrationForecast.Stage] = []
    for stage in stages {
      let forecast = try StageForecast(
        stage: stage, from: schema, provenance, file: state.schema, counts: counts,
        followsClosure: result.contains(where: \.runsClosure), changed: changed,
        removal: configuration.settings.retiresRemovedProperties
          ? recorded.removals(besides: stage.declarations.dropped) : { _, _ in .drop })
      var findings = try forecast.findings()
      if result.isEmpty {
        findings += try ForeignKeyCheck(counts.db).dangling.sorted { $0.key < $1.key }.map {
          MigrationForecast.Finding(
            kind: .danglingReferences(table: $0.key, references: $0.value), consequence: .happens)
        }
      }
      result.append(
        MigrationForecast.Stage(
          from: version, to: stage.version, runsClosure: stage.runsClosure,
          operations: try forecast.operations(), findings: findings))
      changed = forecast.changedAfterwards
      version = stage.version
      schema = stage.declarations.dropped.reduce(forecast.work.schema) { schema, name in
        stage.target.schema[name] == nil ? schema.removing(name) : schema
      }
      if stage.version != recorded.versions.last?.version {
        recorded.begin(
          stage.version, stage.declarations.names,
          droppedRetired: stage.declarations.droppedRetired)
      }
      recorded.apply(forecast.work.operations, to: schema) { className in
        stage.target.classes[className].map { info in
          TableDefaults.of(info, primaryKey: stage.target.schema.stored[className]?.primaryKey)
        }
      }
      provenance.advance(stage.declarations, to: stage.target.schema)
    }
    recorded.limit(
      oldestReader: configuration.settings.oldestReadingVersion,
      oldestWriter: configuration.settings.oldestWritingVersion)
    return result
  }
}

/// A rehearsal of an opening, on a copy in a temporary folder.
struct Rehearser {
  var configuration: RealmConfiguration
  let file: URL
  let folder: TemporaryFolder

  /// Copies the file, opens the copy, closes and checks it.
  ///
  /// - Throws: The errors of copying and opening. An error of opening names the file instead of the
  ///   copy.
  func run() throws -> MigrationRehearsal {
    let copy = folder.url.appendingPathComponent(file.lastPathComponent)
    let resolved = try ResolvedConfiguration(configuration)
    try FileBackup.copy(file, to: copy, resolved.key, resolved.cancellation, progress: nil)
    do {
      return try rehearse(copy)
    } catch let error as RealmError {
      var error = error
      error.message = error.message.replacing(copy.path, with: file.path)
      if error.fileURL == copy { error.fileURL = file }
      throw error
    }
  }

  private func rehearse(_ copy: URL) throws -> MigrationRehearsal {
    let opened = Mutex((reports: [MigrationReport](), walBytes: Int64(0)))
    var configuration = configuration
    configuration.fileURL = copy
    configuration.readOnly = false
    configuration.seedFilePath = nil
    configuration.convertsRealmFile = nil
    configuration.migrationBackup = nil
    configuration.observers = []
    let didMigrate = configuration.didMigrate
    let wal = copy.path + "-wal"
    configuration.didMigrate = { report in
      // The file of the WAL doesn't become shorter while the file is open.
      let bytes = FileNames.bytes(ofFileAt: wal)
      opened.withLock {
        $0.reports.append(report)
        $0.walBytes = max($0.walBytes, bytes)
      }
      didMigrate?(report)
    }
    let resolved = try ResolvedConfiguration(configuration)
    let forecast = try Forecaster.forecast(for: resolved)
    let bytesBefore = FileNames.bytes(ofFileAt: copy.path)
    let (duration, lastWAL) = try openAndClose(resolved, wal)
    let (reports, walBytes) = opened.withLock { $0 }
    return MigrationRehearsal(
      forecast: forecast, reports: reports, duration: duration, bytesBefore: bytesBefore,
      bytes: FileNames.bytes(ofFileAt: copy.path), walBytes: max(walBytes, lastWAL),
      problems: try FileCheck.problems(
        of: copy, resolved.key, isReadable: Property.holds, resolved.cancellation))
  }

  /// Returns the time of the opening, and the size of the WAL after it. Closes the file.
  private func openAndClose(
    _ configuration: ResolvedConfiguration, _ wal: String
  ) throws -> (duration: Duration, walBytes: Int64) {
    let start = ContinuousClock.now
    let store = try StoreOpener(configuration).open()
    return withExtendedLifetime(store) {
      (ContinuousClock.now - start, FileNames.bytes(ofFileAt: wal))
    }
  }
}
