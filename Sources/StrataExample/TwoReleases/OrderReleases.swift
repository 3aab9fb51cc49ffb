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
