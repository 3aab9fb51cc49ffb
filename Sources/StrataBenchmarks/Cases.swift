import Foundation
import GRDB
import Strata

/// The work that is measured, by this library and by hand.
enum Cases {
  static func create(_ file: URL, rows: Int) throws {
    let realm = try Realm(
      configuration: .init(fileURL: file, objectTypes: [Models.Before.Person.self]))
    try realm.write {
      for index in 0..<rows {
        let person = Models.Before.Person()
        person.firstName = "First \(index)"
        person.lastName = "Last \(index)"
        person.age = index % 100
        realm.add(person)
      }
    }
  }

  /// Opens a file that needs nothing, and reads one object.
  static func open(_ file: URL) throws {
    let realm = try Realm(
      configuration: .init(fileURL: file, objectTypes: [Models.Before.Person.self]))
    guard realm.objects(Models.Before.Person.self).first != nil else { throw Unexpected() }
  }

  /// Opens the same file with GRDB, and reads one row.
  static func openWithGRDB(_ file: URL) throws {
    let pool = try DatabasePool(path: file.path)
    let row = try pool.read {
      try Row.fetchOne($0, sql: "SELECT * FROM Person ORDER BY _id LIMIT 1")
    }
    guard row != nil else { throw Unexpected() }
    try pool.close()
  }

  static func migrate(
    _ file: URL, _ type: Object.Type, _ block: MigrationBlock? = nil
  ) throws {
    try Realm.performMigration(
      for: .init(fileURL: file, schemaVersion: 1, migrationBlock: block, objectTypes: [type]))
  }

  /// A closure that combines two strings.
  static func combine(_ file: URL) throws {
    try migrate(file, Models.Combined.Person.self) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
        let first = oldObject!["firstName"] as? String ?? ""
        let last = oldObject!["lastName"] as? String ?? ""
        newObject!["fullName"] = "\(first) \(last)"
      }
    }
  }

  /// The same by hand: a cursor, and a prepared statement.
  static func combineWithGRDB(_ file: URL) throws {
    let pool = try DatabasePool(path: file.path)
    try pool.write { db in
      try db.execute(sql: "ALTER TABLE Person ADD COLUMN fullName TEXT NOT NULL DEFAULT ''")
      let update = try db.makeStatement(sql: "UPDATE Person SET fullName = ? WHERE _id = ?")
      let rows = try Row.fetchCursor(db, sql: "SELECT _id, firstName, lastName FROM Person")
      while let row = try rows.next() {
        let id: Int64 = row[0]
        let first: String = row[1]
        let last: String = row[2]
        try update.execute(arguments: ["\(first) \(last)", id])
      }
    }
    try pool.close()
  }

  struct Unexpected: Error {}
}
