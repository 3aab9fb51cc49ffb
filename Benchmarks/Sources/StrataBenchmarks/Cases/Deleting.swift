import GRDB
import Strata

/// Half of all objects deleted.
extension Case {
  static var deleting: [Case] { [deleteOneByOne, deleteResults] }

  private static var deleteOneByOne: Case {
    Case(
      name: "delete",
      title: "half of the objects deleted, object by object",
      base: People.base,
      targets: [.ratio(to: .grdbLoop, atMost: 1.5)],
      units: { $0 / 2 },
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, [People.Person.self])
          let young = Array(realm.objects(People.Person.self).filter("age < 50"))
          try trial.time { try realm.write { for person in young { realm.delete(person) } } }
        },
        Contestant(.grdbLoop) { trial in
          try PlainDatabase.open(trial.file) { db in
            let young = try Int64.fetchAll(db, sql: "SELECT _id FROM Person WHERE age < 50")
            try trial.time {
              try db.inTransaction(.immediate) {
                let deletion = try db.makeStatement(sql: "DELETE FROM Person WHERE _id = ?")
                for row in young { try deletion.execute(arguments: [row]) }
                return .commit
              }
            }
          }
        },
      ])
  }

  private static var deleteResults: Case {
    Case(
      name: "delete-results",
      title: "half of the objects deleted as results",
      base: People.base,
      targets: [.ratio(to: .sql, atMost: 1.2)],
      units: { $0 / 2 },
      contestants: [
        Contestant(
          .strata,
          whole: { file in
            let realm = try StrataFile.open(file, [People.Person.self])
            try realm.write { realm.delete(realm.objects(People.Person.self).filter("age < 50")) }
          }),
        .sql(write: "DELETE FROM Person WHERE age < 50"),
      ])
  }
}
