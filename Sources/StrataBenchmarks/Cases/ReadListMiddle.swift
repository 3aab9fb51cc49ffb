import GRDB
import Strata

extension Case {
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
}

private let elements = 100

private func readWithStrata(_ trial: Trial) throws {
  let realm = try StrataFile.open(trial.file, Kennel.types)
  let dogs = realm.objects(Kennel.Owner.self).first!.dogs
  trial.answer = trial.time {
    let start = (trial.rows - elements) / 2
    return (start..<start + elements).reduce(0) { $0 + dogs[$1].name.utf8.count }
  }
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
