import Foundation
import GRDB
import Strata

extension Case {
  static var appendToList: Case {
    Case(
      name: "append",
      title: "all objects appended to a list, one by one, in one write",
      base: Kennel.strays,
      targets: [.ratio(to: .grdbLoop, atMost: 1.5)],
      units: { min($0, Kennel.mostStrays) },
      contestants: [
        Contestant(.strata, whole: appendWithStrata), Contestant(.sql, whole: appendWithSQL),
        Contestant(.grdbLoop, whole: appendWithLoop),
      ])
  }
}

private func appendWithStrata(_ file: URL) throws {
  let realm = try StrataFile.open(file, Kennel.types)
  try realm.write {
    let owner = realm.objects(Kennel.Owner.self).first!
    for dog in realm.objects(Kennel.Dog.self) { owner.dogs.append(dog) }
  }
}

private func appendWithSQL(_ file: URL) throws {
  try PlainDatabase.write(file) { db in
    try db.execute(
      sql: """
        INSERT INTO Owner_dogs (owner, position, value)
          SELECT 1, row_number() OVER (ORDER BY _id) - 1, _id FROM Dog
        """)
  }
}

private func appendWithLoop(_ file: URL) throws {
  try PlainDatabase.write(file) { db in
    let insert = try db.makeStatement(
      sql: "INSERT INTO Owner_dogs (owner, position, value) VALUES (1, ?, ?)")
    let dogs = try Int64.fetchCursor(db, sql: "SELECT _id FROM Dog ORDER BY _id")
    var position = 0
    while let dog = try dogs.next() {
      try insert.execute(arguments: [position, dog])
      position += 1
    }
  }
}
