import Foundation
import Strata

/// Version 1: one name instead of two.
enum PetOwnersV1: PetOwners {
  class Person: Object {
    @Persisted var fullName = ""
    @Persisted var age = 0
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(fileURL: file, schemaVersion: 1, objectTypes: [Person.self])
  }

  static func addAll(to realm: Realm) {
    for card in CardIndex.cards {
      realm.create(Person.self, value: ["fullName": card.fullName, "age": card.age])
    }
  }
}
