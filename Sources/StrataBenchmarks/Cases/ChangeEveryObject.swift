import Foundation
import GRDB
import Strata

extension Case {
  static var changeEveryObject: Case {
    Case(
      name: "change",
      title: "one property of every object changed in one write",
      base: People.base,
      targets: [.ratio(to: .grdbLoop, atMost: 1)] + Target.linear,
      contestants: [
        Contestant(.strata, whole: changeWithStrata),
        Contestant(
          .sql,
          whole: { file in
            try PlainDatabase.write(file) { try $0.execute(sql: "UPDATE Person SET age = age + 1") }
          }),
        Contestant(.grdbLoop, whole: changeWithLoop),
      ])
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
