import Foundation
import Strata
import StrataTestSupport
import Testing

private enum Shop1: VersionedSchema {
  static let version = 1
  class Order: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var customer: String
    @Persisted var total = 1.5
    @Persisted var paidAt: Date?
    @Persisted var tags: MutableSet<String>
    @Persisted var prices: Map<String, Double>
    @Persisted var lines: List<Line>
    @Persisted var address: Address?
    @Persisted var any: AnyRealmValue
  }
  class Line: Object {
    @Persisted var id: UUID
    @Persisted var amount: Decimal128
    @Persisted var photo = Data()
  }
  class Address: EmbeddedObject {
    @Persisted var city = ""
  }
}

private enum Shop2: VersionedSchema {
  static let version = 2
  class Order: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var buyer: String
    @Persisted var total = 1.5
    @Persisted var currency = "EUR"
    @Persisted var paidAt: Date?
    @Persisted var tags: MutableSet<String>
    @Persisted var prices: Map<String, Double>
    @Persisted var lines: List<Line>
    @Persisted var address: Address?
    @Persisted var any: AnyRealmValue
  }
  class Line: Object {
    @Persisted var id: UUID
    @Persisted var amount: Decimal128
  }
  class Address: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var street = ""
  }
}

private enum Shop3: VersionedSchema {
  static let version = 3
  class Order: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var buyer: String
    @Persisted var total = "none"
    @Persisted var code = UUID()
  }
}

@Suite struct OlderProgramsTests {
  private func frozen() throws -> FixtureFolder {
    let folder = try FixtureFolder()
    try folder.fixtures.expectFrozen(configuration([.version(Shop1.self)])) { realm in
      try realm.write {
        for number in 1...3 {
          realm.create(
            Shop1.Order.self,
            value: [
              "number": number, "customer": "C\(number)", "tags": ["a"], "prices": ["x": 1.0],
              "lines": [["amount": "1.25", "photo": Data([1])]], "address": ["city": "Rome"],
              "any": number,
            ] as [String: Any])
        }
      }
    }
    return folder
  }

  private static let second = MigrationStage.version(Shop2.self).renaming(
    "Order.customer", to: "buyer")

  private static func configurationOfSecond() -> Realm.Configuration {
    var newest = configuration([.version(Shop1.self), second])
    newest.retiresRemovedProperties = true
    return newest
  }

  @Test func `Compatible versions pass`() async throws {
    let folder = try frozen()
    try await folder.fixtures.verifyMigrations(
      to: Self.configurationOfSecond(), olderPrograms: .writing)
  }

  @Test func `The forecast says the same`() throws {
    let folder = try frozen()
    let forecast = try Realm.migrationForecast(
      for: Self.configurationOfSecond().at(folder.fixtures.database(1)))
    #expect(forecast.olderPrograms.map(\.version) == [1])
    #expect(forecast.olderPrograms.first?.use == .writing)
    #expect(forecast.olderPrograms.first?.refusedAdditions == [:])
    #expect(forecast.description.contains("\nPrograms of version 1 may read and write the file."))
  }

  @Test func `Incompatible versions fail with the reasons`() async throws {
    let folder = try frozen()
    let newest = configuration([
      .version(Shop1.self), Self.second.dropping("Line.photo"),
      .version(Shop3.self) { _ in }.dropping(
        "Order.total", "Order.currency", "Line", "Order.paidAt", "Order.tags", "Order.prices",
        "Order.lines",
        "Order.address", "Order.any"),
    ])
    let expected = """
      Programs of version 1 can't open the file.
      - Class 'Line' has been removed in version 3.
      - Property 'Order.total' has been changed from 'double' to 'string' in version 3.
      """
    let failures = try await issues {
      try await folder.fixtures.verifyMigrations(
        to: newest, ignoring: ["Order.code"], olderPrograms: .reading)
    }
    #expect(failures.count == 1)
    #expect(
      failures.first?.text.contains("Version 1, migrated to 3: \(expected)") == true,
      "\(failures)")
    let forecast = try Realm.migrationForecast(for: newest.at(folder.fixtures.database(1)))
    #expect(forecast.olderPrograms.first?.use == .nothing)
    #expect(forecast.description.contains(expected), "\(forecast)")
  }

  @Test func `Refused additions fail, and the forecast names them`() async throws {
    let folder = try frozen()
    enum Coded: VersionedSchema {
      static let version = 2
      static let objectTypes: [ObjectBase.Type] = [
        Order.self, Shop1.Line.self, Shop1.Address.self,
      ]
      class Order: Shop1.Order {
        @Persisted var code = UUID()
      }
    }
    let newest = configuration([.version(Shop1.self), .version(Coded.self)])
    let text =
      "- Objects of 'Order' can't be added: Property 'Order.code' has been added in version 2, "
      + "is required, and has no default in the file that is right for each new object."
    let failures = try await issues {
      try await folder.fixtures.verifyMigrations(
        to: newest, ignoring: ["Order.code"], olderPrograms: .writing)
    }
    #expect(failures.count == 1)
    #expect(failures.first?.text.contains(text) == true, "\(failures)")
    try await folder.fixtures.verifyMigrations(
      to: newest, ignoring: ["Order.code"], olderPrograms: .reading)
    let forecast = try Realm.migrationForecast(for: newest.at(folder.fixtures.database(1)))
    #expect(forecast.description.contains(text), "\(forecast)")
  }
}

extension Realm.Configuration {
  fileprivate func at(_ file: URL) -> Realm.Configuration {
    var copy = self
    copy.fileURL = file
    copy.opensNewerVersions = true
    return copy
  }
}
