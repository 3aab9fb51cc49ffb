import Foundation
import Strata

/// Version 5, the newest: the number of an entry becomes the primary key.
///
/// Both offices began to number at 1, and some entries were typed twice. The migration fails, and
/// names the numbers, unless the block leaves each with one person.
enum AddressBookV5: AddressBook {
  class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var fullName = ""
    @Persisted var yearsSinceBirth = ""
    @Persisted var email: String?
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: file, schemaVersion: 5,
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
        if oldSchemaVersion < 5 { makeNumbersUnique(migration) }
      },
      objectTypes: [Person.self])
  }

  /// Deletes entries that were typed twice. The first entry with a number keeps it, and the
  /// others get new ones, after the highest.
  ///
  /// This is done last and looks at new objects, which by now are the same for files of each
  /// version.
  private static func makeNumbersUnique(_ migration: Migration) {
    var highest = 0
    migration.enumerateObjects(ofType: Person.className()) { oldObject, _ in
      highest = max(highest, oldObject!["id"] ?? 0)
    }
    var entries: Set<[String?]> = []
    var numbers: Set<Int> = []
    migration.enumerateObjects(ofType: Person.className()) { _, newObject in
      let number: Int = newObject!["id"] ?? 0
      let entry: [String?] = [
        "\(number)", newObject!["fullName"], newObject!["yearsSinceBirth"], newObject!["email"],
      ]
      if !entries.insert(entry).inserted {
        migration.delete(newObject!)
      } else if !numbers.insert(number).inserted {
        highest += 1
        newObject!["id"] = highest
      }
    }
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
