import Foundation
import GRDB
import Strata

/// Migrations that compute new properties from old ones.
extension Case {
  static var combineStrings: Case {
    Case(
      name: "combine",
      title: "closure that combines two strings into a new property; the old ones are removed",
      base: People.base,
      targets: [
        .ratio(to: .sql, atMost: 1.5), .ratio(to: .grdbLoop, atMost: 0.4),
        .ratio(to: .grdbRebuild, atMost: 0.6),
      ] + Target.linear,
      contestants: [
        .strata(to: [People.Combined.Person.self]) { migration, _ in
          migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
            let firstName = oldObject!["firstName"] as! String
            let lastName = oldObject!["lastName"] as! String
            newObject!["fullName"] = "\(firstName) \(lastName)"
          }
        },
        .sql(
          migration: """
            \(createCombined)
            INSERT INTO new_Person (_id, fullName, age)
              SELECT _id, firstName || ' ' || lastName, age FROM Person ORDER BY _id;
            \(replaceTable)
            """),
        Contestant(.grdbLoop, whole: combineWithLoop),
        Contestant(.grdbRebuild, whole: combineWithRebuild),
      ])
  }

  static var numberToText: Case {
    Case(
      name: "retype",
      title: "closure that makes a text of a number",
      base: People.base,
      targets: [.ratio(to: .sql, atMost: 1.5)] + Target.linear,
      contestants: [
        .strata(to: [People.WithAgeText.Person.self]) { migration, _ in
          turnAgesIntoTexts(migration)
        },
        .sql(migration: retype),
        Contestant(.grdbRebuild, whole: retypeWithRebuild),
      ])
  }

  static var transformNumber: Case {
    Case(
      name: "transform",
      title: "expression that makes a text of a number",
      base: People.base,
      targets: [.ratio(to: .sql, atMost: 1.1)] + Target.linear,
      contestants: [
        .strata(to: [People.WithAgeText.Person.self]) { migration, _ in
          migration.transform(People.Person.self, People.WithAgeText.Person.self) { old, new in
            new.age = old.age.text
          }
        },
        .sql(migration: retype),
      ])
  }

  static var createLinked: Case {
    Case(
      name: "create-linked",
      title: "closure that creates an object for each row, with a link to it",
      base: People.base,
      targets: [.ratio(to: .sql, atMost: 1.6)] + Target.linear,
      contestants: [
        .strata(to: [People.WithCards.Person.self, People.WithCards.Card.self]) { migration, _ in
          migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
            newObject!["card"] = migration.create(
              "Card", value: ["title": oldObject!["firstName"]!])
          }
        },
        // Rows of people are numbered without gaps, so each card can have the number of its person.
        // Rebuilding the table takes longer than the update: a dropped table is overwritten.
        .sql(
          migration: """
            \(createCards)
            INSERT INTO Card (_id, title) SELECT _id, firstName FROM Person ORDER BY _id;
            \(addLink)
            UPDATE Person SET card = _id;
            \(createIndex)
            """),
        Contestant(.grdbLoop, whole: createWithLoop),
      ])
  }

  static var fiveChanges: Case {
    Case(
      name: "five",
      title: "two properties removed, one retyped by a closure, one added, one renamed",
      base: Contacts.base,
      targets: [.ratio(to: .oneByOne, atMost: 0.75)] + Target.linear,
      contestants: [
        .strata(to: [Contacts.WithTown.Person.self]) { migration, _ in
          migration.renameProperty(onType: "Person", from: "city", to: "town")
          turnAgesIntoTexts(migration)
        },
        .sql(
          migration: """
            CREATE TABLE new_Person (
              _id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, age TEXT NOT NULL,
              town TEXT NOT NULL, country TEXT NOT NULL
            ) STRICT;
            INSERT INTO new_Person (_id, name, age, town, country)
              SELECT _id, name, CAST(age AS TEXT), city, 'PT' FROM Person ORDER BY _id;
            \(replaceTable)
            """),
        Contestant(.oneByOne, whole: changeOneByOne),
      ])
  }
}

private let replaceTable = "DROP TABLE Person; ALTER TABLE new_Person RENAME TO Person;"

// MARK: Combined names

private let createCombined = """
  CREATE TABLE new_Person (
    _id INTEGER PRIMARY KEY AUTOINCREMENT, fullName TEXT NOT NULL, age INTEGER NOT NULL
  ) STRICT;
  """

private func combineWithLoop(_ file: URL) throws {
  try PlainDatabase.migrate(file) { db in
    try db.execute(sql: "ALTER TABLE Person ADD COLUMN fullName TEXT NOT NULL DEFAULT ''")
    let update = try db.makeStatement(sql: "UPDATE Person SET fullName = ? WHERE _id = ?")
    let rows = try Row.fetchCursor(db, sql: "SELECT _id, firstName, lastName FROM Person")
    while let row = try rows.next() {
      let id: Int64 = row[0]
      let firstName: String = row[1]
      let lastName: String = row[2]
      try update.execute(arguments: ["\(firstName) \(lastName)", id])
    }
    try db.execute(sql: "ALTER TABLE Person DROP COLUMN firstName")
    try db.execute(sql: "ALTER TABLE Person DROP COLUMN lastName")
  }
}

private func combineWithRebuild(_ file: URL) throws {
  try PlainDatabase.migrate(file) { db in
    try db.execute(sql: createCombined)
    let insert = try db.makeStatement(
      sql: "INSERT INTO new_Person (_id, fullName, age) VALUES (?, ?, ?)")
    let rows = try Row.fetchCursor(db, sql: "SELECT _id, firstName, lastName, age FROM Person")
    while let row = try rows.next() {
      let id: Int64 = row[0]
      let firstName: String = row[1]
      let lastName: String = row[2]
      let age: Int = row[3]
      try insert.execute(arguments: [id, "\(firstName) \(lastName)", age])
    }
    try db.execute(sql: replaceTable)
  }
}

// MARK: Ages as texts

private func turnAgesIntoTexts(_ migration: Migration) {
  migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
    let age: Int? = oldObject!["age"]
    newObject!["age"] = String(age!)
  }
}

private let createRetyped = """
  CREATE TABLE new_Person (
    _id INTEGER PRIMARY KEY AUTOINCREMENT, firstName TEXT NOT NULL, lastName TEXT NOT NULL,
    age TEXT NOT NULL
  ) STRICT;
  """

private let retype = """
  \(createRetyped)
  INSERT INTO new_Person (_id, firstName, lastName, age)
    SELECT _id, firstName, lastName, CAST(age AS TEXT) FROM Person ORDER BY _id;
  \(replaceTable)
  """

private func retypeWithRebuild(_ file: URL) throws {
  try PlainDatabase.migrate(file) { db in
    try db.execute(sql: createRetyped)
    let insert = try db.makeStatement(
      sql: "INSERT INTO new_Person (_id, firstName, lastName, age) VALUES (?, ?, ?, ?)")
    let rows = try Row.fetchCursor(db, sql: "SELECT _id, firstName, lastName, age FROM Person")
    while let row = try rows.next() {
      let id: Int64 = row[0]
      let firstName: String = row[1]
      let lastName: String = row[2]
      let age: Int = row[3]
      try insert.execute(arguments: [id, firstName, lastName, String(age)])
    }
    try db.execute(sql: replaceTable)
  }
}

// MARK: Cards

private let createCards = """
  CREATE TABLE Card (_id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL) STRICT;
  """
private let addLink =
  "ALTER TABLE Person ADD COLUMN card INTEGER REFERENCES Card ON DELETE SET NULL;"
private let createIndex = "CREATE INDEX \"Person.card\" ON Person (card);"

private func createWithLoop(_ file: URL) throws {
  try PlainDatabase.migrate(file) { db in
    try db.execute(sql: createCards)
    try db.execute(sql: addLink)
    let insert = try db.makeStatement(sql: "INSERT INTO Card (title) VALUES (?)")
    let update = try db.makeStatement(sql: "UPDATE Person SET card = ? WHERE _id = ?")
    let rows = try Row.fetchCursor(db, sql: "SELECT _id, firstName FROM Person")
    while let row = try rows.next() {
      let id: Int64 = row[0]
      let firstName: String = row[1]
      try insert.execute(arguments: [firstName])
      try update.execute(arguments: [db.lastInsertedRowID, id])
    }
    try db.execute(sql: createIndex)
  }
}

// MARK: Five changes

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
