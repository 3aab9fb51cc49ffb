import Foundation
import Strata

/// Models with many rows, so that the changes of a closure are written while the closure continues,
/// and long rows, so that pages reach the WAL before the commit.
enum Many {
  enum Before {
    class Item: Object {
      @Persisted var number = 0
      @Persisted var text = ""
    }
  }

  enum After {
    class Item: Object {
      @Persisted var number = 0
      @Persisted var text = ""
      @Persisted var copy: Copy?
    }

    class Copy: Object {
      @Persisted var number = 0
    }
  }

  static let rows = 3_000

  static func fill(_ file: URL) throws {
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: file, objectTypes: [Before.Item.self]))
    try realm.write {
      for number in 0..<rows {
        realm.create(
          Before.Item.self,
          value: ["number": number, "text": String(repeating: "\(number) ", count: 200)])
      }
    }
  }

  static func migrate(_ file: URL) throws {
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        new!["text"] = "new \(old!["text"]!)"
        new!["copy"] = migration.create("Copy", value: ["number": old!["number"]!])
      }
    }
    _ = try Realm(
      configuration: Realm.Configuration(
        fileURL: file, schemaVersion: 1, migrationBlock: block,
        objectTypes: [After.Item.self, After.Copy.self]))
  }
}
