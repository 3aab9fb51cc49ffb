import Dispatch
import Foundation
import GRDB
import Strata

/// The sequences that follow a history, and the deletion of its old entries.
extension Case {
  static var followingHistory: [Case] { [pruneHistory, wakeSequence, wakeSequenceOfOthers] }

  /// Old entries are deleted after the first commit of a process, before other writes: the second
  /// transaction waits for it.
  private static var pruneHistory: Case {
    Case(
      name: "history-prune",
      title: "two transactions of one row, after the first of which 5,000 old ones are deleted",
      base: People.base, targets: [.milliseconds(atMost: 30)], units: { _ in 1 },
      contestants: [
        Contestant(.strata) { try writeTwice($0, keeping: 1) },
        Contestant(.nothingOld) { try writeTwice($0, keeping: 1_000_000) },
      ])
  }

  private static func writeTwice(_ trial: Trial, keeping count: Int) throws {
    try fillHistory(trial)
    let retention = Realm.Configuration.History.Retention(count: count)
    let realm = try open(trial, .init(notesOtherPrograms: false, retention: retention))
    let person = realm.objects(People.Person.self).first!
    try trial.time {
      for age in 1...2 { try realm.write { person.age = age } }
    }
    let left = try realm.history(limit: .max).count
    guard count == 1 ? left < oldEntries : left > oldEntries else {
      throw Unexpected("\(left) transactions are left of the history.")
    }
  }

  private static func fillHistory(_ trial: Trial) throws {
    let realm = try open(trial, .init(notesOtherPrograms: false))
    let person = realm.objects(People.Person.self).first!
    for round in 0..<oldEntries { try realm.write { person.age = -round - 1 } }
  }

  private static var wakeSequence: Case {
    wakeCase(
      "history-wake", "from a commit until a sequence of the process has it, 100 times",
      .init(notesOtherPrograms: false), times: 100, atMost: 20
    ) { trial in
      let realm = try open(trial, nil)
      let person = realm.objects(People.Person.self).first!
      return { round in try realm.write { person.age = -round - 1 } }
    }
  }

  private static var wakeSequenceOfOthers: Case {
    wakeCase(
      "history-wake-others", "from another program's commit until a sequence has it, 10 times",
      .init(), times: 10, atMost: 300
    ) { trial in
      let other = try DatabaseQueue(path: trial.file.path)
      return { round in
        try other.write { db in
          try db.execute(sql: "UPDATE Person SET age = ? WHERE _id = 1", arguments: [-round - 1])
        }
      }
    }
  }

  /// - Parameters:
  ///   - milliseconds: The maximum time until the sequence receives a commit.
  ///   - writer: Opens the file for the commits.
  private static func wakeCase(
    _ name: String, _ title: String, _ history: Realm.Configuration.History, times count: Int,
    atMost milliseconds: Double,
    _ writer: @escaping (Trial) throws -> (_ round: Int) throws -> Void
  ) -> Case {
    Case(
      name: name, title: title, base: People.base,
      targets: [.milliseconds(atMost: milliseconds * Double(count))], units: { _ in count },
      contestants: [
        Contestant(.strata) { trial in
          _ = try open(trial, history)
          try closing(trial.file) { try follow(trial, count, writer(trial)) }
          trial.answer = count
        }
      ])
  }

  /// Measures the time until a sequence receives each commit.
  private static func follow(
    _ trial: Trial, _ count: Int, _ write: (_ round: Int) throws -> Void
  ) throws {
    let configuration = configuration(trial, nil)
    let (begun, heard) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let following = Task {
      let realm = try await Realm.open(configuration: configuration)
      let newest = try realm.historyToken
      begun.signal()
      for try await _ in realm.history(following: newest) { heard.signal() }
    }
    defer { following.cancel() }
    begun.wait()
    try trial.time {
      for round in 0..<count {
        try write(round)
        guard heard.wait(timeout: .now() + 10) == .success else {
          throw Unexpected("The sequence has not heard of commit \(round).")
        }
      }
    }
  }

  private static func open(_ trial: Trial, _ history: Realm.Configuration.History?) throws -> Realm
  {
    try Realm(configuration: configuration(trial, history))
  }

  private static func configuration(
    _ trial: Trial, _ history: Realm.Configuration.History?
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: trial.file, objectTypes: [People.Person.self])
    configuration.history = history
    return configuration
  }

  /// With the first entry of the history and the first transaction, this is the size of one
  /// deletion batch.
  private static let oldEntries = 4_998
}
