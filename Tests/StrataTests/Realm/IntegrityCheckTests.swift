import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Before {
  class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var tags: List<String>
  }
}

private enum After {
  class Person: Object {
    @Persisted var fullName = ""
    @Persisted var tags: List<String>
  }
}

private enum Renamed {
  class Human: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var tags: List<String>
  }
}

private enum More {
  class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var tags: List<String>
    @Persisted var email: String?
  }
}

/// Files with pages that have silently lost rows.
@Suite struct IntegrityCheckTests {
  private static let rows = 2_000

  /// A file whose page in the middle of a table has a row less than was written to it.
  private func damagedFile(_ table: String = "Person") throws -> TestFolder {
    let folder = try TestFolder()
    folder.isDamaged = true
    try folder.write([Before.Person.self]) { realm in
      for number in 0..<Self.rows {
        realm.create(
          Before.Person.self, value: ["first \(number)", "last \(number)", ["tag \(number)"]])
      }
    }
    let root = try folder.sql { db in
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      return try Int.fetchOne(
        db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])!
    }
    var bytes = try Data(contentsOf: folder.file)
    // The second child of the root: an interior page has a pointer to each in its cells.
    let start = (root - 1) * 4_096
    // The page of a table, or of an index: a table without identities is stored as an index.
    let (interior, child): (UInt8, UInt8) = bytes[start] == 5 ? (5, 13) : (2, 10)
    expectEqual(bytes[start], interior)
    func number(_ offset: Int, _ count: Int) -> Int {
      bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }
    let leaf = (number(start + number(start + 14, 2), 4) - 1) * 4_096
    expectEqual(bytes[leaf], child)
    // The number of its cells.
    bytes[leaf + 4] -= 1
    try bytes.write(to: folder.file)
    return folder
  }

  private func configuration(
    _ folder: TestFolder, _ type: ObjectBase.Type, _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: folder.file, schemaVersion: 1, migrationBlock: block, objectTypes: [type])
  }

  private static let combine: MigrationBlock = { migration, _ in
    migration.enumerateObjects(ofType: "Person") { old, new in
      new!["fullName"] = "\(old!["firstName"]!) \(old!["lastName"]!)"
    }
  }

  @Test(arguments: ["Person", "Person_tags"])
  func `A migration that reads a damaged table fails, and changes nothing`(table: String) throws {
    let folder = try damagedFile(table)
    let before = try Data(contentsOf: folder.file)
    let error = try #require(throws: Realm.Error.self) {
      _ = try Realm(configuration: configuration(folder, After.Person.self, Self.combine))
    }
    expectEqual(error.code, .invalidDatabase)
    let start =
      "Realm file at path '\(folder.file.path)' is damaged in tables that the migration reads "
      + "(\(table): "
    expectTrue(error.message.hasPrefix(start), "\(error.message)")
    expectTrue(
      error.message.hasSuffix(
        "), and objects may be missing. Nothing was migrated. Restore the file from a backup, save "
          + "what 'sqlite3 file .recover' finds, or set 'migrationIntegrityCheck' to false to migrate "
          + "what can be read."))
    try expectEqual(Data(contentsOf: folder.file), before)
  }

  @Test func `A migration without a block notices the damage, too`() throws {
    let folder = try damagedFile()
    expectError(code: .invalidDatabase) {
      _ = try Realm(configuration: configuration(folder, After.Person.self))
    }
  }

  @Test func `A renamed class is checked under its old name`() throws {
    let folder = try damagedFile()
    expectError(code: .invalidDatabase) {
      _ = try Realm(
        configuration: configuration(folder, Renamed.Human.self) { migration, _ in
          migration.renameClass(from: "Person", to: "Human")
          migration.enumerateObjects(ofType: "Human") { _, new in new!["lastName"] = "x" }
        })
    }
  }

  @Test func `Without the check the readable rows are migrated`() throws {
    let folder = try damagedFile()
    var configuration = configuration(folder, After.Person.self, Self.combine)
    configuration.migrationIntegrityCheck = false
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(After.Person.self).count, Self.rows - 1)
  }

  private enum Indexed {
    class Person: Object {
      @Persisted(indexed: true) var firstName = ""
      @Persisted var age = 0
    }
  }

  private enum Older {
    class Person: Object {
      @Persisted(indexed: true) var firstName = ""
      @Persisted var age = ""
    }
  }

  /// A file with a row that its index doesn't have, and as many entries in the index as rows: newer
  /// versions of SQLite compare the numbers always.
  private func fileWithWrongIndex() throws -> TestFolder {
    let folder = try TestFolder()
    folder.isDamaged = true
    try folder.write([Indexed.Person.self]) { realm in
      for number in 0..<100 {
        realm.add(Indexed.Person(value: ["firstName": "first \(number)", "age": number]))
      }
    }
    let take = "SELECT * FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL"
    let queue = try DatabaseQueue.otherProgram(at: folder.file)
    let index = try #require(try queue.read { try Row.fetchOne($0, sql: take) })
    let name: String = index["name"]
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA writable_schema = ON")
      try db.execute(sql: "DELETE FROM sqlite_schema WHERE name = ?", arguments: [name])
    }
    try queue.close()
    let other = try DatabaseQueue.otherProgram(at: folder.file)
    try other.writeWithoutTransaction { db in
      try db.execute(sql: "UPDATE Person SET firstName = 'hidden' WHERE age = 99")
      try db.execute(sql: "PRAGMA writable_schema = ON")
      try db.execute(
        sql: "INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)",
        arguments: StatementArguments(index.databaseValues))
    }
    try other.close()
    return folder
  }

  @Test func `An index that lacks a row is noticed where that is asked for`() throws {
    let folder = try fileWithWrongIndex()
    var configuration = configuration(folder, Older.Person.self)
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in new!["age"] = "\(old!["age"]!)" }
    }
    configuration.migrationIndexCheck = true
    expectError(containing: "Person: row 100 missing from index ", code: .invalidDatabase) {
      _ = try Realm(configuration: configuration)
    }
    configuration.migrationIndexCheck = false
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(Older.Person.self).count, 100)
  }

  @Test func `A migration that reads no rows doesn't check them`() throws {
    let folder = try damagedFile()
    let realm = try Realm(configuration: configuration(folder, More.Person.self))
    expectEqual(realm.objects(More.Person.self).first?.firstName, "first 0")
  }
}
