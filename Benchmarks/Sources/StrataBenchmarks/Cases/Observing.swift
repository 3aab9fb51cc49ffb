import Dispatch
import Foundation
import GRDB
import Strata
import Synchronization

/// Observation: the time from a commit until its observers are notified, and the cost for the
/// writer.
extension Case {
  static var observeSorted: Case {
    Case(
      name: "observe-sorted",
      title:
        "ten people change their places in an observed list that is sorted by a text, 20 times",
      base: People.base,
      targets: [.ratio(to: .grdbRecords, atMost: 0.02), .ratio(to: .sql, atMost: 0.1)],
      units: { _ in commits },
      contestants: [
        Contestant(.strata) { try timeNotifications($0, observers: 1) },
        Contestant(.sql, readRowsAgain), Contestant(.grdbRecords, timeNotificationsOfGRDB),
      ])
  }

  static var observeMany: Case {
    Case(
      name: "observe-many",
      title: "ten people change, and 100 observers of all hear of it, 20 times",
      base: People.base,
      targets: [.ratio(to: .oneObserver, atMost: 3)],
      units: { _ in commits },
      contestants: [
        Contestant(.strata) { try timeNotifications($0, observers: 100) },
        Contestant(.oneObserver) { try timeNotifications($0, observers: 1) },
      ])
  }

  static var observedCommits: Case {
    Case(
      name: "observe-commit",
      title: "ten people change in 1,000 transactions, while all are observed: the writer's time",
      base: People.base,
      targets: [.ratio(to: .unobserved, atMost: 1.1)],
      units: { _ in manyCommits },
      contestants: [
        Contestant(.strata) { try commit($0, observed: true) },
        Contestant(.unobserved) { try commit($0, observed: false) },
      ])
  }

  static var observedUpdate: Case {
    Case(
      name: "observe-update",
      title: "all people change in one transaction, while they are observed: the writer's time",
      base: People.base,
      targets: [.ratio(to: .unobserved, atMost: 1.1)],
      contestants: [
        Contestant(.strata) { try update($0, observed: true) },
        Contestant(.unobserved) { try update($0, observed: false) },
      ])
  }
}

private let commits = 20
private let manyCommits = 1_000
private let touched = 10

/// A counter of calls; a thread can wait for a number of calls.
private final class Calls: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func add() { semaphore.signal() }

  func wait(for count: Int) { for _ in 0..<count { semaphore.wait() } }
}

/// Renames some people by their position, differently in each round.
private func rename(_ realm: Realm, _ people: [People.Person], round: Int) throws {
  try realm.write {
    for (index, person) in people.enumerated() {
      person.lastName = "Last \((index * 7_919 + round * 104_729) % 1_000_000)"
    }
  }
}

private func some(_ realm: Realm, rows: Int) -> [People.Person] {
  let people = realm.objects(People.Person.self)
  return (0..<touched).map { people[$0 * (rows / touched)] }
}

/// Runs a closure, and waits until the file is closed: a handler that was just called may keep it
/// open for a moment.
func closing(_ file: URL, _ body: () throws -> Void) rethrows {
  try body()
  while FileManager.default.fileExists(atPath: file.path + "-wal") { usleep(100) }
  // SQLite deletes the WAL before it releases its lock.
  usleep(10_000)
}

private func timeNotifications(_ trial: Trial, observers: Int) throws {
  try closing(trial.file) { try timeNotificationsNow(trial, observers: observers) }
}

private func timeNotificationsNow(_ trial: Trial, observers: Int) throws {
  let realm = try StrataFile.open(trial.file, [People.Person.self])
  let queue = DispatchQueue(label: "observers")
  let calls = Calls()
  let all = realm.objects(People.Person.self)
  let tokens = (0..<observers).map { _ in
    all.sorted(byKeyPath: "lastName").observe(on: queue) { _ in calls.add() }
  }
  calls.wait(for: observers)
  let people = some(realm, rows: trial.rows)
  try trial.time {
    for round in 0..<commits {
      try rename(realm, people, round: round)
      calls.wait(for: observers)
    }
  }
  for token in tokens { token.invalidate() }
  trial.answer = commits
}

private func readRowsAgain(_ trial: Trial) throws {
  try PlainDatabase.open(trial.file) { db in
    let change = try db.makeStatement(sql: "UPDATE Person SET lastName = ? WHERE _id = ?")
    try trial.time {
      for round in 0..<commits {
        try db.inTransaction(.immediate) {
          for index in 0..<touched {
            try change.execute(arguments: [
              "Last \((index * 7_919 + round * 104_729) % 1_000_000)",
              index * (trial.rows / touched) + 1,
            ])
          }
          return .commit
        }
        let rows = try Int64.fetchAll(db, sql: "SELECT _id FROM Person ORDER BY lastName, _id")
        trial.answer += rows.count == trial.rows ? 1 : 0
      }
    }
  }
}

private func timeNotificationsOfGRDB(_ trial: Trial) throws {
  try closing(trial.file) { try timeNotificationsOfGRDBNow(trial) }
}

private func timeNotificationsOfGRDBNow(_ trial: Trial) throws {
  let pool = try DatabasePool(path: trial.file.path)
  let calls = Calls()
  let observation = ValueObservation.tracking { db in
    try PersonRecord.fetchAll(db, sql: PersonRecord.sql + " ORDER BY lastName, _id").count
  }
  let cancellable = observation.start(
    in: pool, scheduling: .async(onQueue: .global()), onError: { _ in calls.add() },
    onChange: { _ in calls.add() })
  calls.wait(for: 1)
  try trial.time {
    for round in 0..<commits {
      try pool.write { db in
        for index in 0..<touched {
          try db.execute(
            sql: "UPDATE Person SET lastName = ? WHERE _id = ?",
            arguments: [
              "Last \((index * 7_919 + round * 104_729) % 1_000_000)",
              index * (trial.rows / touched) + 1,
            ])
        }
      }
      calls.wait(for: 1)
    }
  }
  cancellable.cancel()
  trial.answer = commits
}

/// Runs a closure with or without an observer of all people.
private func observing(_ realm: Realm, _ isObserved: Bool, _ body: () throws -> Void) rethrows {
  let queue = DispatchQueue(label: "observers")
  let calls = Calls()
  let token =
    isObserved
    ? realm.objects(People.Person.self).sorted(byKeyPath: "lastName").observe(on: queue) { _ in
      calls.add()
    } : nil
  if isObserved { calls.wait(for: 1) }
  try body()
  token?.invalidate()
}

private func commit(_ trial: Trial, observed: Bool) throws {
  try closing(trial.file) { try commitNow(trial, observed: observed) }
}

private func commitNow(_ trial: Trial, observed: Bool) throws {
  let realm = try StrataFile.open(trial.file, [People.Person.self])
  let people = some(realm, rows: trial.rows)
  try observing(realm, observed) {
    try rename(realm, people, round: 0)
    try trial.time {
      for round in 1...manyCommits { try rename(realm, people, round: round) }
    }
  }
}

private func update(_ trial: Trial, observed: Bool) throws {
  try closing(trial.file) { try updateNow(trial, observed: observed) }
}

private func updateNow(_ trial: Trial, observed: Bool) throws {
  let realm = try StrataFile.open(trial.file, [People.Person.self])
  try observing(realm, observed) {
    try trial.time {
      try realm.write { for person in realm.objects(People.Person.self) { person.age += 1 } }
    }
  }
}
