import Foundation
import GRDB
import Strata

/// Files with many tables: each class has two, one of them for a list.
extension Case {
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
