import Foundation
import GRDB
import Strata

extension Case {
  static var fiveChanges: Case {
    Case(
      name: "five",
      title: "two properties removed, one retyped by a closure, one added, one renamed",
      base: Contacts.base,
      targets: [.ratio(to: .oneByOne, atMost: 0.75)] + Target.linear,
      contestants: [
        Contestant(.strata, whole: changeAtOnce),
        Contestant(.sql, whole: changeWithSQL),
        Contestant(.oneByOne, whole: changeOneByOne),
      ])
  }
}

private func changeAtOnce(_ file: URL) throws {
  try StrataFile.migrate(file, to: [Contacts.WithTown.Person.self]) { migration, _ in
    migration.renameProperty(onType: "Person", from: "city", to: "town")
    turnAgesIntoTexts(migration)
  }
}

private func changeOneByOne(_ file: URL) throws {
  try StrataFile.migrate(file, to: [Contacts.WithoutPhone.Person.self], version: 1)
  try StrataFile.migrate(file, to: [Contacts.WithoutFax.Person.self], version: 2)
  try StrataFile.migrate(file, to: [Contacts.WithAgeText.Person.self], version: 3) {
    migration, _ in
    turnAgesIntoTexts(migration)
  }
  try StrataFile.migrate(file, to: [Contacts.WithCountry.Person.self], version: 4)
  try StrataFile.migrate(file, to: [Contacts.WithTown.Person.self], version: 5) { migration, _ in
    migration.renameProperty(onType: "Person", from: "city", to: "town")
  }
}

private func turnAgesIntoTexts(_ migration: Migration) {
  migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
    newObject!["age"] = String(oldObject!["age"] as! Int)
  }
}

private func changeWithSQL(_ file: URL) throws {
  try PlainDatabase.migrate(
    file,
    sql: """
      CREATE TABLE new_Person (
        _id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, age TEXT NOT NULL,
        town TEXT NOT NULL, country TEXT NOT NULL
      ) STRICT;
      INSERT INTO new_Person (_id, name, age, town, country)
        SELECT _id, name, CAST(age AS TEXT), city, 'PT' FROM Person ORDER BY _id;
      DROP TABLE Person;
      ALTER TABLE new_Person RENAME TO Person;
      """)
}
