import Foundation
import GRDB

/// Finds out what opening a file would do. No byte of it is written, nor of its log.
struct MigrationForecast {
  let request: OpenRequest
  let discovered: DiscoveredSchema
  let url: URL
  /// The file that opening copies to there first.
  var seed: URL?

  /// - Throws: ``RealmError``: what opening would throw before it changes anything.
  static func plan(for request: OpenRequest) throws -> MigrationPlan {
    guard case .file(let url) = request.place else {
      throw RealmError(.fail, "The realm '\(request.name)' in memory has no file to migrate.")
    }
    var forecast = MigrationForecast(
      request: request, discovered: try DiscoveredSchema.of(request.types), url: url)
    var content = try StoreFile.inspect(url, forWriting: false)
    if let seed = request.seed.map({ SeedFile(url: $0, target: url) }), seed.isWanted {
      content = try seed.inspect()
      forecast.seed = seed.url
    }
    guard content == .database else { return try forecast.plan(.missing, nil) }
    return try forecast.planOfDatabase()
  }

  private func planOfDatabase() throws -> MigrationPlan {
    let source = seed ?? url
    return try translatingErrors(at: source) {
      let queue = try Connections.openChecker(source)
      return try queue.unsafeRead { db in
        var plan: MigrationPlan?
        try db.inTransaction(.deferred) {
          plan = try self.plan(FileState.read(db, at: source), FileCounts(db))
          return .commit
        }
        guard let plan else { throw RealmError(.fileAccess, "The file can't be read.") }
        return plan
      }
    }
  }

  private func plan(_ state: FileState, _ counts: FileCounts?) throws -> MigrationPlan {
    let decision = try OpenDecision.decide(
      current: state.version.map { ($0, state.schema) }, target: discovered.schema,
      request: request)
    func plan(
      _ outcome: MigrationPlan.Outcome, _ steps: [MigrationPlan.Step] = []
    ) -> MigrationPlan {
      MigrationPlan(
        path: url.path, seedPath: seed?.path, outcome: outcome, from: state.version,
        to: request.schemaVersion, steps: steps)
    }
    switch decision {
    case .nothing: return plan(.nothing)
    case .create, .startOver:
      return plan(decision == .create ? .create : .startOver)
    case .applyFreeChanges, .migrate:
      guard let counts else { return plan(.nothing) }
      let steps =
        decision == .migrate
        ? try request.allSteps(from: state, to: discovered)
        : [VersionStep(version: request.schemaVersion, target: discovered)]
      return plan(
        decision == .migrate ? .migrate : .freeChanges, try forecast(steps, state, counts))
    }
  }

  private func forecast(
    _ steps: [VersionStep], _ state: FileState, _ counts: FileCounts
  ) throws -> [MigrationPlan.Step] {
    var version = state.version
    var schema = state.schema
    var provenance = Provenance(of: state.schema)
    var changed: Set<String> = []
    var result: [MigrationPlan.Step] = []
    for step in steps {
      let forecast = try StepForecast(
        step: step, from: schema, provenance, file: state.schema, counts: counts,
        followsClosure: result.contains(where: \.runsClosure), changed: changed)
      let plan = forecast.plan
      var findings = try forecast.findings()
      if result.isEmpty {
        findings += try ForeignKeyCheck(counts.db).dangling.sorted { $0.key < $1.key }.map {
          MigrationPlan.Finding(
            kind: .danglingReferences(table: $0.key, references: $0.value), consequence: .happens)
        }
      }
      result.append(
        MigrationPlan.Step(
          from: version, to: step.version, runsClosure: step.runsClosure,
          actions: try forecast.actions(plan), findings: findings))
      changed = forecast.changedAfterwards
      version = step.version
      schema = step.declarations.dropped.reduce(plan.schema) { schema, name in
        step.target.schema[name] == nil ? schema.removing(name) : schema
      }
      provenance.advance(step.declarations, to: step.target.schema)
    }
    return result
  }
}
