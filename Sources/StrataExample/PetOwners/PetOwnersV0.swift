import Foundation
import Strata

/// Version 0: people only.
enum PetOwnersV0: PetOwners {
  class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(fileURL: file, objectTypes: [Person.self])
  }

  static func addAll(to realm: Realm) {
    for card in CardIndex.cards {
      realm.create(
        Person.self,
        value: ["firstName": card.firstName, "lastName": card.lastName, "age": card.age])
    }
  }
}
