import Foundation
import Strata

/// Version 2: people have dogs. Whatever animal came in was entered as one.
enum PetOwnersV2: PetOwners {
  class Person: Object {
    @Persisted var fullName = ""
    @Persisted var age = 0
    @Persisted var dogs: List<Dog>
  }

  class Dog: Object {
    @Persisted var name = ""
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(fileURL: file, schemaVersion: 2, objectTypes: [Person.self, Dog.self])
  }

  static func addAll(to realm: Realm) {
    for card in CardIndex.cards {
      let person = realm.create(
        Person.self, value: ["fullName": card.fullName, "age": card.age])
      for pet in card.pets { person.dogs.append(Dog(value: ["name": pet.name])) }
    }
    for pet in CardIndex.strays { realm.create(Dog.self, value: ["name": pet.name]) }
  }
}
