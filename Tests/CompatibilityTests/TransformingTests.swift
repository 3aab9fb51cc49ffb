import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Properties that SQLite computes, as docs/migrating.md shows them.
@Suite struct TransformingTests {
  private enum V1 {
    class Person: Object {
      @Persisted var firstName = ""
      @Persisted var lastName = ""
      @Persisted var age = 0
      @Persisted var email: String?
    }
  }

  private enum V2 {
    class Person: Object {
      @Persisted var fullName = ""
      @Persisted var age = ""
      @Persisted var group = ""
      @Persisted var email = ""
    }
  }

  private func migrated(_ block: MigrationBlock?) throws -> TestFile {
    let file = try TestFile()
    try file.write([V1.Person.self]) { realm in
      realm.create(V1.Person.self, value: ["Ada", "Lovelace", 36, "ada@example.com"])
      realm.create(V1.Person.self, value: ["Bob", "Ng", 8, nil] as [Any?])
    }
    try file.migrate([V2.Person.self], to: 1, block)
    return file
  }

  private func expectEverything(_ file: TestFile) throws {
    try file.open([V2.Person.self], version: 1) { realm in
      let people = realm.objects(V2.Person.self)
      expectEqual(people.map(\.fullName), ["Ada Lovelace", "Bob Ng"])
      expectEqual(people.map(\.age), ["36", "8"])
      expectEqual(people.map(\.group), ["adult", "child"])
      expectEqual(people.map(\.email), ["ada@example.com", "none"])
    }
  }

  @Test func `A transform is written with the classes`() throws {
    try expectEverything(
      migrated { migration, _ in
        migration.transform(V1.Person.self, V2.Person.self) { old, new in
          new.fullName = old.firstName + " " + old.lastName
          new.age = old.age.text
          new.group = .when(old.age < 18, then: "child", else: "adult")
          new.email = old.email ?? "none"
        }
      })
  }

  @Test func `A transform is written with names`() throws {
    try expectEverything(
      migrated { migration, _ in
        migration.transform("Person") { old, new in
          new["fullName"] = old["firstName"] + " " + old["lastName"]
          new["age"] = old["age"].text
          new["group"] = .when(old["age"] < 18, then: "child", else: "adult")
          new["email"] = old["email"] ?? "none"
        }
      })
  }
}
