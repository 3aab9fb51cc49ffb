import Foundation
import Strata

final class Order: Object {
  @Persisted(primaryKey: true) var id = UUID()
  @Persisted var article = ""
  @Persisted var placedAt = Date()
}

// The code of docs/servers.md.

actor Orders {
  private var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func place(_ article: String) async throws -> UUID {
    try await realm.asyncWrite { realm.create(Order.self, value: ["article": article]).id }
  }

  func count(of article: String) -> Int {
    realm.objects(Order.self).where { $0.article == article }.count
  }
}

func openForServing(_ configuration: Realm.Configuration) async throws -> Orders {
  let forecast = try Realm.migrationForecast(for: configuration)
  guard forecast.obstacles.isEmpty else { throw CannotMigrate(forecast: forecast) }
  return try await Orders(configuration)
}

struct CannotMigrate: Error {
  let forecast: MigrationForecast
}

func readiness(_ configuration: Realm.Configuration) async -> (isReady: Bool, reason: String) {
  guard let problem = await Realm.health(of: configuration) else { return (true, "ready") }
  return (false, "\(problem)")
}

func watched(_ configuration: Realm.Configuration) -> Realm.Configuration {
  var configuration = configuration
  configuration.observers = [.slowQueries(longerThan: .milliseconds(50)), Rollbacks()]
  return configuration
}

struct Rollbacks: RealmActivityObserver {
  func didEnd(_ activity: RealmActivity, _ result: RealmActivityResult, _ begun: (any Sendable)?) {
    guard activity.kind == .write, !result.isComplete else { return }
    print("\(activity.file): rolled back after \(result.duration)", result.error?.code ?? "")
  }
}

struct Tenants {
  let folder: URL

  func configuration(_ tenant: UUID) -> Realm.Configuration {
    let file = folder.appendingPathComponent("\(tenant).sqlite")
    return Realm.Configuration(fileURL: file, objectTypes: [Order.self])
  }

  /// Answers a request: `Realm()` is the tenant's, in every function that the closure calls.
  func serve<Answer>(
    _ tenant: UUID, _ answer: () async throws -> Answer
  ) async throws -> Answer {
    try await Realm.withConfiguration(configuration(tenant), operation: answer)
  }
}

func backUp(_ configuration: Realm.Configuration, to folder: URL) throws -> URL {
  let copy = folder.appendingPathComponent("orders-\(UUID()).sqlite")
  try Realm.makeBackup(at: copy, for: configuration)
  return copy
}

func checkRestored(_ configuration: Realm.Configuration) throws {
  for problem in try Realm.problems(for: configuration) { print(problem) }
  for version in try Realm.migrationHistory(at: configuration.fileURL!) {
    print(version.version, version.migratedAt)
  }
}
