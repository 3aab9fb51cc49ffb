import Foundation
import Strata

/// The first release of a program that takes orders. It opens newer files from the first day on.
enum OrderRelease1 {
  class Order: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var customer = ""
    @Persisted var items: List<String>
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: file, schemaVersion: 1, objectTypes: [Order.self])
    configuration.opensNewerVersions = true
    return configuration
  }
}

/// The second release: orders have a currency, and a summary that a closure computes.
enum OrderRelease2 {
  class Order: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var customer = ""
    @Persisted var currency = "EUR"
    @Persisted var summary: String?
    @Persisted var items: List<String>
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    let summarise: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Order") { oldObject, newObject in
        newObject!["summary"] = "\(oldObject!["customer"]!)'s order \(oldObject!["number"]!)"
      }
    }
    var configuration = Realm.Configuration(
      fileURL: file, schemaVersion: 2, migrationBlock: summarise, objectTypes: [Order.self])
    configuration.opensNewerVersions = true
    // Completes what the first release writes after the migration.
    configuration.adoptsOlderWrites = summarise
    return configuration
  }
}

/// The third release: an order is a purchase, and two of its properties are only kept for the
/// releases before. Each purchase has a token of its own, so only this release adds purchases.
enum OrderRelease3 {
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

  /// The token of a purchase.
  static func token(_ number: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(number)))
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: file, schemaVersion: 3,
      migrationBlock: { migration, _ in
        migration.renameClass(from: "Order", to: "Purchase")
        migration.renameProperty(onType: "Purchase", from: "customer", to: "buyer")
        migration.enumerateObjects(ofType: "Purchase") { oldObject, newObject in
          newObject!["token"] = token(oldObject!["number"] as! Int)
        }
      }, objectTypes: [Purchase.self, Parcel.self])
    configuration.opensNewerVersions = true
    configuration.retiresRemovedProperties = true
    configuration.oldestReadingVersion = 1
    configuration.oldestWritingVersion = 1
    return configuration
  }

  /// Writes a file that had each version, and to which the first release has written since.
  static func write(to file: URL) throws {
    func open(_ configuration: Realm.Configuration, _ body: (Realm) throws -> Void) throws {
      try body(try Realm(configuration: configuration))
    }
    try open(OrderRelease1.configuration(file)) { realm in
      try realm.write {
        for (number, customer) in [(1, "Ada"), (2, "Ben"), (3, "Cleo")] {
          let items = ["tea", "rice"].prefix(number)
          realm.create(
            OrderRelease1.Order.self,
            value: ["number": number, "customer": customer, "items": Array(items)])
        }
      }
    }
    try open(OrderRelease2.configuration(file)) { realm in
      let third = realm.object(ofType: OrderRelease2.Order.self, forPrimaryKey: 3)
      try realm.write { third?.currency = "CHF" }
    }
    try open(configuration(file)) { realm in
      try realm.write {
        let first = realm.object(ofType: Purchase.self, forPrimaryKey: 1)
        realm.create(Parcel.self, value: ["token": token(101), "purchase": first as Any])
      }
    }
    try open(OrderRelease1.configuration(file)) { realm in
      let second = realm.object(ofType: OrderRelease1.Order.self, forPrimaryKey: 2)
      try realm.write {
        second?.customer = "Benjamin"
        second?.items.append("salt")
      }
    }
  }
}
