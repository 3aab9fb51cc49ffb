import Foundation
import GRDB
import Strata

/// Opening of files that need no migration, and creation of files.
extension Case {
  static var openFile: Case {
    Case(
      name: "open",
      title: "unchanged file opened, and one object read",
      base: People.base,
      targets: [.ratio(to: .grdb, atMost: 2)] + Target.constant,
      units: { _ in 1 },
      contestants: [
        Contestant(.strata, openWithStrata), Contestant(.grdb, openWithQueue),
        Contestant(.grdbPool, openWithPool), Contestant(.fewRows, openWithStrata),
      ])
  }

  // Each class has two tables, one of them for a list.
  static var openManyTables: [Case] { [25, 100, 400].map(openTables) }
  static var createManyTables: [Case] { [25, 100, 400].map(createTables) }

  private static func openTables(_ classes: Int) -> Case {
    let types = ManyClasses.types(classes)
    return Case(
      name: "open-\(2 * classes)-tables",
      title: "unchanged file with \(2 * classes) tables opened, and one object read",
      base: ManyClasses.base(classes),
      targets: [.milliseconds(atMost: 2.5 + 0.04 * Double(classes))],
      units: { _ in 2 * classes },
      contestants: [
        Contestant(.strata) { trial in
          try trial.time {
            let realm = try StrataFile.open(trial.file, types)
            trial.answer = realm.objects(ManyClasses.First.self).first!.number
          }
        },
        Contestant(.grdb) { trial in
          try trial.time {
            trial.answer = try PlainDatabase.read(trial.file) { db in
              try Int.fetchOne(db, sql: "SELECT number FROM Entry0 ORDER BY _id LIMIT 1")!
            }
          }
        },
      ])
  }

  private static func createTables(_ classes: Int) -> Case {
    let types = ManyClasses.types(classes)
    return Case(
      name: "create-\(2 * classes)-tables",
      title: "file with \(2 * classes) tables created",
      base: ManyClasses.base(classes),
      targets: [],
      units: { _ in 2 * classes },
      contestants: [
        Contestant(.strata) { trial in
          let file = trial.file.appendingPathExtension("new")
          try trial.time { _ = try StrataFile.open(file, types) }
          try Realm.deleteFiles(for: .init(fileURL: file, objectTypes: types))
        }
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
  // A pool leaves a WAL; this removes it.
  try PlainDatabase.open(trial.file) { _ in }
}

private func readOne(_ db: Database) throws -> Int {
  let people = "\(PersonRecord.sql) ORDER BY _id LIMIT 1"
  return try PersonRecord.fetchOne(db, sql: people)!.firstName.utf8.count
}
