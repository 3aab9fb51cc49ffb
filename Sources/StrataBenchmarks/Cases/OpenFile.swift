import Foundation
import GRDB
import Strata

extension Case {
  static var openFile: Case {
    Case(
      name: "open",
      title: "file that needs nothing opened, and one object read",
      base: People.base,
      targets: [.ratio(to: .grdb, atMost: 2)] + Target.constant,
      units: { _ in 1 },
      contestants: [
        Contestant(.strata, openWithStrata), Contestant(.grdb, openWithQueue),
        Contestant(.grdbPool, openWithPool), Contestant(.fewRows, openWithStrata),
      ])
  }
}

private func openWithStrata(_ trial: Trial) throws {
  try trial.time {
    let realm = try StrataFile.open(trial.file, [People.Person.self])
    trial.answer = realm.objects(People.Person.self).first!.firstName.utf8.count
  }
}

private func openWithQueue(_ trial: Trial) throws {
  try trial.time {
    let queue = try DatabaseQueue(path: trial.file.path)
    trial.answer = try queue.read(readOne)
    try queue.close()
  }
}

private func openWithPool(_ trial: Trial) throws {
  try trial.time {
    let pool = try DatabasePool(path: trial.file.path)
    trial.answer = try pool.read(readOne)
    try pool.close()
  }
  // A pool leaves a log.
  try PlainDatabase.open(trial.file) { _ in }
}

private func readOne(_ db: Database) throws -> Int {
  let people = "\(PersonRecord.sql) ORDER BY _id LIMIT 1"
  return try PersonRecord.fetchOne(db, sql: people)!.firstName.utf8.count
}
