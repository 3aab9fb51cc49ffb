import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Pets1: VersionedSchema {
  static let version = 1
  class Person: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var pets: List<Pet>
    @Persisted var address: Address?
  }
  class Pet: Object {
    @Persisted var name = ""
  }
  class Address: Object {
    @Persisted var city = ""
  }
  class Note: Object {
    @Persisted var text = ""
  }
}

private enum Pets2: VersionedSchema {
  static let version = 2
  class Human: Object {
    @Persisted var name = ""
    @Persisted var years = 0
    @Persisted var pets: List<Pet>
    @Persisted var address: Address?
  }
  class Pet: Object {
    @Persisted var name = ""
  }
  class Address: EmbeddedObject {
    @Persisted var city = ""
  }
}

private enum Pets3: VersionedSchema {
  static let version = 3
  static let objectTypes: [ObjectBase.Type] = [
    Human.self, Pets2.Pet.self, Pets2.Address.self,
  ]
  class Human: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var pets: List<Pets2.Pet>
    @Persisted var address: Pets2.Address?
  }
}

private enum Linked1: VersionedSchema {
  static let version = 1
  class Owner: Object {
    @Persisted var pet: Dog?
  }
  class Dog: Object {
    @Persisted var name = ""
  }
}

private enum Linked2: VersionedSchema {
  static let version = 2
  class Owner: Object {
    @Persisted var pet: Animal?
  }
  class Animal: Object {
    @Persisted var name = ""
  }
}

@Suite struct StageDeclarationTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func makeFile(_ folder: TestFolder) throws {
    try folder.write(Pets1.self) { realm in
      let shared = realm.create(Pets1.Address.self, value: ["city": "Rome"])
      realm.create(Pets1.Address.self, value: ["city": "Nowhere"])
      for (number, name) in ["Ada", "Alan", "Ada"].enumerated() {
        let person = realm.create(Pets1.Person.self, value: ["name": name, "age": 30 + number])
        person.pets.append(realm.create(Pets1.Pet.self, value: ["name": "Pet of \(number)"]))
        person.address = number == 1 ? nil : shared
      }
      realm.create(Pets1.Note.self, value: ["text": "x"])
    }
  }

  private static let second = MigrationStage.version(Pets2.self)
    .renamingClass("Person", to: "Human").renaming("Human.age", to: "years")
    .embedding("Address", orphans: .delete, shared: .copy).dropping("Note")

  @Test func `A stage without a closure renames, embeds and drops what it declares`() throws {
    try makeFile(folder)
    let realm = try Realm(configuration: folder.plan([.version(Pets1.self), Self.second]))
    let humans = realm.objects(Pets2.Human.self)
    expectEqual(humans.map(\.years), [30, 31, 32])
    expectEqual(humans.map { $0.pets.map(\.name).joined() }, ["Pet of 0", "Pet of 1", "Pet of 2"])
    expectEqual(humans.map { $0.address?.city }, ["Rome", nil, "Rome"])
    try expectEqual(folder.sql { try $0.tableExists("Note") }, false)
    try expectFalse(folder.dump().contains("Nowhere"))
  }

  @Test func `The plan knows what is declared`() throws {
    try makeFile(folder)
    let plan = try Realm.migrationForecast(
      for: folder.plan([.version(Pets1.self), Self.second, .version(Pets3.self)]))
    expectEqual(
      plan.stages.map { $0.findings.map(\.description) },
      [
        [
          "'Note' is dropped, with 1 object.",
          "'Address' becomes embedded, and 1 object has no parent.",
          "'Address' becomes embedded, and 1 object has several parents.",
        ],
        [
          "'Human.years' loses its values in 3 rows: the migration fails.",
          "'Human.name' becomes the primary key, and 1 value is in more than one of 2 rows ('Ada' 2 "
            + "times): the migration fails.",
        ],
      ])
    expectEqual(plan.stages[0].operations.first?.text, "Rename class 'Person' to 'Human'.")
  }

  @Test func `A walk through renames and duplicates accounts for each object`() throws {
    try makeFile(folder)
    let configuration = folder.plan([
      .version(Pets1.self), Self.second,
      .version(Pets3.self) { migration in
        let resolution = migration.resolveDuplicates(ofType: "Human", keeping: .greatest("name"))
        expectEqual(resolution.removedCount, 1)
      }
      .dropping("Human.years"),
    ])
    let rows = try #require(configuration.reports().first).rows
    let realm = try Realm(configuration: configuration)
    expectEqual(realm.objects(Pets3.Human.self).map(\.name), ["Ada", "Alan"])
    expectEqual(rows[0], ["Address: 2 + 1 - 1 - 0 = 2"])
    expectTrue(rows[1].contains("Human: 3 + 0 - 0 - 1 = 2"))
  }

  @Test func `A link to a class with another name leads to the rename`() throws {
    try folder.write(Linked1.self) { realm in
      realm.add(Linked1.Owner(value: ["pet": ["name": "Rex"]]))
    }
    expectError(
      """
      The migration to schema version 2 would lose data:
      - 'Owner.pet' changes from '<Dog>' to '<Animal>', but 1 row still has a value
      If 'Animal' is the new name of 'Dog', say so: '.renamingClass("Dog", to: "Animal")'.
      Carry the values over in the closure of the stage, or say that they may go with \
      '.dropping("Owner.pet")'.
      """
    ) {
      try Realm(configuration: folder.plan([.version(Linked1.self), .version(Linked2.self)]))
    }
  }

  @Test func `A renamed class keeps values that would be lost otherwise`() throws {
    try makeFile(folder)
    let before = try folder.dump()
    expectError(containing: "- 'Human.age' is removed, but 3 rows still have a value") {
      try Realm(
        configuration: folder.plan([
          .version(Pets1.self),
          .version(Pets2.self).renamingClass("Person", to: "Human")
            .embedding("Address", orphans: .delete, shared: .copy),
        ]))
    }
    try expectEqual(folder.dump(), before)
  }
}
