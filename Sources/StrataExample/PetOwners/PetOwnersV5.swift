import Foundation
import Strata

/// Version 5, the newest: an address is a part of the person who lives there.
///
/// The block brings a file of every older version to this one at once. It sees the classes
/// of the file and those below, and nothing in between: `Dog` no longer exists, and yet files of
/// version 2 have it.
enum PetOwnersV5: PetOwners {
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

  class Address: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var city = ""
    @Persisted(originProperty: "address") var residents: LinkingObjects<Person>
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: file, schemaVersion: 5,
      migrationBlock: { migration, oldSchemaVersion in
        if oldSchemaVersion < 1 { joinNames(migration) }
        if oldSchemaVersion < 2 {
          addPets(migration)
        } else if oldSchemaVersion < 3 {
          turnDogsIntoPets(migration)
        }
        if oldSchemaVersion < 4 {
          addAddresses(migration)
        } else if oldSchemaVersion < 5 {
          // An address without residents has no parent.
          migration.embedObjects(ofType: Address.className(), orphans: .delete)
        }
      },
      objectTypes: [Person.self, Pet.self, Address.self])
  }

  /// Files of version 0: the old object has two names, the new one has one.
  private static func joinNames(_ migration: Migration) {
    migration.enumerateObjects(ofType: Person.className()) { oldObject, newObject in
      newObject!["fullName"] = "\(oldObject!["firstName"]!) \(oldObject!["lastName"]!)"
    }
  }

  /// Files of versions 0 and 1 have no pets: they are read from the cards.
  private static func addPets(_ migration: Migration) {
    migration.enumerateObjects(ofType: Person.className()) { _, newObject in
      let card = CardIndex.card(of: newObject!["fullName"])
      let pets = newObject!["pets"] as! List<MigrationObject>
      for pet in card?.pets ?? [] {
        pets.append(
          migration.create(Pet.className(), value: ["name": pet.name, "kind": pet.kind]))
      }
    }
    for pet in CardIndex.strays {
      migration.create(Pet.className(), value: ["name": pet.name, "kind": pet.kind])
    }
  }

  /// Files of version 2: each dog becomes a pet, also one without an owner, and takes the place of
  /// the dog in the list of its owner.
  private static func turnDogsIntoPets(_ migration: Migration) {
    var pets: [MigrationObject: MigrationObject] = [:]
    // The program has no class 'Dog' any more, so there is no new object.
    migration.enumerateObjects(ofType: "Dog") { oldObject, _ in
      let name: String = oldObject!["name"] ?? ""
      let kind = CardIndex.kind(of: name) ?? Kind.dog.rawValue
      pets[oldObject!] = migration.create(Pet.className(), value: ["name": name, "kind": kind])
    }
    migration.enumerateObjects(ofType: Person.className()) { oldObject, newObject in
      let dogs = oldObject!["dogs"] as! List<MigrationObject>
      newObject!["pets"] = dogs.compactMap { pets[$0] }
    }
    migration.deleteData(forType: "Dog")
  }

  /// Files of versions 0 to 3 have no addresses. A dictionary becomes the embedded object.
  private static func addAddresses(_ migration: Migration) {
    migration.enumerateObjects(ofType: Person.className()) { _, newObject in
      guard let address = CardIndex.card(of: newObject!["fullName"])?.address else { return }
      newObject!["address"] = ["street": address.street, "city": address.city]
    }
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
  }
}
