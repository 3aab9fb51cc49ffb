import Foundation
import GRDB
import Strata

/// Writes without a migration.
extension Case {
  static var addObjects: Case {
    Case(
      name: "add",
      title: "new objects, all added in one write",
      base: NumberedPeople.empty,
      targets: [
        .ratio(to: .grdbLoop, atMost: 0.6), .ratio(to: .grdbRecords, atMost: 0.2),
        .growth(atMost: 1.3),
      ],
      contestants: [
        Contestant(.strata) { trial in
          try trial.time { try addWithStrata(trial.file, rows: trial.rows) }
        },
        Contestant(.sql) { trial in
          try trial.time { try addWithSQL(trial.file, rows: trial.rows) }
        },
        Contestant(.grdbLoop) { trial in
          try trial.time { try addWithLoop(trial.file, rows: trial.rows) }
        },
        Contestant(.grdbRecords) { trial in
          try trial.time { try addWithRecords(trial.file, rows: trial.rows) }
        },
      ])
  }

  static var changeEveryObject: Case {
    Case(
      name: "change",
      title: "one property of every object changed in one write",
      base: People.base,
      targets: [.ratio(to: .grdbLoop, atMost: 1)] + Target.linear,
      contestants: [
        Contestant(.strata, whole: changeWithStrata),
        .sql(write: "UPDATE Person SET age = age + 1"),
        Contestant(.grdbLoop, whole: changeWithLoop),
      ])
  }
}

private func addWithStrata(_ file: URL, rows: Int) throws {
  let realm = try StrataFile.open(file, [NumberedPeople.Person.self])
  try realm.write {
    for number in 1...rows { realm.add(NumberedPeople.person(number)) }
  }
}

private func addWithSQL(_ file: URL, rows: Int) throws {
  try PlainDatabase.write(file) { db in
    try db.execute(
      sql: """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
        INSERT INTO Person (id, firstName, lastName, age)
          SELECT n, 'First ' || n, 'Last ' || n, n % 100 FROM number
        """, arguments: [rows])
  }
}

private func addWithLoop(_ file: URL, rows: Int) throws {
  try PlainDatabase.write(file) { db in
    let insert = try db.makeStatement(
      sql: "INSERT INTO Person (id, firstName, lastName, age) VALUES (?, ?, ?, ?)")
    for index in 1...rows {
      try insert.execute(arguments: [index, "First \(index)", "Last \(index)", index % 100])
    }
  }
}

private func addWithRecords(_ file: URL, rows: Int) throws {
  try PlainDatabase.write(file) { db in
    for index in 1...rows {
      let person = NumberedPersonRecord(
        id: index, firstName: "First \(index)", lastName: "Last \(index)", age: index % 100)
      try person.insert(db)
    }
  }
}

private func changeWithStrata(_ file: URL) throws {
  let realm = try StrataFile.open(file, [People.Person.self])
  try realm.write {
    for person in realm.objects(People.Person.self) { person.age += 1 }
  }
}

private func changeWithLoop(_ file: URL) throws {
  try PlainDatabase.write(file) { db in
    let update = try db.makeStatement(sql: "UPDATE Person SET age = ? WHERE _id = ?")
    let rows = try Row.fetchCursor(db, sql: "SELECT _id, age FROM Person")
    while let row = try rows.next() {
      let id: Int64 = row[0]
      let age: Int = row[1]
      try update.execute(arguments: [age + 1, id])
    }
  }
}
