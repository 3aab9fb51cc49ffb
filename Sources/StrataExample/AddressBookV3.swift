import Foundation
import Strata

/// Version 3: an age becomes a text, so that "about 40" can be written.
///
/// When the type of a property changes, its values are reset: the block carries them over. The old
/// object gives the number, the new one takes the text.
enum AddressBookV3: AddressBook {
  class Person: Object {
    @Persisted var id = 0
    @Persisted var fullName = ""
    @Persisted var age = ""
    @Persisted var email: String?
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: file, schemaVersion: 3,
      migrationBlock: { migration, oldSchemaVersion in
        if oldSchemaVersion < 2 {
          migration.enumerateObjects(ofType: Person.className()) { oldObject, newObject in
            let names: [String?] = [oldObject!["firstName"], oldObject!["lastName"]]
            newObject!["fullName"] = names.compactMap(\.self).filter { !$0.isEmpty }
              .joined(separator: " ")
          }
        }
        if oldSchemaVersion < 3 {
          migration.enumerateObjects(ofType: Person.className()) { oldObject, newObject in
            newObject!["age"] = "\(oldObject!["age"]!)"
          }
        }
      },
      objectTypes: [Person.self])
  }

  static func person(_ entry: Entry) -> Person {
    let person = Person()
    person.id = entry.id
    person.fullName = entry.fullName
    person.age = "\(entry.age)"
    person.email = entry.email
    return person
  }
}
