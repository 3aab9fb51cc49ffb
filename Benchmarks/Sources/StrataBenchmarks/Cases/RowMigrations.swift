import Foundation
import GRDB
import Strata
import Synchronization

/// Migrations with a closure that visits all rows of an unchanged class.
extension Case {
  static var editEveryRow: Case {
    Case(
      name: "edit",
      title: "closure that edits one property of every row, and nothing else",
      base: People.base,
      targets: [.ratio(to: .sql, atMost: 1.5)] + Target.linear,
      contestants: [
        .strata(to: [People.Person.self]) { migration, _ in
          migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
            let age: Int? = oldObject!["age"]
            newObject!["age"] = age! + 1
          }
        },
        .sql(migration: "UPDATE Person SET age = age + 1"),
        Contestant(.grdbLoop, whole: { try editAges($0) { $0 + 1 } }),
      ])
  }

  static var editFewRows: Case {
    Case(
      name: "edit-few",
      title: "closure that reads all rows and edits one in a hundred",
      base: People.base,
      targets: [.ratio(to: .sql, atMost: 1.5)] + Target.linear,
      contestants: [
        .strata(to: [People.Person.self]) { migration, _ in
          migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
            let age: Int? = oldObject!["age"]
            if age == 42 { newObject!["age"] = 43 }
          }
        },
        .sql(migration: "UPDATE Person SET age = 43 WHERE age = 42"),
        Contestant(.grdbLoop, whole: { try editAges($0) { $0 == 42 ? 43 : nil } }),
      ])
  }

  static var iterateInMigration: Case {
    Case(
      name: "read-old",
      title: "closure that reads two properties of every row, and changes nothing",
      base: People.base,
      targets: [.ratio(to: .grdb, atMost: 1)] + Target.linear,
      contestants: [
        Contestant(.strata) { try readWithStrata($0) { $0["age"]! } },
        Contestant(.sql, readWithSQL), Contestant(.grdb, readWithRows),
      ])
  }

  static var castInMigration: Case {
    Case(
      name: "cast-old",
      title: "the same, with a number that is cast from a box, as in RealmSwift",
      base: People.base,
      targets: Target.linear,
      contestants: [
        Contestant(.strata) { try readWithStrata($0) { $0["age"] as! Int } },
        Contestant(.sql, readWithSQL), Contestant(.grdb, readWithRows),
      ])
  }
}

/// - Parameter change: Returns the new age; nil to keep the old one.
private func editAges(_ file: URL, _ change: (Int) -> Int?) throws {
  try PlainDatabase.migrate(file) { db in
    let update = try db.makeStatement(sql: "UPDATE Person SET age = ? WHERE _id = ?")
    let rows = try Row.fetchCursor(db, sql: "SELECT _id, age FROM Person")
    while let row = try rows.next() {
      let id: Int64 = row[0]
      if let age = change(row[1]) { try update.execute(arguments: [age, id]) }
    }
  }
}

private func readWithStrata(
  _ trial: Trial, age: @escaping @Sendable (MigrationObject) -> Int
) throws {
  let answer = Mutex(0)
  try trial.time {
    try StrataFile.migrate(trial.file, to: [People.Person.self]) { migration, _ in
      var sum = 0
      migration.enumerateObjects(ofType: "Person") { oldObject, _ in
        sum += age(oldObject!)
        sum += (oldObject!["firstName"] as! String).utf8.count
      }
      answer.withLock { $0 = sum }
    }
  }
  trial.answer = answer.withLock { $0 }
}

private func readWithSQL(_ trial: Trial) throws {
  trial.answer = try trial.time {
    try PlainDatabase.read(trial.file) { db in
      try Int.fetchOne(
        db, sql: "SELECT sum(age + length(CAST(firstName AS BLOB))) FROM Person") ?? 0
    }
  }
}

private func readWithRows(_ trial: Trial) throws {
  trial.answer = try trial.time {
    try PlainDatabase.read(trial.file) { db in
      var sum = 0
      let rows = try Row.fetchCursor(db, sql: "SELECT * FROM Person")
      while let row = try rows.next() {
        let age: Int = row["age"]
        let firstName: String = row["firstName"]
        sum += age + firstName.utf8.count
      }
      return sum
    }
  }
}
