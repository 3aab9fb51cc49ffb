import Foundation
import Strata

/// Version 1: people get an email address.
///
/// A new property needs no migration block, only a higher version: people in the file have no
/// address yet.
enum AddressBookV1: AddressBook {
  class Person: Object {
    @Persisted var id = 0
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
    @Persisted var email: String?
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(fileURL: file, schemaVersion: 1, objectTypes: [Person.self])
  }

  static func person(_ entry: Entry) -> Person {
    let person = Person()
    person.id = entry.id
    person.firstName = entry.firstName
    person.lastName = entry.lastName
    person.age = entry.age
    person.email = entry.email
    return person
  }
}
