import Foundation
import GRDB
import Strata

extension Case {
  static var createLinked: Case {
    Case(
      name: "create-linked",
      title: "closure that creates an object for each row, with a link to it",
      base: People.base,
      targets: [.ratio(to: .sql, atMost: 1.6)] + Target.linear,
      contestants: [
        Contestant(.strata, whole: createWithStrata),
        Contestant(.sql, whole: createWithSQL),
        Contestant(.grdbLoop, whole: createWithLoop),
      ])
  }
}

private func createWithStrata(_ file: URL) throws {
  let types = [PeopleWithCards.Person.self, PeopleWithCards.Card.self]
  try StrataFile.migrate(file, to: types) { migration, _ in
    migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
      newObject!["card"] = migration.create("Card", value: ["title": oldObject!["firstName"]!])
    }
  }
}

private let createCards = """
  CREATE TABLE Card (_id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL) STRICT;
  """
private let addLink =
  "ALTER TABLE Person ADD COLUMN card INTEGER REFERENCES Card ON DELETE SET NULL;"
private let createIndex = "CREATE INDEX \"Person.card\" ON Person (card);"

/// Rows of people are numbered without gaps, so a card can have the number of its person. A new
/// table for people takes longer than the update: the old one is overwritten when it goes.
private func createWithSQL(_ file: URL) throws {
  try PlainDatabase.migrate(
    file,
    sql: """
      \(createCards)
      INSERT INTO Card (_id, title) SELECT _id, firstName FROM Person ORDER BY _id;
      \(addLink)
      UPDATE Person SET card = _id;
      \(createIndex)
      """)
}

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
