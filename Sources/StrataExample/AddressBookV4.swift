import Foundation
import Strata

/// Version 4: `age` gets a better name.
///
/// A block goes from the version of the file straight to the newest classes. Files of version 3
/// have the text under its old name, so it is renamed; older ones have a number, which is written
/// under the new name at once.
enum AddressBookV4: AddressBook {
  class Person: Object {
    @Persisted var id = 0
    @Persisted var fullName = ""
    @Persisted var yearsSinceBirth = ""
    @Persisted var email: String?
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: file, schemaVersion: 4,
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
            newObject!["yearsSinceBirth"] = "\(oldObject!["age"]!)"
          }
        } else if oldSchemaVersion < 4 {
          migration.renameProperty(
            onType: Person.className(), from: "age", to: "yearsSinceBirth")
        }
      },
      objectTypes: [Person.self])
  }

  static func person(_ entry: Entry) -> Person {
    let person = Person()
    person.id = entry.id
    person.fullName = entry.fullName
    person.yearsSinceBirth = "\(entry.age)"
    person.email = entry.email
    return person
  }
}
