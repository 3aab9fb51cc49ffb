import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The file of the example's orders, with everything that a release records for older ones. The
/// file stays as it is, and must always be read, by the old releases as well.
@Suite struct OrdersFixtureTests {
  enum V1 {
    class Order: Object {
      @Persisted(primaryKey: true) var number = 0
      @Persisted var customer = ""
      @Persisted var items: List<String>
    }
  }

  enum V2 {
    class Order: Object {
      @Persisted(primaryKey: true) var number = 0
      @Persisted var customer = ""
      @Persisted var currency = "EUR"
      @Persisted var summary: String?
      @Persisted var items: List<String>
    }
  }

  enum V3 {
    class Purchase: Object {
      @Persisted(primaryKey: true) var number = 0
      @Persisted var buyer = ""
      @Persisted var summary: String?
      @Persisted var priority = 3
      @Persisted var token = UUID()
    }

    class Parcel: Object {
      @Persisted var weight = 0.5
      @Persisted var label = "it's new"
      @Persisted var content = Data([1, 255])
      @Persisted var token = UUID()
      @Persisted var purchase: Purchase?
    }

    static let types: [ObjectBase.Type] = [Purchase.self, Parcel.self]
  }

  private let file: TestFile

  init() throws { file = try TestFile(fixture: "Orders-v3") }

  /// Opens the file as a release that uses newer files, and closes it.
  private func open(
    _ types: [ObjectBase.Type], _ version: UInt64,
    _ change: (inout Realm.Configuration) -> Void = { _ in }, _ body: (Realm) throws -> Void
  ) throws {
    var configuration = file.configuration(types, version: version)
    configuration.opensNewerVersions = true
    change(&configuration)
    try body(try Realm(configuration: configuration))
  }

  private func text(_ id: Int) -> String {
    "00000000-0000-4000-8000-0000000000\(id < 16 ? "0" : "")\(String(id, radix: 16))"
  }

  /// Expects the values of the release that wrote the file.
  private func expectNewest(_ realm: Realm) throws {
    let purchases = realm.objects(V3.Purchase.self)
    expectEqual(purchases.map(\.buyer), ["Ada", "Benjamin", "Cleo"])
    expectEqual(
      purchases.map(\.summary), ["Ada's order 1", "Ben's order 2", "Cleo's order 3"])
    expectEqual(purchases.map(\.priority), [3, 3, 3])
    expectEqual(purchases.map(\.token.uuidString), [text(1), text(2), text(3)])
    let parcel = try #require(realm.objects(V3.Parcel.self).first)
    expectEqual(parcel.weight, 0.5)
    expectEqual(parcel.label, "it's new")
    expectEqual(parcel.content, Data([1, 255]))
    expectEqual(parcel.token.uuidString, text(101))
    expectEqual(parcel.purchase?.number, 1)
  }

  @Test func `The newest release finds its values, and the file stays as it is`() throws {
    let before = try file.bytes
    try open(V3.types, 3, { $0.oldestWritingVersion = 1 }, expectNewest)
    try expectEqual(file.bytes, before)
    try expectEqual(Realm.migrationHistory(at: file.url).map(\.version), [1, 2, 3])
    try expectEqual(file.folderContents, [file.url.lastPathComponent])
  }

  @Test func `The first release finds its values under its own names`() throws {
    try open([V1.Order.self], 1) { realm in
      let orders = realm.objects(V1.Order.self)
      expectEqual(orders.map(\.customer), ["Ada", "Benjamin", "Cleo"])
      expectEqual(
        orders.map { Array($0.items) }, [["tea"], ["tea", "rice", "salt"], ["tea", "rice"]])
      expectEqual(orders.where { $0.customer == "Cleo" }.first?.number, 3)
      try realm.write { orders.where { $0.number == 3 }.first?.items.removeAll() }
      expectEqual(orders.where { $0.number == 3 }.first?.items.count, 0)
      let error = #expect(throws: Realm.Error.self) {
        try realm.write { realm.create(V1.Order.self, value: ["number": 4]) }
      }
      expectEqual(error?.code, .newerVersion)
      expectTrue(error?.message.contains("Property 'Purchase.token' ") == true)
    }
  }

  @Test func `The second release finds what the third one has retired`() throws {
    try open([V2.Order.self], 2) { realm in
      let orders = realm.objects(V2.Order.self)
      expectEqual(orders.map(\.currency), ["EUR", "EUR", "CHF"])
      expectEqual(orders.map(\.summary).last, "Cleo's order 3")
      try realm.write { orders.where { $0.number == 1 }.first?.currency = "DKK" }
      expectEqual(orders.where { $0.currency == "DKK" }.map(\.customer), ["Ada"])
    }
    try open(V3.types, 3) { try expectNewest($0) }
  }

  @Test func `The newest release visits what the first one has written`() throws {
    let visited = Box<[String]>([])
    let adopts: MigrationBlock = { migration, oldestVersion in
      expectEqual(oldestVersion, 1)
      migration.enumerateObjects(ofType: "Purchase") { oldObject, newObject in
        visited.value.append(oldObject?["buyer"] as? String ?? "")
        newObject?["priority"] = 1
      }
    }
    for _ in 1...2 {
      try open(V3.types, 3, { $0.adoptsOlderWrites = adopts }) { realm in
        expectEqual(realm.objects(V3.Purchase.self).map(\.priority), [3, 1, 3])
      }
    }
    expectEqual(visited.value, ["Benjamin"])
  }

  @Test func `Another program's rows get the defaults of the tables`() throws {
    try file.execute("INSERT INTO Parcel DEFAULT VALUES")
    try open(V3.types, 3) { realm in
      let parcels = realm.objects(V3.Parcel.self)
      expectEqual(parcels.map(\.weight), [0.5, 0.5])
      expectEqual(parcels.map(\.label), ["it's new", "it's new"])
      expectEqual(parcels.map(\.content), [Data([1, 255]), Data([1, 255])])
      expectEqual(Set(parcels.map(\.token)).count, 2)
    }
  }
}
