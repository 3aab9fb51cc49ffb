import Foundation
import Strata

/// The common configuration of all tenants' files.
enum ShopFile {
  #if SCHEMA_1
    static let schemaVersion: UInt64 = 1
  #else
    static let schemaVersion: UInt64 = 2
  #endif

  private static let classes: [ObjectBase.Type] = [
    Product.self, Customer.self, Order.self, OrderLine.self, StoredAnswer.self,
  ]

  /// The configuration of a file that this program writes.
  static func configuration(_ file: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: file, schemaVersion: schemaVersion, objectTypes: classes)
    #if !SCHEMA_1
      configuration.migrationBlock = addTotals
      // A backup makes it possible to return to the previous release.
      configuration.migrationBackup = MigrationBackup(keeping: 1)
    #endif
    configuration.history = .init(author: "shop-server")
    return configuration
  }

  /// The configuration of a replica, which another machine writes.
  static func configuration(replica folder: URL) -> Realm.Configuration {
    Realm.Configuration(
      replica: .init(folder: folder), schemaVersion: schemaVersion, objectTypes: classes)
  }

  #if !SCHEMA_1
    /// Version 2 stores the total of an order, so that queries can use it.
    private static func addTotals(_ migration: Migration, _ oldVersion: UInt64) {
      guard oldVersion < 2 else { return }
      migration.enumerateObjects(ofType: Order.className()) { old, new in
        guard let old, let new else { return }
        new["total"] = old.dynamicList("lines").reduce(0) { total, line in
          total + (line["quantity"] as? Int ?? 0) * (line["price"] as? Int ?? 0)
        }
      }
    }
  #endif
}
