import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Conditions in a migration, as docs/migrating.md shows them.
@Suite struct MigratingConditionsTests {
  private enum V1 {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var dogs: List<Dog>
    }
    class Dog: Object {
      @Persisted var name = ""
    }
    class Visit: Object {
      @Persisted var end = Date(timeIntervalSince1970: 0)
    }
    static let types: [ObjectBase.Type] = [Person.self, Dog.self, Visit.self]
  }

  private enum V2 {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var dogs: List<V1.Dog>
      @Persisted var group = "adult"
    }
    static let types: [ObjectBase.Type] = [Person.self, V1.Dog.self, V1.Visit.self]
  }

  private static let deadline = Date(timeIntervalSince1970: 1_000)

  private func migrated(_ block: @escaping MigrationBlock) throws -> TestFile {
    let file = try TestFile()
    try file.write(V1.types) { realm in
      let rex = realm.create(V1.Dog.self, value: ["name": "Rex"])
      realm.create(
        V1.Person.self, value: ["name": "Ada", "age": 36, "dogs": [rex]] as [String: Any])
      realm.create(
        V1.Person.self, value: ["name": "Bob", "age": 8, "dogs": [rex]] as [String: Any])
      realm.create(V1.Person.self, value: ["name": "Cleo", "age": 9])
      for time in [999.0, 1_000] {
        realm.create(V1.Visit.self, value: ["end": Date(timeIntervalSince1970: time)])
      }
    }
    try file.migrate(V2.types, to: 1, block)
    return file
  }

  @Test func `Loops and deletions concern the objects of a condition`() throws {
    let file = try migrated { migration, _ in
      let deadline = Self.deadline
      migration.enumerateObjects(
        ofType: "Person", where: "age < %@ AND ANY dogs.name == %@", 18, "Rex"
      ) { oldObject, newObject in
        newObject!["group"] = "friend of Rex"
      }
      migration.delete(ofType: "Visit", where: "end < %@", deadline)
    }
    try file.open(V2.types, version: 1) { realm in
      expectEqual(realm.objects(V2.Person.self).map(\.group), ["adult", "friend of Rex", "adult"])
      expectEqual(realm.objects(V1.Visit.self).map(\.end), [Self.deadline])
    }
  }

  @Test func `A transform concerns the objects of a condition`() throws {
    let file = try migrated { migration, _ in
      migration.transform("Person", where: "age < %@", 18) { old, new in
        new["group"] = "child"
      }
    }
    try file.open(V2.types, version: 1) { realm in
      expectEqual(realm.objects(V2.Person.self).map(\.group), ["adult", "child", "child"])
    }
  }
}
