import Strata
import StrataTestKit
import TestKit
import Testing

@Suite struct TypedTests {
  /// Opens a file at version 1 with one stage to the second.
  private func migrate<Result>(
    _ migrate: @escaping MigrationStage.Migrate, _ body: (Realm) throws -> Result
  ) throws -> Result {
    let folder = try TestFolder()
    try folder.makeV1()
    let plan: SchemaMigrationPlan = [
      .version(V1.self),
      MigrationStage.version(V2.self, migrate: migrate)
        .dropping("Person.firstName", "Person.lastName"),
    ]
    return try body(Realm(configuration: folder.plan(plan)))
  }

  private func message(_ closure: @escaping MigrationStage.Migrate) -> String {
    let error = #expect(throws: Realm.Error.self) { try migrate(closure) { _ in } }
    return error?.message ?? ""
  }

  @Test func `Objects are read and written as instances of their classes`() throws {
    try migrate { migration in
      migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
        new.fullName = old.firstName + " " + old.lastName
        expectEqual(new.fullName, old.firstName + " " + old.lastName)
        expectEqual(new.age, old.age)
        new.age += 1
      }
    } _: { realm in
      let persons = realm.objects(V2.Person.self)
      expectEqual(persons.map(\.fullName), ["Ada Lovelace", "Alan Turing"])
      expectEqual(persons.map(\.age), [37, 42])
    }
  }

  @Test func `Reading a property in a typed closure carries it over`() throws {
    let folder = try TestFolder()
    try folder.makeV1()
    let plan: SchemaMigrationPlan = [
      .version(V1.self),
      .version(V2.self) { migration in
        migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
          new.fullName = old.firstName + " " + old.lastName
        }
      },
    ]
    let realm = try Realm(configuration: folder.plan(plan))
    expectEqual(realm.objects(V2.Person.self).map(\.fullName), ["Ada Lovelace", "Alan Turing"])
  }

  @Test func `Lists lead to objects of the same side`() throws {
    try migrate { migration in
      migration.enumerate(V1.Person.self, V2.Person.self) { old, new in
        for dog in new.dogs { dog.name += "!" }
        expectEqual(old.dogs.map(\.name), (old.age == 36 ? ["Rex"] : []))
        let dog = migration.create(V2.Dog.self, value: ["name": "Second"])
        new.dogs.append(dog)
        new.dogs.append(V2.Dog(value: ["name": "In memory"]))
        dog.name = "\(old.firstName)'s second"
      }
    } _: { realm in
      let names = realm.objects(V2.Person.self).map { Array($0.dogs.map(\.name)) }
      expectEqual(
        Array(names), [["Rex!", "Ada's second", "In memory"], ["Alan's second", "In memory"]])
    }
  }

  @Test func `Objects that the closure keeps remain usable`() throws {
    try migrate { migration in
      var kept: [(V1.Dog, V2.Dog)] = []
      var persons: [V2.Person] = []
      migration.enumerate(V1.Dog.self, V2.Dog.self) { kept.append(($0, $1)) }
      migration.enumerate(V1.Person.self, V2.Person.self) { persons.append($1) }
      kept[0].1.name = "New"
      expectEqual(kept[0].0.name, "Rex")
      persons[1].fullName = "Second"
      persons[0].fullName = "First"
      migration.delete(kept[0].1)
    } _: { realm in
      expectEqual(realm.objects(V2.Person.self).map(\.fullName), ["First", "Second"])
      expectTrue(realm.objects(V2.Dog.self).isEmpty)
    }
  }

  @Test func `Old objects can be enumerated alone`() throws {
    try migrate { migration in
      var names: [String] = []
      migration.enumerate(V1.Person.self) { names.append($0.lastName) }
      expectEqual(names, ["Lovelace", "Turing"])
    } _: { _ in
    }
  }

  @Test func `An object in memory that was linked is changed in the file`() throws {
    try migrate { migration in
      let dog = V2.Dog()
      migration.enumerate(V1.Person.self, V2.Person.self) { _, new in
        if new.age == 41 { new.dogs.append(dog) }
      }
      dog.name = "Later"
    } _: { realm in
      expectEqual(realm.objects(V2.Person.self).map { $0.dogs.last?.name }, ["Rex", "Later"])
    }
  }

  @Test func `Old objects can't be changed`() {
    let text = message { migration in
      migration.enumerate(V1.Person.self, V2.Person.self) { old, _ in old.age = 1 }
    }
    expectEqual(
      text,
      "Cannot modify managed objects outside of a write transaction. ('Person.age' of an "
        + "old object)")
  }

  @Test func `The old class must match the file`() {
    let text = message { migration in
      migration.enumerate(V2.Person.self, V2.Person.self) { _, _ in }
    }
    expectTrue(text.contains("is not the class that old objects of 'Person' have"))
    expectTrue(text.contains("- Property 'Person.fullName' has been added."))
  }

  @Test func `The new class must be that of the version`() {
    let text = message { migration in
      migration.enumerate(V1.Person.self, V3.Person.self) { _, _ in }
    }
    expectTrue(text.contains("V3.Person' is not the class that new objects of 'Person' have"))
  }

  @Test func `Classes of other names have no pairs`() {
    let text = message { migration in
      migration.enumerate(V1.Person.self, V2.Dog.self) { _, _ in }
    }
    expectEqual(
      text,
      "Objects of 'Person' don't become objects of 'Dog' in this migration. Give the class "
        + "of the same name, or call 'renameClass(from: \"Person\", to: \"Dog\")' first.")
  }
}
