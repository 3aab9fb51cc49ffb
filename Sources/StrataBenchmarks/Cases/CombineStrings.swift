import Foundation
import GRDB
import Strata

extension Case {
  static var combineStrings: Case {
    Case(
      name: "combine",
      title: "closure that combines two strings into a new property; the old ones go",
      base: People.base,
      targets: [
        .ratio(to: .sql, atMost: 1.5), .ratio(to: .grdbLoop, atMost: 0.4),
        .ratio(to: .grdbRebuild, atMost: 0.6),
      ] + Target.linear,
      contestants: [
        Contestant(.strata, whole: combineWithStrata),
        Contestant(.sql, whole: combineWithSQL),
        Contestant(.grdbLoop, whole: combineWithLoop),
        Contestant(.grdbRebuild, whole: combineWithRebuild),
      ])
  }
}

private func combineWithStrata(_ file: URL) throws {
  try StrataFile.migrate(file, to: [CombinedPeople.Person.self]) { migration, _ in
    migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
      let firstName = oldObject!["firstName"] as! String
      let lastName = oldObject!["lastName"] as! String
      newObject!["fullName"] = "\(firstName) \(lastName)"
    }
  }
}

private let createTable = """
  CREATE TABLE new_Person (
    _id INTEGER PRIMARY KEY AUTOINCREMENT, fullName TEXT NOT NULL, age INTEGER NOT NULL
  ) STRICT;
  """
private let replaceTable = "DROP TABLE Person; ALTER TABLE new_Person RENAME TO Person;"

private func combineWithSQL(_ file: URL) throws {
  try PlainDatabase.migrate(
    file,
    sql: """
      \(createTable)
      INSERT INTO new_Person (_id, fullName, age)
        SELECT _id, firstName || ' ' || lastName, age FROM Person ORDER BY _id;
      \(replaceTable)
      """)
}

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
    try db.execute(sql: createTable)
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
