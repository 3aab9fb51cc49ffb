import GRDB
import Strata

extension Case {
  static var fetchByKey: Case {
    Case(
      name: "fetch",
      title: "objects fetched by primary key, one at a time, in no order",
      base: KeyedPeople.base,
      targets: [.ratio(to: .grdbRecords, atMost: 1.2)],
      units: { min($0, mostKeys) },
      contestants: [
        Contestant(.strata, fetchWithStrata), Contestant(.sql, fetchWithStatement),
        Contestant(.grdbRecords, fetchWithRecords),
      ])
  }
}

private let mostKeys = 100_000

/// The same keys each time: steps of a prime go through all of them before one comes again.
private func keys(of rows: Int) -> [Int] {
  (0..<min(rows, mostKeys)).map { $0 * 7_368_787 % rows + 1 }
}

private func fetchWithStrata(_ trial: Trial) throws {
  let realm = try StrataFile.open(trial.file, [KeyedPeople.Person.self])
  let keys = keys(of: trial.rows)
  trial.answer = trial.time {
    var sum = 0
    for key in keys {
      let person = realm.object(ofType: KeyedPeople.Person.self, forPrimaryKey: key)!
      sum += person.age + person.firstName.utf8.count
    }
    return sum
  }
}

private func fetchWithStatement(_ trial: Trial) throws {
  let keys = keys(of: trial.rows)
  trial.answer = try PlainDatabase.read(trial.file) { db in
    try trial.time {
      let select = try db.makeStatement(
        sql: "SELECT age + length(CAST(firstName AS BLOB)) FROM Person WHERE id = ?")
      return try keys.reduce(0) { try $0 + (Int.fetchOne(select, arguments: [$1]) ?? 0) }
    }
  }
}

/// All in one access to the database, and with the key of the table itself: GRDB is not faster
/// than that.
private func fetchWithRecords(_ trial: Trial) throws {
  let keys = keys(of: trial.rows)
  trial.answer = try PlainDatabase.read(trial.file) { db in
    try trial.time {
      var sum = 0
      for key in keys {
        let person = try KeyedPersonRecord.fetchOne(db, key: key)!
        sum += person.age + person.firstName.utf8.count
      }
      return sum
    }
  }
}
