import Foundation
import Strata
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
  class Person: Object {
    @Persisted(primaryKey: true) var name = ""
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

/// Nobody has a pet any more, and pets have no kind.
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
  class Person: Object {
    @Persisted var name: String?
    @Persisted var home: Address?
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

/// What a plan says and what then happens are the same.
@Suite struct ForecastTests {
  /// Makes a file, and returns what stands in the way of a plan, and the error of the migration.
  private func outcome(
    _ steps: SchemaStep..., fill: (Realm) -> Void
  ) throws -> (obstacles: [String], error: String?) {
    let folder = try TestFolder()
    do {
      let realm = try Realm(configuration: folder.plan([.version(Town1.self)]))
      try realm.write { fill(realm) }
    }
    let configuration = folder.plan(SchemaPlan([.version(Town1.self)] + steps))
    let obstacles = try Realm.migrationPlan(for: configuration).obstacles.map(\.description)
    do {
      _ = try Realm(configuration: configuration)
      return (obstacles, nil)
    } catch let error as Realm.Error {
      return (obstacles, error.message)
    }
  }

  @Test func `A parent that goes with its property is none`() throws {
    let shared = try outcome(.version(Town2.self).dropping("Person.work")) { realm in
      let address = realm.create(Town1.Address.self, value: ["city": "Rome"])
      realm.create(Town1.Person.self, value: ["home": address, "work": address])
    }
    #expect(shared.obstacles == [])
    #expect(shared.error == nil)
    let orphan = try outcome(.version(Town2.self).dropping("Person.work")) { realm in
      realm.create(Town1.Person.self, value: ["work": ["city": "Rome"]])
    }
    #expect(
      orphan.obstacles == [
        "'Address' becomes embedded, and 1 object has no parent: the migration fails."
      ]
    )
    #expect(orphan.error?.hasPrefix("Cannot convert 'Address' to embedded") == true)
  }

  @Test func `An object in an AnyRealmValue can't be embedded`() throws {
    let result = try outcome(.version(Town2.self)) { realm in
      let address = realm.create(Town1.Address.self, value: ["city": "Rome"])
      realm.create(Town1.Person.self, value: ["home": address]).note = .object(address)
    }
    #expect(
      result.obstacles == [
        "'Address' becomes embedded, and the AnyRealmValue 'Person.note' holds objects of it: the "
          + "migration fails."
      ])
    #expect(result.error?.contains("'Person.note'") == true)
  }

  @Test func `The default of a required key may be there already`() throws {
    let twice = try outcome(.version(Keyed2.self)) { realm in
      for name in [nil, ""] { realm.create(Town1.Person.self).name = name }
    }
    #expect(
      twice.obstacles == [
        "'Person.name' becomes the primary key, and 1 value is in more than one of 2 rows ('' 2 "
          + "times): the migration fails."
      ])
    #expect(twice.error?.contains("has duplicate values after migration") == true)
    let once = try outcome(.version(Keyed2.self)) { realm in
      for name in [nil, "Ada"] { realm.create(Town1.Person.self).name = name }
    }
    #expect(once.obstacles == [])
    #expect(once.error == nil)
  }

  @Test func `Values are followed through renamed classes and defaults`() throws {
    let result = try outcome(
      .version(Pets2.self).renamingClass("Dog", to: "Pet"), .version(Pets3.self)
    ) { realm in
      realm.create(Town1.Person.self, value: ["pet": ["name": "Rex"]])
      realm.create(Town1.Dog.self, value: ["name": "Lassie"])
    }
    #expect(
      result.obstacles == [
        "'Person.pet' loses its values in 1 row: the migration fails.",
        "'Pet.kind' loses its values in 2 rows: the migration fails.",
      ])
    #expect(
      result.error?.hasPrefix(
        """
        The step to schema version 3 would lose data:
        - 'Person.pet' goes, and 1 row has a value
        - 'Pet.kind' goes, and 2 rows have a value
        """) == true)
  }

  @Test func `A rename that takes the place of values is refused`() throws {
    let fill = { (realm: Realm) in
      for city in ["Rome", "Oslo"] {
        realm.create(
          Town1.Person.self, value: ["home": ["city": city], "work": ["city": "London"]])
      }
    }
    let step = SchemaStep.version(Replaced2.self).renaming("Person.work", to: "home")
    let result = try outcome(step, fill: fill)
    #expect(
      result.obstacles == ["'Person.home' loses its values in 2 rows: the migration fails."])
    #expect(
      result.error == """
        The step to schema version 2 would lose data:
        - 'Person.home' goes, and 2 rows have a value
        Carry the values over in the closure of the step, or say that they may go with \
        '.dropping("Person.home")'.
        """)
    let dropping = try outcome(step.dropping("Person.home"), fill: fill)
    #expect(dropping.obstacles == [])
    #expect(dropping.error == nil)
    let closure = SchemaStep.version(Replaced2.self) { migration in
      migration.renameProperty(onType: "Person", from: "work", to: "home")
    }
    #expect(try outcome(closure, fill: fill).error == result.error)
  }
}
