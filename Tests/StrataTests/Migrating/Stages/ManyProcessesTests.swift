import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Several processes that open one file at the same moment.
@Suite("Several processes")
struct ManyProcessesTests {
  enum V1 {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var email: String?
      @Persisted var migrations = 0
    }
  }

  /// Opens the file at version 1 and adds a person; the block counts how often it ran.
  @Sendable static func openAndAdd(_ path: String) throws {
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), schemaVersion: 1,
      migrationBlock: { migration, _ in
        migration.enumerateObjects(ofType: "Person") { _, new in
          new!["migrations"] = (new!["migrations"] as? Int ?? 0) + 1
        }
        usleep(50_000)
      }, objectTypes: [V1.Person.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(V1.Person.self, value: ["name": "new"]) }
  }

  @Test(arguments: [false, true])
  func `Several processes migrate a file once`(isNew: Bool) async throws {
    let folder = try TestFolder()
    if !isNew {
      try folder.write([V0.Person.self]) { realm in
        realm.create(V0.Person.self, value: ["name": "old"])
      }
    }
    let path = folder.file.path
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            try ManyProcessesTests.openAndAdd(path)
          }
        }
      }
    }
    let rows = try folder.sql {
      try Row.fetchAll($0, sql: "SELECT name, migrations FROM Person ORDER BY _id")
    }
    let added = Array(repeating: ["name": "new", "migrations": 0] as Row, count: 4)
    expectEqual(rows, (isNew ? [] : [["name": "old", "migrations": 1]]) + added)
    try expectTrue(folder.isSound())
    try expectEqual(schemaVersionAtURL(folder.file), 1)
  }

  @Test func `A schema that another process changed is noticed`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([V0.Person.self]))
    try realm.write { realm.create(V0.Person.self) }
    try folder.execute(
      "INSERT INTO strata_schema_version (version, schema, migrated_at) SELECT 5, schema, migrated_at FROM strata_schema_version"
    )
    expectError(
      "Unsupported schema changes were made by another client or process: the file is "
        + "at schema version 5 now, and was opened at 0. Close the realm and open it with the new "
        + "version."
    ) { try realm.write {} }
  }

  @Test
  func `A schema that another process changed is noticed each time, not only the first`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([V0.Person.self]))
    try realm.write { realm.create(V0.Person.self) }
    try folder.execute(
      "INSERT INTO strata_schema_version (version, schema, migrated_at) SELECT 5, schema, migrated_at FROM strata_schema_version"
    )
    for _ in 0..<3 {
      #expect(throws: Realm.Error.self) { try realm.write { realm.create(V0.Person.self) } }
    }
    expectEqual(realm.objects(V0.Person.self).count, 1)
  }
}
