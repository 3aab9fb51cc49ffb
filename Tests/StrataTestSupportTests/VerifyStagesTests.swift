import Strata
import StrataTestSupport
import Testing

private enum Walk1: VersionedSchema {
  static let version = 1
  class Person: Object {
    @Persisted var name = ""
    @Persisted var home: Address?
  }
  class Dog: Object {
    @Persisted var name = ""
  }
  class Note: Object {
    @Persisted var text = ""
  }
  class Shop: Object {
    @Persisted var home: Address?
  }
  class Address: EmbeddedObject {
    @Persisted var city = ""
  }
}

/// Persons are dogs, and dogs are cats.
private enum Walk2: VersionedSchema {
  static let version = 2
  static let objectTypes: [ObjectBase.Type] = [
    Dog.self, Cat.self, Walk1.Shop.self, Walk1.Address.self,
  ]
  class Dog: Object {
    @Persisted var name = ""
    @Persisted var home: Walk1.Address?
  }
  class Cat: Object {
    @Persisted var name = ""
  }
}

private enum Walk3: VersionedSchema {
  static let version = 3
  static let objectTypes: [ObjectBase.Type] = [
    Walk2.Cat.self, Walk1.Note.self, Walk1.Shop.self, Walk1.Address.self,
  ]
}

/// Correct plans, in which the kit must find no mistake.
@Suite struct VerifyStagesTests {
  private static let stages: [MigrationStage] = [
    .version(Walk1.self),
    .version(Walk2.self).renamingClass("Dog", to: "Cat").renamingClass("Person", to: "Dog")
      .dropping("Note"),
    .version(Walk3.self).dropping("Dog"),
  ]

  private func verify(_ plan: SchemaMigrationPlan) async throws {
    try await verify(configuration(plan))
  }

  private func verify(_ newest: Realm.Configuration) async throws {
    let folder = try FixtureFolder()
    try folder.fixtures.expectFrozen(configuration([.version(Walk1.self)])) { realm in
      try realm.write {
        for name in ["Ada", "Alan"] {
          realm.create(Walk1.Person.self, value: ["name": name, "home": ["city": "Rome"]])
        }
        realm.create(Walk1.Dog.self, value: ["name": "Rex"])
        realm.create(Walk1.Note.self, value: ["text": "x"])
        realm.create(Walk1.Shop.self, value: ["home": ["city": "Oslo"]])
      }
    }
    try await folder.fixtures.verifyMigrations(to: newest)
  }

  @Test func `A class with the name of another one is another one`() async throws {
    try await verify(SchemaMigrationPlan(Array(Self.stages[..<2])))
  }

  @Test func `A class that was dropped comes back without objects`() async throws {
    try await verify(SchemaMigrationPlan(Self.stages))
  }

  @Test func `Stages that commit on their own are rolled back together`() async throws {
    try await verify(SchemaMigrationPlan(Self.stages, commits: .eachStage))
  }

  @Test func `A class that a closure has given another name is followed`() async throws {
    let closure = MigrationStage.version(Walk2.self) { migration in
      migration.renameClass(from: "Dog", to: "Cat")
      migration.renameClass(from: "Person", to: "Dog")
      migration.deleteData(forType: "Note")
    }
    try await verify([Self.stages[0], closure])
    try await verify([Self.stages[0], closure, Self.stages[2]])
  }

  @Test func `A class that a block has given another name is followed`() async throws {
    try await verify(
      Realm.Configuration(
        schemaVersion: 2,
        migrationBlock: { migration, _ in
          migration.renameClass(from: "Dog", to: "Cat")
          migration.renameClass(from: "Person", to: "Dog")
        },
        objectTypes: Walk2.objectTypes))
  }
}
