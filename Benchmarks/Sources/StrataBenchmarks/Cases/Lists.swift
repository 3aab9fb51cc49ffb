import Foundation
import GRDB
import Strata

/// Appending to lists, and reading from them.
extension Case {
  static var appendToList: Case {
    Case(
      name: "append",
      title: "all objects appended to a list, one by one, in one write",
      base: Kennel.strays,
      targets: [.ratio(to: .grdbLoop, atMost: 1.5)],
      units: { min($0, Kennel.maxStrays) },
      contestants: [
        Contestant(.strata, whole: appendWithStrata), Contestant(.sql, whole: appendWithSQL),
        Contestant(.grdbLoop, whole: appendWithLoop),
      ])
  }

  static var readListMiddle: Case {
    Case(
      name: "list-middle",
      title: "a hundred objects in the middle of a list read by index",
      base: Kennel.full,
      targets: [.ratio(to: .fewRows, atMost: 1.5)],
      units: { _ in elements },
      contestants: [
        Contestant(.strata, readWithStrata), Contestant(.sql, readWithSQL),
        Contestant(.fewRows, readWithStrata),
      ])
  }

  static var readChangedListMiddle: Case {
    Case(
      name: "list-middle-again",
      title: "the same after an object was appended to a list that was read before",
      base: Kennel.full,
      targets: [.ratio(to: .fewRows, atMost: 1.5)],
      units: { _ in elements },
      contestants: [
        Contestant(.strata, readAgainWithStrata), Contestant(.fewRows, readAgainWithStrata),
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

private let elements = 100

private func readWithStrata(_ trial: Trial) throws {
  let realm = try StrataFile.open(trial.file, Kennel.types)
  let dogs = realm.objects(Kennel.Owner.self).first!.dogs
  trial.answer = trial.time { readMiddle(dogs, trial.rows) }
}

private func readMiddle(_ dogs: List<Kennel.Dog>, _ rows: Int) -> Int {
  let start = (rows - elements) / 2
  return (start..<start + elements).reduce(0) { $0 + dogs[$1].name.utf8.count }
}

private func readAgainWithStrata(_ trial: Trial) throws {
  let realm = try StrataFile.open(trial.file, Kennel.types)
  let dogs = realm.objects(Kennel.Owner.self).first!.dogs
  _ = readMiddle(dogs, trial.rows)
  try realm.write { dogs.append(dogs[0]) }
  trial.answer = trial.time { readMiddle(dogs, trial.rows) }
}

private func readWithSQL(_ trial: Trial) throws {
  trial.answer = try PlainDatabase.read(trial.file) { db in
    try trial.time {
      try Int.fetchOne(
        db,
        sql: """
          SELECT sum(length(CAST(name AS BLOB))) FROM Dog WHERE _id IN (
            SELECT value FROM Owner_dogs WHERE owner = 1
            ORDER BY position LIMIT ? OFFSET ?)
          """, arguments: [elements, (trial.rows - elements) / 2]) ?? 0
    }
  }
}
