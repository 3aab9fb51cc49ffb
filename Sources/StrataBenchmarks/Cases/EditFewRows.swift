import Foundation
import GRDB
import Strata

extension Case {
  static var editFewRows: Case {
    Case(
      name: "edit-few",
      title: "closure that reads all rows and edits one in a hundred",
      base: People.base,
      targets: [.ratio(to: .sql, atMost: 1.5)] + Target.linear,
      contestants: [
        Contestant(.strata, whole: editWithStrata),
        Contestant(
          .sql,
          whole: {
            try PlainDatabase.migrate($0, sql: "UPDATE Person SET age = 43 WHERE age = 42")
          }),
        Contestant(.grdbLoop, whole: editWithLoop),
      ])
  }
}

private func editWithStrata(_ file: URL) throws {
  try StrataFile.migrate(file, to: [People.Person.self]) { migration, _ in
    migration.enumerateObjects(ofType: "Person") { oldObject, newObject in
      if oldObject!["age"] as! Int == 42 { newObject!["age"] = 43 }
    }
  }
}

private func editWithLoop(_ file: URL) throws {
  try PlainDatabase.migrate(file) { db in
    let update = try db.makeStatement(sql: "UPDATE Person SET age = ? WHERE _id = ?")
    let rows = try Row.fetchCursor(db, sql: "SELECT _id, age FROM Person")
    while let row = try rows.next() {
      let id: Int64 = row[0]
      let age: Int = row[1]
      if age == 42 { try update.execute(arguments: [43, id]) }
    }
  }
}
