import Foundation
import Strata

/// Version 2: one name instead of two.
///
/// The library can't know how two names become one. The migration block is called for each object
/// with the old one, which still has both, and the new one.
enum AddressBookV2: AddressBook {
  class Person: Object {
    @Persisted var id = 0
    @Persisted var fullName = ""
    @Persisted var age = 0
    @Persisted var email: String?
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: file, schemaVersion: 2,
      migrationBlock: { migration, oldSchemaVersion in
        if oldSchemaVersion < 2 {
          migration.enumerateObjects(ofType: Person.className()) { oldObject, newObject in
            let names: [String?] = [oldObject!["firstName"], oldObject!["lastName"]]
            // Some people have one name only.
            newObject!["fullName"] = names.compactMap(\.self).filter { !$0.isEmpty }
              .joined(separator: " ")
          }
        }
      },
      objectTypes: [Person.self])
  }

  static func person(_ entry: Entry) -> Person {
    let person = Person()
    person.id = entry.id
    person.fullName = entry.fullName
    person.age = entry.age
    person.email = entry.email
    return person
  }
}
