import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Town1: VersionedSchema {
  static let version = 1
  class Person: Object {
    @Persisted var name: String?
    @Persisted var home: Address?
    @Persisted var work: Address?
    @Persisted var note: AnyRealmValue
    @Persisted var pet: Dog?
  }
  class Address: Object {
    @Persisted var city = ""
  }
  class Dog: Object {
    @Persisted var name = ""
  }
}

/// Addresses are embedded, in one of the properties that led to them.
private enum Town2: VersionedSchema {
  static let version = 2
  class Person: Object {
    @Persisted var name: String?
    @Persisted var home: Address?
    @Persisted var note: AnyRealmValue
    @Persisted var pet: Dog?
  }
  class Address: EmbeddedObject {
    @Persisted var city = ""
  }
  class Dog: Object {
    @Persisted var name = ""
  }
}

/// Names are keys.
private enum Keyed2: VersionedSchema {
  static let version = 2
  static let objectTypes: [ObjectBase.Type] = [
    Person.self, Town1.Address.self, Town1.Dog.self,
  ]
  class Person: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var home: Town1.Address?
    @Persisted var work: Town1.Address?
    @Persisted var note: AnyRealmValue
    @Persisted var pet: Town1.Dog?
  }
}

/// Dogs are pets, and have a kind.
private enum Pets2: VersionedSchema {
  static let version = 2
  class Person: Object {
    @Persisted var name: String?
    @Persisted var home: Address?
    @Persisted var work: Address?
    @Persisted var note: AnyRealmValue
    @Persisted var pet: Pet?
  }
  class Address: Object {
    @Persisted var city = ""
  }
  class Pet: Object {
    @Persisted var name = ""
    @Persisted var kind = "dog"
    @Persisted var tag: String?
  }
}

/// Pets have no owners any more, and pets have no kind.
private enum Pets3: VersionedSchema {
  static let version = 3
  class Person: Object {
    @Persisted var name: String?
    @Persisted var home: Address?
    @Persisted var work: Address?
    @Persisted var note: AnyRealmValue
  }
  class Address: Object {
    @Persisted var city = ""
  }
  class Pet: Object {
    @Persisted var name = ""
  }
}

/// Home is where work was.
private enum Replaced2: VersionedSchema {
  static let version = 2
  static let objectTypes: [ObjectBase.Type] = [
    Person.self, Town1.Address.self, Town1.Dog.self,
  ]
  class Person: Object {
    @Persisted var name: String?
    @Persisted var home: Town1.Address?
    @Persisted var note: AnyRealmValue
    @Persisted var pet: Town1.Dog?
  }
}

private enum Keys1: VersionedSchema {
  static let version = 1
  class Tag: Object {
    @Persisted(primaryKey: true) var key = 0
  }
}

private enum Keys2: VersionedSchema {
  static let version = 2
  class Tag: Object {
    @Persisted(primaryKey: true) var key = ""
    @Persisted var id = UUID()
    @Persisted var number = 7
  }
}

private enum Keys3: VersionedSchema {
  static let version = 3
  class Tag: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var key = ""
    @Persisted var number = 7
  }
}

private enum Keys4: VersionedSchema {
  static let version = 4
  class Tag: Object {
    @Persisted var id = UUID()
    @Persisted var key = ""
    @Persisted var number = 7
    @Persisted(primaryKey: true) var last = 9
  }
}

/// The forecast of a plan compared with its migration.
@Suite struct ForecastTests {
  /// Makes a file. Returns the obstacles to a plan, and the error of its migration.
  private func outcome(
    _ stages: MigrationStage..., fill: (Realm) -> Void
  ) throws -> (obstacles: [String], error: String?) {
    let folder = try TestFolder()
    try folder.write(Town1.self, fill)
    let configuration = folder.plan(SchemaMigrationPlan([.version(Town1.self)] + stages))
    let obstacles = try Realm.migrationForecast(for: configuration).obstacles.map(\.description)
    do {
      _ = try Realm(configuration: configuration)
      return (obstacles, nil)
    } catch let error as Realm.Error {
      return (obstacles, error.message)
    }
  }

  @Test func `A parent that is removed with its property doesn't count`() throws {
    let shared = try outcome(.version(Town2.self).dropping("Person.work")) { realm in
      let address = realm.create(Town1.Address.self, value: ["city": "Rome"])
      realm.create(Town1.Person.self, value: ["home": address, "work": address])
    }
    expectEqual(shared.obstacles, [])
    expectNil(shared.error)
    let orphan = try outcome(.version(Town2.self).dropping("Person.work")) { realm in
      realm.create(Town1.Person.self, value: ["work": ["city": "Rome"]])
    }
    expectEqual(
      orphan.obstacles,
      [
        "'Address' becomes embedded, and 1 object has no parent: the migration fails."
      ]
    )
    expectEqual(orphan.error?.hasPrefix("Cannot convert 'Address' to embedded"), true)
  }

  @Test func `An object in an AnyRealmValue can't be embedded`() throws {
    let result = try outcome(.version(Town2.self)) { realm in
      let address = realm.create(Town1.Address.self, value: ["city": "Rome"])
      realm.create(Town1.Person.self, value: ["home": address]).note = .object(address)
    }
    expectEqual(
      result.obstacles,
      [
        "'Address' becomes embedded, and the AnyRealmValue 'Person.note' holds objects of it: the "
          + "migration fails."
      ])
    expectEqual(result.error?.contains("'Person.note'"), true)
  }

  @Test func `The default of a required key may be there already`() throws {
    let twice = try outcome(.version(Keyed2.self)) { realm in
      for name in [nil, ""] { realm.create(Town1.Person.self).name = name }
    }
    expectEqual(
      twice.obstacles,
      [
        "'Person.name' becomes the primary key, and 1 value is in more than one of 2 rows ('' 2 "
          + "times): the migration fails."
      ])
    expectEqual(twice.error?.contains("has duplicate values after migration"), true)
    let once = try outcome(.version(Keyed2.self)) { realm in
      for name in [nil, "Ada"] { realm.create(Town1.Person.self).name = name }
    }
    expectEqual(once.obstacles, [])
    expectNil(once.error)
  }

  @Test func `Values are followed through renamed classes and defaults`() throws {
    let result = try outcome(
      .version(Pets2.self).renamingClass("Dog", to: "Pet"), .version(Pets3.self)
    ) { realm in
      realm.create(Town1.Person.self, value: ["pet": ["name": "Rex"]])
      realm.create(Town1.Dog.self, value: ["name": "Lassie"])
    }
    expectEqual(
      result.obstacles,
      [
        "'Person.pet' loses its values in 1 row: the migration fails.",
        "'Pet.kind' loses its values in 2 rows: the migration fails.",
      ])
    expectEqual(
      result.error?.hasPrefix(
        """
        The migration to schema version 3 would lose data:
        - 'Person.pet' is removed, but 1 row still has a value
        - 'Pet.kind' is removed, but 2 rows still have a value
        """), true)
  }

  @Test func `A rename that would replace values is refused`() throws {
    let fill = { (realm: Realm) in
      for city in ["Rome", "Oslo"] {
        realm.create(
          Town1.Person.self, value: ["home": ["city": city], "work": ["city": "London"]])
      }
    }
    let stage = MigrationStage.version(Replaced2.self).renaming("Person.work", to: "home")
    let result = try outcome(stage, fill: fill)
    expectEqual(
      result.obstacles, ["'Person.home' loses its values in 2 rows: the migration fails."])
    expectEqual(
      result.error,
      """
      The migration to schema version 2 would lose data:
      - 'Person.home' is removed, but 2 rows still have a value
      Carry the values over in the closure of the stage, or say that they may go with \
      '.dropping("Person.home")'.
      """)
    let dropping = try outcome(stage.dropping("Person.home"), fill: fill)
    expectEqual(dropping.obstacles, [])
    expectNil(dropping.error)
    let closure = MigrationStage.version(Replaced2.self) { migration in
      migration.renameProperty(onType: "Person", from: "work", to: "home")
    }
    try expectEqual(outcome(closure, fill: fill).error, result.error)
  }

  @Test func `Keys have the values that the stages give them`() throws {
    let folder = try TestFolder()
    try folder.write(Keys1.self) { realm in
      for key in 1...3 { realm.create(Keys1.Tag.self, value: [key]) }
    }
    let text: SchemaMigrationPlan = [
      .version(Keys1.self), .version(Keys2.self).dropping("Tag.key"),
    ]
    try expectEqual(
      Realm.migrationForecast(for: folder.plan(text)).obstacles.map(\.description),
      [
        "'Tag.key' becomes the primary key, and 1 value is in more than one of 3 rows ('' 3 times): "
          + "the migration fails."
      ])
    #expect(throws: Realm.Error.self) { try Realm(configuration: folder.plan(text)) }
    let stages: [MigrationStage] = [
      .version(Keys1.self),
      .version(Keys2.self) { migration in
        migration.enumerate(Keys1.Tag.self, Keys2.Tag.self) { old, new in new.key = "\(old.key)" }
      },
      .version(Keys3.self),
    ]
    try expectEqual(
      Realm.migrationForecast(for: folder.plan(SchemaMigrationPlan(stages))).obstacles, [])
    let last = stages + [.version(Keys4.self)]
    let findings = try Realm.migrationForecast(for: folder.plan(SchemaMigrationPlan(last))).stages[
      2
    ].findings
    expectEqual(
      findings.map(\.description),
      [
        "'Tag.last' becomes the primary key, and 1 value is in more than one of 3 rows (9 3 times), "
          + "unless the closure handles it."
      ])
    #expect(throws: Realm.Error.self) {
      try Realm(configuration: folder.plan(SchemaMigrationPlan(last)))
    }
    try expectEqual(
      Realm(configuration: folder.plan(SchemaMigrationPlan(stages))).objects(Keys3.Tag.self)
        .count, 3)
  }
}
