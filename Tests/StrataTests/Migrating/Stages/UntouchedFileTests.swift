import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Failures of a migration, each of which leaves the file unchanged.
@Suite("A migration that fails")
struct UntouchedFileTests {
  enum V1 {
    final class Person: Object {
      @Persisted var fullName = ""
      @Persisted var age = ""
      @Persisted var email: String?
      @Persisted var since = Date()
    }
  }

  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([V0.Person.self, V0.Keyed.self]) { realm in
      for (index, name) in ["Ada", "Bob", "Ada"].enumerated() {
        realm.create(V0.Person.self, value: ["name": name, "age": index] as [String: Any])
        realm.create(V0.Keyed.self, value: ["id": index, "name": name] as [String: Any])
      }
    }
  }

  @Test(arguments: BlockMistake.allCases)
  func `A mistake in the block leaves the file untouched`(_ mistake: BlockMistake) throws {
    let error = try folder.expectUntouched([V1.Person.self, V0.Keyed.self], version: 1) {
      migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        new!["fullName"] = "changed"
        if old!["name"] as? String == "Bob" { mistake.make(migration, old!, new!) }
      }
      migration.deleteData(forType: "Keyed")
    }
    expectEqual(error?.code, .fail)
    expectEqual(error?.message, mistake.message)
    expectEqual(error?.fileURL, folder.file)
    try folder.open([V0.Person.self, V0.Keyed.self]) {
      expectEqual($0.objects(V0.Person.self).count, 3)
    }
  }

  @Test func `The error names ten values at most, and counts the others, nil included`() throws {
    enum V1 {
      final class Keyed: Object {
        @Persisted(primaryKey: true) var name: String?
        @Persisted var id = 0
        @Persisted var score = 0.0
      }
    }
    let folder = try TestFolder()
    try folder.write([V0.Keyed.self]) { realm in
      for index in 0..<60 {
        realm.create(
          V0.Keyed.self, value: ["id": index, "name": "n\(index % 15)"] as [String: Any])
      }
    }
    let error = try folder.expectUntouched([V1.Keyed.self], version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Keyed") { old, new in
        if (old!["id"] as? Int ?? 0) < 20 { new!["name"] = nil }
      }
    }
    let lines = try #require(error?.message.split(separator: "\n"))
    expectEqual(lines.count, 13)
    expectEqual(lines[1], "- nil occurs 20 times (_id 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)")
    expectEqual(lines[11], "- and 6 more values")
  }

  @Test func `A transaction that SQLite itself rolls back leaves the file untouched`() throws {
    try folder.execute(
      """
      CREATE TRIGGER keep BEFORE DELETE ON Person WHEN OLD.name = 'Bob'
      BEGIN SELECT RAISE(ROLLBACK, 'Bob stays'); END
      """)
    let error = try folder.expectUntouched([V0.Person.self, V0.Keyed.self], version: 1) {
      migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in
        migration.delete(new!)
        migration.create("Keyed", value: ["id": 100])
      }
      migration.deleteData(forType: "Keyed")
    }
    expectEqual(error?.message.contains("Bob stays"), true)
  }

  @Test func `A file that starts over and can't be created again is untouched`() throws {
    enum V1 {
      final class Taken: Object { @Persisted var name = "" }
    }
    try folder.execute("CREATE TABLE Taken (name TEXT)")
    let before = try folder.dump()
    var configuration = folder.configuration([V1.Taken.self], version: 1)
    configuration.deleteRealmIfMigrationNeeded = true
    expectError(containing: "Class 'Taken' can't get a table") {
      try Realm(configuration: configuration)
    }
    try expectEqual(folder.dump(), before)
  }

  @Test func `A killed process leaves the file untouched`() async throws {
    let path = folder.file.path
    let before = try folder.dump()
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), schemaVersion: 1,
        migrationBlock: { migration, _ in
          migration.deleteData(forType: "Person")
          kill(getpid(), SIGKILL)
        }, objectTypes: [V0.Person.self])
      _ = try Realm(configuration: configuration)
    }
    try expectEqual(folder.dump(), before)
    try expectTrue(folder.isSound())
  }
}
