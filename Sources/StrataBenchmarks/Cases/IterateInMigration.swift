import GRDB
import Strata
import Synchronization

extension Case {
  static var iterateInMigration: Case {
    Case(
      name: "read-old",
      title: "closure that reads two properties of every row, and changes nothing",
      base: People.base,
      targets: [.ratio(to: .grdb, atMost: 1)] + Target.linear,
      contestants: [
        Contestant(.strata, readWithStrata), Contestant(.sql, readWithSQL),
        Contestant(.grdb, readWithRows),
      ])
  }
}

private func readWithStrata(_ trial: Trial) throws {
  let answer = Mutex(0)
  try trial.time {
    try StrataFile.migrate(trial.file, to: [People.Person.self]) { migration, _ in
      var sum = 0
      migration.enumerateObjects(ofType: "Person") { oldObject, _ in
        sum += oldObject!["age"] as! Int
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
