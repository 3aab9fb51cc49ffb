import Foundation
import Strata

// The code of docs/history.md.

func configuration(of file: URL) -> Realm.Configuration {
  var configuration = Realm.Configuration(fileURL: file, objectTypes: [Customer.self, Letter.self])
  configuration.history = .init(author: "orders-server")
  return configuration
}

class Customer: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted var name = ""
  @Persisted var email = ""

  override class func propertiesKeptOnDeletion() -> [String] { ["email"] }
}

class Letter: Object {
  @Persisted var to = ""
  @Persisted var text = ""
}

func fillOutbox(_ realm: Realm) throws {
  try realm.consumeHistory(as: "outbox") { transactions in
    for change in transactions.flatMap({ $0.changes(of: Customer.self) }) {
      guard case .inserted = change.kind,
        let customer = realm.object(of: change, as: Customer.self)
      else { continue }
      realm.create(
        Letter.self, value: ["to": customer.email, "text": "Welcome, \(customer.name)!"])
    }
  }
}

actor SearchIndex {
  private(set) var names: [Int: String] = [:]

  func replace(_ number: Int, with name: String?) { names[number] = name }

  func replaceAll(_ customers: [(Int, String)]) {
    names = Dictionary(uniqueKeysWithValues: customers)
  }
}

func updateIndex(_ index: SearchIndex, _ realm: Realm) async throws {
  try await realm.sendHistory(as: "search") { transactions in
    guard !transactions.contains(where: { $0.kind == .restored }) else {
      return await index.replaceAll(realm.objects(Customer.self).map { ($0.number, $0.name) })
    }
    for change in transactions.flatMap({ $0.changes(of: Customer.self) }) {
      guard let key = change.primaryKey, case .int(let number) = key else { continue }
      let customer = realm.object(ofType: Customer.self, forPrimaryKey: number)
      await index.replace(number, with: customer?.name)
    }
  }
}

actor AuditLog {
  private(set) var lines: [String] = []

  func add(_ line: String) { lines.append(line) }
}

func audit(_ realm: Realm, after token: HistoryToken?, _ log: AuditLog) async throws {
  for try await transaction in realm.history(following: token) {
    let author = transaction.author ?? "nobody"
    for change in transaction.changes {
      await log.add(
        "\(author) \(transaction.id): \(change.className) \(change.identity) \(change.kind)")
    }
  }
}
