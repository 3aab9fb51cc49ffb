import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Migration methods that change the objects of a condition, without loops.
@Suite struct ConditionedChangesTests {
  typealias V1 = Conditions.V1
  typealias V2 = Conditions.V2
  typealias V3 = Conditions.V3

  let folder: TestFolder

  init() throws { folder = try Conditions.makeFile() }

  @Test func `Objects are deleted by a condition, with what is inside of them`() throws {
    let counts = Heard<String>()
    try folder.open(
      V2.objectTypes, version: 1,
      { migration, _ in
        migration.create("Person", value: ["name": "Cleo", "email": "a@x"])
        counts.add("\(migration.delete(ofType: "Person", where: "email == %@", "a@x"))")
        counts.add("\(migration.delete(ofType: "Person", where: "email == %@", "a@x"))")
        counts.add("\(migration.delete(ofType: "Dog", where: "name == 'Rex'"))")
        counts.add("\(migration.delete(ofType: "Missing", where: "x == 1"))")
        migration.enumerateObjects(ofType: "Person") { old, _ in
          counts.add("\(old?["name"] ?? "")")
        }
      }
    ) { realm in
      expectEqual(counts.all, ["2", "0", "1", "0", "Bob"])
      expectEqual(realm.objects(V2.Person.self).map(\.name), ["Bob", "Cleo"])
      let bob = realm.objects(V2.Person.self)[0]
      expectTrue(bob.dog == nil && bob.dogs.map(\.name) == ["Fido"])
    }
    try expectEqual(folder.count(of: "Address"), 0)
  }

  @Test func `Duplicates are looked for among the objects of a condition`() throws {
    try folder.write(V1.objectTypes) { realm in
      realm.create(V1.Person.self, value: ["name": "Bob", "age": 1])
      realm.create(V1.Person.self, value: ["name": "Eve", "age": 2, "email": "a@x"])
    }
    let groups = Heard<String>()
    try folder.open(
      V2.objectTypes, version: 1,
      { migration, _ in
        let done = migration.resolveDuplicates(
          ofType: "Person", property: "email", keeping: .last, where: "email != nil AND age > %@", 2
        )
        groups.add("\(done.groupCount) \(done.removedCount)")
        let none = migration.resolveDuplicates(
          ofType: "Person", property: "name", keeping: .first, where: "age > 100")
        groups.add("\(none.groupCount) \(none.removedCount)")
      }
    ) { realm in
      expectEqual(groups.all, ["1 1", "0 0"])
      expectEqual(realm.objects(V2.Person.self).map(\.name), ["Bob", "Émile", "Bob", "Eve"])
    }
  }

  @Test func `A transform sets the objects of a condition, and the others keep their values`()
    throws
  {
    try folder.open(
      V2.objectTypes, version: 1,
      { migration, _ in
        migration.transform(
          V1.Person.self, V2.Person.self, where: "age < %@ AND dog.name == 'Rex'", 10
        ) { old, new in
          new.group = "child " + old.name
          new.age = old.age + 100
        }
      }
    ) { realm in
      expectEqual(realm.objects(V2.Person.self).map(\.group), ["adult", "child Bob", "adult"])
      expectEqual(realm.objects(V2.Person.self).map(\.age), [36, 108, 9])
    }
    try folder.open(
      V3.objectTypes, version: 2,
      { migration, _ in
        migration.transform("Person", where: "age < 40") { old, new in
          new["age"] = old["age"].text
          new["email"] = "none"
        }
      }
    ) { realm in
      expectEqual(realm.objects(V3.Person.self).map(\.age), ["36", "unknown", "9"])
      expectEqual(realm.objects(V3.Person.self).map(\.email), ["none", nil, "none"])
      expectEqual(realm.objects(V3.Person.self).map(\.group), ["adult", "child Bob", "adult"])
    }
  }

  enum Named: VersionedSchema {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var key = UUID().uuidString
    }
    static let version = 1
    static let objectTypes: [ObjectBase.Type] = [Person.self]
  }

  @Test func `A transform with a condition refuses a default that each object has its own of`()
    throws
  {
    let error = try folder.expectUntouched(Named.objectTypes, version: 1) { migration, _ in
      migration.transform("Person", where: "age < 10") { old, new in
        new["key"] = old["name"]
      }
    }
    expectEqual(
      error?.message,
      """
      Cannot transform 'Person.key': its default differs for each object, and the objects that \
      don't meet the condition need a default. Set it in 'enumerateObjects', or for all objects \
      in a 'transform' without a condition.
      """)
  }

  private static let calls: [(String, MigrationBlock)] = [
    (
      "enumerateObjects",
      { migration, _ in
        migration.enumerateObjects(ofType: "Person", where: "agee > 3") { _, _ in
          Issue.record("An object came.")
        }
      }
    ),
    (
      "enumerate",
      { migration, _ in
        migration.enumerate(V1.Person.self, V2.Person.self, where: "agee > 3") { _, _ in
          Issue.record("An object came.")
        }
      }
    ),
    ("delete", { migration, _ in migration.delete(ofType: "Person", where: "agee > 3") }),
    (
      "resolveDuplicates",
      { migration, _ in
        migration.resolveDuplicates(
          ofType: "Person", property: "name", keeping: .first, where: "agee > 3")
      }
    ),
    (
      "transform",
      { migration, _ in
        migration.transform("Person", where: "agee > 3") { _, new in new["group"] = "x" }
      }
    ),
    (
      "transform with classes",
      { migration, _ in
        migration.transform(V1.Person.self, V2.Person.self, where: "agee > 3") { _, new in
          new.group = "x"
        }
      }
    ),
  ]

  @Test(arguments: calls.indices)
  func `A wrong condition fails the migration, and the file stays as it was`(_ index: Int) throws {
    let error = try folder.expectUntouched(V2.objectTypes, version: 1, Self.calls[index].1)
    expectEqual(
      error?.message,
      """
      Invalid keypath 'agee': Property 'agee' not found in object of type 'Person'. It has: name, \
      age, email, dog, dogs, tags, scores, home, value, size. Did you mean 'age'? (A condition \
      for the old objects of 'Person', which have the names and types of version 0.)
      """, "\(Self.calls[index].0)")
  }

  @Test func `Values of arguments are not in the log`() throws {
    let error = try folder.expectUntouched(V2.objectTypes, version: 1) { migration, _ in
      migration.delete(ofType: "Person", where: "age == %@", "secret")
    }
    expectEqual(error?.message.contains("'secret'"), true)
    expectEqual(error?.loggedMessage.contains("secret"), false)
  }

  @Test(arguments: [false, true])
  func `Objects are no arguments`(isTyped: Bool) throws {
    let error = try folder.expectUntouched(V2.objectTypes, version: 1) { migration, _ in
      if isTyped {
        migration.enumerate(V1.Dog.self) { old in
          migration.delete(ofType: "Person", where: "dog IN %@", [old])
        }
      } else {
        migration.enumerateObjects(ofType: "Dog") { old, _ in
          migration.delete(ofType: "Person", where: "dog == %@", old as Any)
        }
      }
    }
    expectEqual(
      error?.message.hasPrefix("An object can't be an argument of a condition in a migration. "),
      true)
  }

  @Test func `Objects of a class that the program lost can't be deleted by a condition`() throws {
    let error = try folder.expectUntouched([V1.Dog.self], version: 1) { migration, _ in
      migration.delete(ofType: "Person", where: "age > 3")
    }
    expectEqual(
      error?.message,
      """
      Cannot delete objects of 'Person': it is not a class of the program. It has: Dog. Delete all \
      of them with 'deleteData(forType: "Person")'.
      """)
  }
}
