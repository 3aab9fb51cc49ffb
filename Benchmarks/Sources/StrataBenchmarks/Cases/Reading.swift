import Foundation
import GRDB
import GRDBSQLite
import Strata
import Synchronization

/// Reads without a migration.
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

  static var readValues: Case {
    Case(
      name: "read-values",
      title: "values of two properties of all objects",
      base: People.base,
      targets: [.ratio(to: .sql, atMost: 1.3), .growth(atMost: 1.3)],
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, [People.Person.self])
          trial.answer = trial.time {
            var sum = 0
            for (age, name) in realm.objects(People.Person.self).values(\.age, \.firstName) {
              sum += age + name.utf8.count
            }
            return sum
          }
        },
        Contestant(.sql, readValuesByHand), Contestant(.loop, iterateWithStrata),
      ])
  }

  static var readByPosition: Case {
    Case(
      name: "read-by-position",
      title: "results[i] for all i, two properties read",
      base: People.base,
      // The list of rows takes eight bytes for each.
      targets: [.ratio(to: .loop, atMost: 1.2), .growth(atMost: 1.3), .memory(atMost: 8 + 16)],
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, [People.Person.self])
          trial.answer = trial.time {
            var sum = 0
            let people = realm.objects(People.Person.self)
            for index in 0..<people.count {
              let person = people[index]
              sum += person.age + person.firstName.utf8.count
            }
            return sum
          }
        },
        Contestant(.loop, iterateWithStrata),
      ])
  }

  static var readOnTwoThreads: Case {
    Case(
      name: "read-on-two-threads",
      title: "two threads that read all objects at the same time, and one that reads them twice",
      base: People.base,
      targets: [.ratio(to: .oneThread, atMost: 1 / 1.8)],
      units: { 2 * $0 },
      contestants: [
        Contestant(.strata) { trial in
          try readTwice(trial) { read in
            DispatchQueue.concurrentPerform(iterations: 2) { _ in read() }
          }
        },
        Contestant(.oneThread) { trial in
          try readTwice(trial) { read in
            read()
            read()
          }
        },
      ])
  }

  static var fetchByKey: Case {
    Case(
      name: "fetch",
      title: "objects fetched by primary key, one at a time, in no order",
      base: KeyedPeople.base,
      targets: [.ratio(to: .grdbRecords, atMost: 1.2)],
      units: { min($0, maxKeys) },
      contestants: [
        Contestant(.strata, fetchWithStrata), Contestant(.sql, fetchWithStatement),
        Contestant(.grdbRecords, fetchWithRecords),
      ])
  }

  static var readAgain: Case {
    Case(
      name: "read-again",
      title: "one property of a hundred objects read again and again",
      base: People.base,
      targets: [.ratio(to: .unmanaged, atMost: 3), .growth(atMost: 1.3)],
      units: { $0 * timesPerRow },
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, [People.Person.self])
          var people: [People.Person] = []
          for person in realm.objects(People.Person.self) {
            people.append(person)
            if people.count == hotObjects { break }
          }
          readAges(people, trial)
        },
        Contestant(.unmanaged) { trial in
          readAges((0..<hotObjects).map { People.Person(value: ["age": $0]) }, trial)
        },
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

/// Passes a closure to `run` that reads all ages, with a realm of the calling thread.
private func readTwice(_ trial: Trial, _ run: (_ read: @Sendable () -> Void) -> Void) throws {
  let held = try StrataFile.open(trial.file, [People.Person.self])
  let file = trial.file
  let sum = Atomic(0)
  trial.time {
    run {
      do {
        let realm = try StrataFile.open(file, [People.Person.self])
        let ages = realm.objects(People.Person.self).reduce(0) { $0 + $1.age }
        sum.wrappingAdd(ages, ordering: .relaxed)
      } catch {
        print("A thread can't read: \(error)")
      }
    }
  }
  trial.answer = sum.load(ordering: .relaxed)
  withExtendedLifetime(held) {}
}

private func iterateWithSQL(_ trial: Trial) throws {
  trial.answer = try PlainDatabase.read(trial.file) { db in
    try trial.time {
      try Int.fetchOne(
        db, sql: "SELECT sum(age + length(CAST(firstName AS BLOB))) FROM Person") ?? 0
    }
  }
}

/// Steps a statement, and keeps the values as tuples.
private func readValuesByHand(_ trial: Trial) throws {
  trial.answer = try PlainDatabase.read(trial.file) { db in
    try trial.time {
      let statement = try db.makeStatement(sql: "SELECT age, firstName FROM Person ORDER BY _id")
      let pointer = statement.sqliteStatement
      var values: [(age: Int, name: String)] = []
      while sqlite3_step(pointer) == SQLITE_ROW {
        values.append(
          (Int(sqlite3_column_int64(pointer, 0)), String(cString: sqlite3_column_text(pointer, 1))))
      }
      sqlite3_reset(pointer)
      return values.reduce(0) { $0 + $1.age + $1.name.utf8.count }
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

private let maxKeys = 100_000

/// The same keys in each run. Multiples of a prime visit all keys before one repeats.
private func keys(of rows: Int) -> [Int] {
  (0..<min(rows, maxKeys)).map { $0 * 7_368_787 % rows + 1 }
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

/// Reads all objects in one access by the table's own key: GRDB has no faster way.
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

private let hotObjects = 100
private let timesPerRow = 10

/// Reads many objects: the compiler could read one property once, and multiply it.
private func readAges(_ people: [People.Person], _ trial: Trial) {
  trial.answer = trial.time {
    var sum = 0
    for _ in 0..<trial.rows * timesPerRow / hotObjects {
      for person in people { sum &+= person.age }
    }
    return sum
  }
}
