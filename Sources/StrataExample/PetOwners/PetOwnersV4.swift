import Foundation
import Strata

/// Version 4: people live somewhere, and an address knows who lives there.
///
/// An address is an object of its own here: it stays when no person lives there any more.
enum PetOwnersV4: PetOwners {
  class Person: Object {
    @Persisted var fullName = ""
    @Persisted var age = 0
    @Persisted var pets: List<Pet>
    @Persisted var address: Address?
  }

  class Pet: Object {
    @Persisted var name = ""
    @Persisted var kind = Kind.dog
  }

  enum Kind: String, PersistableEnum {
    case dog, cat, bird
  }

  class Address: Object {
    @Persisted var street = ""
    @Persisted var city = ""
    @Persisted(originProperty: "address") var residents: LinkingObjects<Person>
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: file, schemaVersion: 4, objectTypes: [Person.self, Pet.self, Address.self])
  }

  static func addAll(to realm: Realm) {
    for card in CardIndex.cards {
      let person = realm.create(
        Person.self, value: ["fullName": card.fullName, "age": card.age])
      for pet in card.pets {
        person.pets.append(Pet(value: ["name": pet.name, "kind": pet.kind]))
      }
      person.address = card.address.map {
        Address(value: ["street": $0.street, "city": $0.city])
      }
    }
    for pet in CardIndex.strays {
      realm.create(Pet.self, value: ["name": pet.name, "kind": pet.kind])
    }
    let former = CardIndex.formerAddress
    realm.create(Address.self, value: ["street": former.street, "city": former.city])
  }
}
