import Foundation
import Strata

/// The cost of a history of changes: the same work in files with and without one.
extension Case {
  static var keepingHistory: [Case] {
    [
      historyCase(
        "history-add", "objects added in one write, with a history", base: NumberedPeople.empty,
        types: [NumberedPeople.Person.self], targets: [1.3, 1.15]
      ) { realm, trial in
        try trial.time {
          try realm.write {
            for number in 1...trial.rows { realm.add(NumberedPeople.person(number)) }
          }
        }
      },
      historyCase(
        "history-change", "one property of every object changed, with a history",
        base: People.base, types: [People.Person.self], targets: [1.3, 1.15]
      ) { realm, trial in
        try trial.time {
          try realm.write {
            for person in realm.objects(People.Person.self) { person.age += 1 }
          }
        }
      },
      historyCase(
        "history-delete", "half of the objects deleted as results, with a history",
        base: People.base, types: [People.Person.self], targets: [2, 1.15]
      ) { realm, trial in
        try trial.time {
          try realm.write {
            realm.delete(realm.objects(People.Person.self).filter("age < 50"))
          }
        }
      },
      historyCase(
        "history-one", "one row changed in a transaction of its own, 1,000 times, with a history",
        base: People.base, types: [People.Person.self], targets: [1.5, 1.25], units: 1_000
      ) { realm, trial in
        let person = realm.objects(People.Person.self).first!
        try realm.write { person.age = -1 }
        try trial.time {
          for round in 0..<1_000 { try realm.write { person.age = round } }
        }
      },
      readHistory,
    ]
  }

  /// - Parameter targets: The maximum ratios to the time without a history: with records of other
  ///   programs' changes, and without.
  private static func historyCase(
    _ name: String, _ title: String, base: BaseFile, types: [ObjectBase.Type], targets: [Double],
    units: Int? = nil, _ body: @escaping (Realm, Trial) throws -> Void
  ) -> Case {
    func run(_ history: Realm.Configuration.History?, _ trial: Trial) throws {
      var configuration = Realm.Configuration(fileURL: trial.file, objectTypes: types)
      configuration.history = history
      try body(Realm(configuration: configuration), trial)
    }
    return Case(
      name: name, title: title, base: base,
      targets: [.ratio(to: .withoutHistory, atMost: targets[0])],
      units: { units ?? $0 },
      contestants: [
        Contestant(.strata) { try run(.init(), $0) },
        Contestant(.ownHistory) { try run(.init(notesOtherPrograms: false), $0) },
        Contestant(.withoutHistory) { try run(nil, $0) },
      ])
  }

  private static var readHistory: Case {
    Case(
      name: "history-read",
      title: "1,000 transactions of one row each read from the history",
      base: People.base, targets: [], units: { _ in 1_000 },
      contestants: [
        Contestant(.strata) { trial in
          var configuration = Realm.Configuration(
            fileURL: trial.file, objectTypes: [People.Person.self])
          configuration.history = .init(notesOtherPrograms: false)
          let realm = try Realm(configuration: configuration)
          let person = realm.objects(People.Person.self).first!
          for round in 0..<1_000 { try realm.write { person.age = -round - 1 } }
          trial.answer = try trial.time {
            try realm.history(limit: 2_000).reduce(0) { $0 + $1.changes.count }
          }
        }
      ])
  }
}
