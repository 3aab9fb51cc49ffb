import GRDB
import Strata

/// Ranges of an indexed number, each against the best hand-written access path.
extension Case {
  static var ranges: [Case] {
    let shares = [(2, "half"), (20, "1 of 20"), (1_000, "1 of 1,000")]
    return shares.flatMap { share, title in
      [summed("code", share, title), looped("code", share, title)]
    } + [summed("stamp", 10, "1 of 10 in the order of the rows")]
  }

  /// The condition for the rows with the greatest numbers, in the form that is fastest in SQLite.
  private static func condition(_ column: String, _ share: Int) -> String {
    let range = "\(column) >= ?"
    if share < 16, column == "code" { return "+\(range)" }
    if share > 100 || column == "stamp" { return range }
    return "_id IN (SELECT _id FROM Reading WHERE \(range))"
  }

  private static func found(
    _ realm: Realm, _ column: String, _ least: Int
  ) -> Results<Readings.Reading> {
    let readings = realm.objects(Readings.Reading.self)
    return column == "code"
      ? readings.where { $0.code >= least } : readings.where { $0.stamp >= least }
  }

  private static func least(_ column: String, _ share: Int, _ rows: Int) -> Int {
    let all = column == "code" ? 1_000_000 : rows
    return all - all / share
  }

  private static func summed(_ column: String, _ share: Int, _ title: String) -> Case {
    Case(
      name: "sum-\(column)-\(share)", title: "sum over a range of an indexed number: \(title)",
      base: Readings.base, targets: [.ratio(to: .grdb, atMost: 1.2)],
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, Readings.types)
          let least = least(column, share, trial.rows)
          trial.answer = trial.time { found(realm, column, least).sum(of: \.price) }
        },
        Contestant(.grdb) { trial in
          let least = least(column, share, trial.rows)
          let sql = "SELECT sum(price) FROM Reading WHERE \(condition(column, share))"
          trial.answer = try PlainDatabase.read(trial.file) { db in
            try trial.time { try Int.fetchOne(db, sql: sql, arguments: [least]) ?? 0 }
          }
        },
      ])
  }

  private static func looped(_ column: String, _ share: Int, _ title: String) -> Case {
    Case(
      name: "loop-\(column)-\(share)", title: "loop over a range of an indexed number: \(title)",
      base: Readings.base, targets: [.ratio(to: .grdb, atMost: 1.2)],
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, Readings.types)
          let least = least(column, share, trial.rows)
          trial.answer = trial.time {
            var sum = 0
            for reading in found(realm, column, least) { sum += reading.price + reading.age }
            return sum
          }
        },
        Contestant(.grdb) { trial in
          let least = least(column, share, trial.rows)
          let condition = share > 100 ? Self.condition(column, 20) : condition(column, share)
          let sql = "SELECT * FROM Reading WHERE \(condition) ORDER BY _id"
          trial.answer = try PlainDatabase.read(trial.file) { db in
            try trial.time {
              var sum = 0
              let rows = try Row.fetchCursor(db, sql: sql, arguments: [least])
              while let row = try rows.next() {
                let (price, age): (Int, Int) = (row["price"], row["age"])
                sum += price + age
              }
              return sum
            }
          }
        },
      ])
  }
}
