import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Kind: String, PersistableEnum {
  case cat, dog
}

private enum V0 {
  class Pet: Object {
    @Persisted var name = "nameless"
    @Persisted var kind = Kind.cat
    @Persisted var weight = 1.5
    @Persisted var chip: UUID?
  }
}

private enum Reordered {
  class Pet: Object {
    @Persisted var chip: UUID?
    @Persisted var weight = 1.5
    @Persisted var name = "nameless"
    @Persisted var kind = Kind.cat
  }
  class Dog: Object {
    @Persisted var name = ""
    @Persisted var weight = 0.0
  }
}

/// `Migration.create`.
@Suite("Creation in migrations") struct CreationTests {
  private func pets(
    _ add: @escaping @Sendable (Migration) -> Void
  ) throws -> [String] {
    let file = try TestFile()
    try file.migrate([V0.Pet.self], to: 0)
    try file.migrate([V0.Pet.self], to: 1) { migration, _ in add(migration) }
    return try file.open([V0.Pet.self], version: 1) { realm in
      realm.objects(V0.Pet.self).map { "\($0.name) \($0.kind.rawValue) \($0.weight)" }
    }
  }

  private func failure(_ add: @escaping @Sendable (Migration) -> Void) throws -> Realm.Error {
    let file = try TestFile()
    try file.write([V0.Pet.self]) { $0.add(V0.Pet()) }
    let error = try file.failure([V0.Pet.self], to: 1) { migration, _ in add(migration) }
    try expectEqual(file.values("Pet", "name"), ["nameless"])
    return error
  }

  @Test
  func `Objects are created from nothing, an array or a dictionary, with the class's defaults`()
    throws
  {
    let pets = try pets { migration in
      migration.create("Pet")
      migration.create("Pet", value: [])
      migration.create("Pet", value: ["Rex"])
      migration.create("Pet", value: ["Rex", "dog", 20])
      migration.create("Pet", value: ["weight": 3.25])
      migration.create(V0.Pet.className(), value: ["name": "Tom", "kind": "cat"])
    }
    expectEqual(
      pets,
      [
        "nameless cat 1.5", "nameless cat 1.5", "Rex cat 1.5", "Rex dog 20.0", "nameless cat 3.25",
        "Tom cat 1.5",
      ])
  }

  @Test func `An enum comes as a case or as its raw value`() throws {
    let pets = try pets { migration in
      migration.create("Pet", value: ["a", Kind.dog])
      migration.create("Pet", value: ["b", Kind.dog.rawValue])
      migration.create("Pet", value: ["name": "c", "kind": Kind.dog])
    }
    expectEqual(pets, ["a dog 1.5", "b dog 1.5", "c dog 1.5"])
  }

  @Test func `Values that are optional in an array are unwrapped`() throws {
    let pets = try pets { migration in
      let name: Any? = "Rex"
      migration.create("Pet", value: [name, Kind.dog.rawValue, nil as Double? ?? 2.0])
      migration.create("Pet", value: ["name": name as Any, "chip": nil as UUID? as Any])
    }
    expectEqual(pets, ["Rex dog 2.0", "Rex cat 1.5"])
  }

  @Test func `An unmanaged object is copied`() throws {
    let pets = try pets { migration in
      migration.create("Pet", value: V0.Pet(value: ["Rex", "dog", 4.0]))
    }
    expectEqual(pets, ["Rex dog 4.0"])
  }

  @Test func `The created object can be read, written and deleted`() throws {
    let pets = try pets { migration in
      let pet = migration.create("Pet", value: ["Rex"])
      expectEqual(pet["name"] as? String, "Rex")
      expectEqual(pet["kind"] as? String, "cat")
      expectNil(pet["chip"])
      pet["name"] = "Max"
      expectEqual(pet["name"] as? String, "Max")
      migration.delete(migration.create("Pet"))
    }
    expectEqual(pets, ["Max cat 1.5"])
  }

  @Test func `An old object is copied property by property`() throws {
    let file = try TestFile()
    try file.write([V0.Pet.self]) { $0.add(V0.Pet(value: ["Rex", "dog", 20.5])) }
    try file.migrate([V0.Pet.self, Reordered.Dog.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Pet") { old, new in
        if let old, let new {
          migration.create("Dog", value: old)
          migration.delete(new)
        }
      }
    }
    try file.open([V0.Pet.self, Reordered.Dog.self], version: 1) { realm in
      expectEqual(realm.objects(Reordered.Dog.self).map(\.name), ["Rex"])
      expectEqual(realm.objects(Reordered.Dog.self).map(\.weight), [20.5])
      expectTrue(realm.objects(V0.Pet.self).isEmpty)
    }
  }

  @Test func `Positions are those of the class, whatever order the file has`() throws {
    let file = try TestFile()
    try file.migrate([V0.Pet.self], to: 0)
    try file.migrate([Reordered.Pet.self], to: 1) { migration, _ in
      migration.create("Pet", value: [nil, 7.5, "Rex", "dog"] as [Any?])
    }
    try file.open([Reordered.Pet.self], version: 1) { realm in
      let pet = try #require(realm.objects(Reordered.Pet.self).first)
      expectEqual(pet.name, "Rex")
      expectEqual(pet.weight, 7.5)
      expectEqual(pet.kind, .dog)
      expectNil(pet.chip)
    }
  }

  @Test func `A value that doesn't fit is a mistake`() throws {
    let error = try failure { $0.create("Pet", value: ["weight": "heavy"]) }
    expectEqual(
      error.message, "Invalid value 'heavy' of type 'String' for 'double' property 'Pet.weight'.")
  }

  @Test func `An object can't be created from nil`() throws {
    let error = try failure { $0.create("Pet", value: Optional<Any>.none as Any) }
    expectEqual(error.message, "Must provide a non-nil value.")
  }
}
