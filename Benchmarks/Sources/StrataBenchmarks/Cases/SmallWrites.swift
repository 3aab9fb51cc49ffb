import Foundation
import GRDB
import Strata

/// Transactions that change one row, the most frequent kind in programs.
extension Case {
  static var smallWrites: [Case] { [writeOne, writeOneOfMany, openAndWrite, openWriteClose] }

  private static var writeOne: Case {
    Case(
      name: "write-one",
      title: "one row changed in a transaction of its own, 1,000 times, the realm held open",
      base: People.base,
      targets: [.ratio(to: .grdbPool, atMost: 1.3)],
      units: { _ in writes },
      contestants: [Contestant(.strata, writeWithStrata), Contestant(.grdbPool, writeWithPool)])
  }

  private static var writeOneOfMany: Case {
    Case(
      name: "write-one-of-many",
      title: "the same in a schema of 200 classes with 200 lists",
      base: ManyClasses.base(200),
      targets: [.ratio(to: .oneClass, atMost: 1.1)],
      units: { _ in writes },
      contestants: [
        Contestant(.strata) { try writeOneOf(ManyClasses.types(200), $0) },
        Contestant(.oneClass) { try writeOneOf(ManyClasses.types(1), $0) },
      ])
  }

  private static var openAndWrite: Case {
    Case(
      name: "open-and-write",
      title: "a realm that is held elsewhere opened, and one row changed, 1,000 times",
      base: People.base,
      targets: [.ratio(to: .grdbPool, atMost: 1.5)],
      units: { _ in writes },
      contestants: [Contestant(.strata, openAndWriteOne), Contestant(.grdbPool, writeWithPool)])
  }

  private static var openWriteClose: Case {
    Case(
      name: "open-write-close",
      title: "file opened, one row changed, file closed, 100 times",
      base: People.base,
      targets: [.ratio(to: .grdb, atMost: 1.5)],
      units: { _ in openings },
      contestants: [
        Contestant(.strata) { trial in
          try trial.time {
            for round in 0..<openings {
              let realm = try StrataFile.open(trial.file, [People.Person.self])
              try change(realm.objects(People.Person.self).first!, realm, round)
            }
          }
        },
        Contestant(.grdb) { trial in
          try trial.time {
            for round in 0..<openings {
              try PlainDatabase.open(trial.file) { db in
                try db.inTransaction(.immediate) {
                  try change(db, round)
                  return .commit
                }
              }
            }
          }
        },
      ])
  }
}

private let writes = 1_000
private let openings = 100

private func change(_ person: People.Person, _ realm: Realm, _ round: Int) throws {
  try realm.write { person.age = round }
}

private func change(_ db: Database, _ round: Int) throws {
  try db.execute(sql: "UPDATE Person SET age = ? WHERE _id = 1", arguments: [round])
}

private func writeWithStrata(_ trial: Trial) throws {
  let realm = try StrataFile.open(trial.file, [People.Person.self])
  let person = realm.objects(People.Person.self).first!
  try change(person, realm, -1)
  try trial.time {
    for round in 0..<writes { try change(person, realm, round) }
  }
}

private func writeWithPool(_ trial: Trial) throws {
  let pool = try DatabasePool(path: trial.file.path)
  try pool.write { try change($0, -1) }
  try trial.time {
    for round in 0..<writes { try pool.write { try change($0, round) } }
  }
  try pool.close()
  // A pool leaves a WAL; this removes it.
  try PlainDatabase.open(trial.file) { _ in }
}

private func writeOneOf(_ types: [ObjectBase.Type], _ trial: Trial) throws {
  let realm = try StrataFile.open(trial.file, types)
  let entry = realm.objects(ManyClasses.First.self).first!
  try realm.write { entry.number = -1 }
  try trial.time {
    for round in 0..<writes { try realm.write { entry.number = round } }
  }
}

private func openAndWriteOne(_ trial: Trial) throws {
  let held = try StrataFile.open(trial.file, [People.Person.self])
  try change(held.objects(People.Person.self).first!, held, -1)
  try trial.time {
    for round in 0..<writes {
      let realm = try StrataFile.open(trial.file, [People.Person.self])
      try change(realm.objects(People.Person.self).first!, realm, round)
    }
  }
}
