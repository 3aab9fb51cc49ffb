import Strata

/// Creation of queries without running them, and changes of their results.
extension Case {
  static var makingQueries: [Case] {
    [
      making("make-where", "making a query of five conditions, as a closure", microseconds: 15) {
        $0.where {
          $0.age > 3 && $0.name == "x" && $0.dog.name != "Rex" && $0.nick == nil
            && $0.lastName.starts(with: "A")
        }
      },
      making("make-filter", "making a query of five conditions, of a text", microseconds: 25) {
        $0.filter(
          "age > %@ AND name == %@ AND dog.name != 'Rex' AND nick == nil AND lastName BEGINSWITH %@",
          3, "x", "A")
      },
      changeByPosition,
    ]
  }

  private static let makings = 1_000

  private static func making(
    _ name: String, _ title: String, microseconds: Double,
    _ make: @escaping (Results<Owners.Owner>) -> Results<Owners.Owner>
  ) -> Case {
    Case(
      name: name, title: "\(title), \(makings) times", base: Owners.base,
      targets: [.milliseconds(atMost: microseconds * Double(makings) / 1_000)],
      units: { _ in makings },
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, Owners.types)
          let owners = realm.objects(Owners.Owner.self)
          _ = make(owners)
          trial.answer = trial.time {
            (0..<makings).reduce(0) { sum, _ in
              withExtendedLifetime(make(owners)) { sum + 1 }
            }
          }
        }
      ])
  }

  private static var changeByPosition: Case {
    Case(
      name: "change-filtered", title: "each of 1,000 filtered objects changed by its position",
      base: Owners.base, targets: [.ratio(to: .fewRows, atMost: 1.3)],
      units: { min($0, 1_000) },
      contestants: [
        Contestant(.strata, changeObjectsByPosition), Contestant(.fewRows, changeObjectsByPosition),
      ])
  }
}

private func changeObjectsByPosition(_ trial: Trial) throws {
  let realm = try StrataFile.open(trial.file, Owners.types)
  let owners = realm.objects(Owners.Owner.self).where { $0.id.contains(0..<1_000) }
  try trial.time {
    try realm.write {
      for index in 0..<min(1_000, trial.rows) { owners[index].isSeen = true }
    }
  }
}
