import Strata

extension Case {
  static var readAgain: Case {
    Case(
      name: "read-again",
      title: "one property of a hundred objects read again and again",
      base: People.base,
      targets: [.ratio(to: .unmanaged, atMost: 3), .growth(atMost: 1.3)],
      units: { $0 * timesPerRow },
      contestants: [
        Contestant(.strata) { trial in
          let realm = try StrataFile.open(trial.file, [People.Person.self])
          var people: [People.Person] = []
          for person in realm.objects(People.Person.self) {
            people.append(person)
            if people.count == objects { break }
          }
          read(people, trial)
        },
        Contestant(.unmanaged) { trial in
          read((0..<objects).map { People.Person(value: ["age": $0]) }, trial)
        },
      ])
  }
}

private let objects = 100
private let timesPerRow = 10

/// Not one object: its property would be read once, and multiplied.
private func read(_ people: [People.Person], _ trial: Trial) {
  trial.answer = trial.time {
    var sum = 0
    for _ in 0..<trial.rows * timesPerRow / objects {
      for person in people { sum &+= person.age }
    }
    return sum
  }
}
