import Foundation
import Strata

/// A program for people and their dogs that was written with RealmSwift, and is at version 4 today.
///
/// `Fixtures/Dogs-v3.realm` is what RealmSwift left behind at version 3. There people had a `name`,
/// dogs an `age` in whole years, and a class `Never` had no objects. The classes of version 3 are
/// not needed any more.
enum Dogs {
  class Person: Object {
    @Persisted(indexed: true) var fullName = ""
    @Persisted var dog: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var dogSet: MutableSet<Dog>
    @Persisted var dogMap: Map<String, Dog?>
    @Persisted var friend: Person?
    @Persisted var address: Address?
    @Persisted var addresses: List<Address>
    @Persisted var addressMap: Map<String, Address?>
  }

  class Dog: Object {
    @Persisted var name = ""
    @Persisted var months = 0
    @Persisted(originProperty: "dogs") var walkers: LinkingObjects<Person>
  }

  class Address: EmbeddedObject {
    @Persisted var street: String?
    @Persisted var country: Country?
  }

  class Country: EmbeddedObject {
    @Persisted var code = ""
    @Persisted var tags: List<String>
  }

  /// The same block as for any older file of this library.
  static func migrate(_ migration: Migration, _ oldSchemaVersion: UInt64) {
    if oldSchemaVersion < 4 {
      migration.renameProperty(onType: "Person", from: "name", to: "fullName")
      migration.enumerateObjects(ofType: "Dog") { old, new in
        let years: Int = old?["age"] ?? 0
        new?["months"] = 12 * years
      }
      migration.deleteData(forType: "Never")
    }
  }

  static func configuration(_ file: URL, convertingFrom realmFile: URL) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: file, schemaVersion: 4, migrationBlock: migrate,
      objectTypes: [Person.self, Dog.self, Address.self, Country.self])
    configuration.convertsRealmFile = .automatically(from: realmFile)
    return configuration
  }
}
