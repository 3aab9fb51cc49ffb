import GRDB
import Strata

extension Case {
  static var iterate: Case {
    Case(
      name: "iterate",
      title: "loop over all objects that reads two properties",
      base: People.base,
      targets: [.ratio(to: .grdbRecords, atMost: 1)] + Target.linear,
      contestants: [
        Contestant(.strata, iterateWithStrata), Contestant(.sql, iterateWithSQL),
        Contestant(.grdbRecords, iterateWithRecords),
      ])
  }
}

private func iterateWithStrata(_ trial: Trial) throws {
  let realm = try StrataFile.open(trial.file, [People.Person.self])
  trial.answer = trial.time {
    var sum = 0
    for person in realm.objects(People.Person.self) {
      sum += person.age + person.firstName.utf8.count
    }
    return sum
  }
}

private func iterateWithSQL(_ trial: Trial) throws {
  trial.answer = try PlainDatabase.read(trial.file) { db in
    try trial.time {
      try Int.fetchOne(
        db, sql: "SELECT sum(age + length(CAST(firstName AS BLOB))) FROM Person") ?? 0
    }
  }
}

private func iterateWithRecords(_ trial: Trial) throws {
  trial.answer = try PlainDatabase.read(trial.file) { db in
    try trial.time {
      var sum = 0
      let people = try PersonRecord.fetchCursor(db, sql: PersonRecord.sql)
      while let person = try people.next() { sum += person.age + person.firstName.utf8.count }
      return sum
    }
  }
}
