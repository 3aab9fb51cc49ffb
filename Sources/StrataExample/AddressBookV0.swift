import Foundation
import Strata

/// Version 0: two offices type their paper lists into one file.
enum AddressBookV0: AddressBook {
  class Person: Object {
    /// The number of the entry in the list of its office. Both offices began at 1.
    @Persisted var id = 0
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
  }

  /// The first version of a program says nothing of versions: it is 0.
  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(fileURL: file, objectTypes: [Person.self])
  }

  static func person(_ entry: Entry) -> Person {
    let person = Person()
    person.id = entry.id
    person.firstName = entry.firstName
    person.lastName = entry.lastName
    person.age = entry.age
    return person
  }
}
