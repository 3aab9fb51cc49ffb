import Foundation
import Strata

// The code of docs/replicas.md.

func openReplica(_ folder: URL) async throws -> Realm {
  try await Realm.open(
    configuration: Realm.Configuration(
      replica: .init(folder: folder, patience: .seconds(60)), schemaVersion: 1,
      objectTypes: [Order.self]))
}

func follow(_ realm: Realm, _ tell: (String) -> Void) async throws {
  for try await change in realm.objects(Order.self).changes() {
    guard case .update(let orders, _, let insertions, _) = change else { continue }
    for index in insertions { tell(orders[index].article) }
  }
}

func isFresh(_ realm: Realm, within limit: Duration) -> Bool {
  guard let state = realm.replicaState, let lag = state.lag() else { return false }
  if let problem = state.problem { print(problem.message) }
  return lag < limit
}

func add(_ article: String, to realm: Realm) throws -> String? {
  try realm.write { _ = realm.create(Order.self, value: ["article": article]) }
  return try realm.historyToken?.description
}

func orders(_ replica: Realm, after cookie: String) async throws -> Results<Order> {
  if let token = HistoryToken(cookie) { try await replica.wait(for: token, within: .seconds(2)) }
  return replica.objects(Order.self)
}

func order(_ id: UUID, asOf date: Date, in folder: URL) throws -> String? {
  let then = try Realm(
    configuration: Realm.Configuration(
      replica: .init(folder: folder, asOf: date), schemaVersion: 1, objectTypes: [Order.self]))
  return then.object(ofType: Order.self, forPrimaryKey: id)?.article
}
