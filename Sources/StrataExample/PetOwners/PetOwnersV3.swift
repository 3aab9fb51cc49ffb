import Foundation
import Strata

/// Version 3: not all of them are dogs. `Dog` becomes `Pet`, which has a kind.
enum PetOwnersV3: PetOwners {
  class Person: Object {
    @Persisted var fullName = ""
    @Persisted var age = 0
    @Persisted var pets: List<Pet>
  }

  class Pet: Object {
    @Persisted var name = ""
    @Persisted var kind = Kind.dog
  }

  enum Kind: String, PersistableEnum {
    case dog, cat, bird
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(fileURL: file, schemaVersion: 3, objectTypes: [Person.self, Pet.self])
  }

  static func addAll(to realm: Realm) {
    for card in CardIndex.cards {
      let person = realm.create(
        Person.self, value: ["fullName": card.fullName, "age": card.age])
      for pet in card.pets {
        person.pets.append(Pet(value: ["name": pet.name, "kind": pet.kind]))
      }
    }
    for pet in CardIndex.strays {
      realm.create(Pet.self, value: ["name": pet.name, "kind": pet.kind])
    }
  }
}
