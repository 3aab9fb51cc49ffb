import Foundation
import GRDB
import Strata

extension Case {
  static var numberToText: Case {
    Case(
      name: "retype",
      title: "closure that makes a text of a number",
      base: People.base,
      targets: [.ratio(to: .sql, atMost: 1.5)] + Target.linear,
      contestants: [
        Contestant(.strata, whole: retypeWithStrata),
        Contestant(.sql, whole: retypeWithSQL),
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
        Contestant(.strata, whole: transformWithStrata),
        Contestant(.sql, whole: retypeWithSQL),
      ])
  }
}

private func transformWithStrata(_ file: URL) throws {
  try StrataFile.migrate(file, to: [PeopleWithAgeText.Person.self]) { migration, _ in
    migration.transform(People.Person.self, PeopleWithAgeText.Person.self) { old, new in
      new.age = old.age.text
    }
  }
}

private func retypeWithStrata(_ file: URL) throws {
  try StrataFile.migrate(file, to: [PeopleWithAgeText.Person.self]) { migration, _ in
    migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
      newObject!["age"] = String(oldObject!["age"] as! Int)
    }
  }
}

private let createTable = """
  CREATE TABLE new_Person (
    _id INTEGER PRIMARY KEY AUTOINCREMENT, firstName TEXT NOT NULL, lastName TEXT NOT NULL,
    age TEXT NOT NULL
  ) STRICT;
  """
private let replaceTable = "DROP TABLE Person; ALTER TABLE new_Person RENAME TO Person;"

private func retypeWithSQL(_ file: URL) throws {
  try PlainDatabase.migrate(
    file,
    sql: """
      \(createTable)
      INSERT INTO new_Person (_id, firstName, lastName, age)
        SELECT _id, firstName, lastName, CAST(age AS TEXT) FROM Person ORDER BY _id;
      \(replaceTable)
      """)
}

private func retypeWithRebuild(_ file: URL) throws {
  try PlainDatabase.migrate(file) { db in
    try db.execute(sql: createTable)
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
