import Dispatch
import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata

private typealias Person = Observed.Person

/// Does something with a realm of another thread, for a handler, which can't throw.
private func elsewhere(
  _ configuration: Realm.Configuration, _ body: @escaping @Sendable (Realm) throws -> Void
) {
  do {
    try inThread(configuration, body)
  } catch {
    Issue.record(error)
  }
}

/// Events between a commit and its notifications: the handlers receive them, and positions match.
@Suite struct ObservingTurnsTests {
  let folder: TestFolder
  let configuration: Realm.Configuration
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration(Observed.types)
    realm = try Realm(configuration: configuration)
    try realm.write { for id in 1...4 { realm.add(Observed.person(id, age: id)) } }
  }

  private func write(_ body: @escaping @Sendable (Realm) throws -> Void) throws {
    try inThread(configuration) { realm in
      try realm.write { try body(realm) }
    }
  }

  /// Observes with a list that is kept by the changes alone.
  private func follow(_ people: Results<Person>, _ shown: Shown) -> NotificationToken {
    people.observe { change in
      switch change {
      case .initial(let people): shown.ids = people.map(\.id)
      case .update(let people, let deletions, let insertions, _):
        for index in deletions.reversed() { shown.ids.remove(at: index) }
        for index in insertions where index < people.count && index <= shown.ids.count {
          shown.ids.insert(people[index].id, at: index)
        }
        expectEqual(shown.ids, people.map(\.id))
      case .error(let error): Issue.record(error)
      }
    }
  }

  private final class Shown {
    var ids: [Int] = []
  }

  @Test func `Before a handler writes, the others hear of what the realm shows`() throws {
    let people = realm.objects(Person.self).sorted(byKeyPath: "id")
    var isFirst = true
    let writer = people.observe { [realm] change in
      guard case .update = change, isFirst else { return }
      isFirst = false
      do {
        try realm.write { realm.delete(people.filter("id < 4")) }
      } catch {
        Issue.record(error)
      }
    }
    let shown = Shown()
    let token = follow(people, shown)
    let sections = people.sectioned(by: \.age).observe { _ in }
    realm.refresh()
    expectEqual(shown.ids, [1, 2, 3, 4])
    try write { $0.add(Observed.person(5)) }
    realm.refresh()
    realm.refresh()
    expectFalse(isFirst)
    expectEqual(shown.ids, [4, 5])
    for token in [writer, token, sections] { token.invalidate() }
  }

  @Test func `Before a handler begins what it takes back, the others hear`() throws {
    let people = realm.objects(Person.self).sorted(byKeyPath: "id")
    let writer = people.observe { [realm] change in
      guard case .update = change else { return }
      realm.beginWrite()
      realm.delete(people)
    }
    let shown = Shown()
    let token = follow(people, shown)
    realm.refresh()
    try write { $0.add(Observed.person(5)) }
    realm.refresh()
    expectEqual(shown.ids, [1, 2, 3, 4, 5])
    realm.cancelWrite()
    for token in [writer, token] { token.invalidate() }
  }

  @Test func `A commit is heard of although another transaction was taken back after it`() throws {
    let people = realm.objects(Person.self).sorted(byKeyPath: "id")
    let configuration = configuration
    var isFirst = true
    let shown = Shown()
    let busy = people.observe { change in
      guard case .update = change, isFirst else { return }
      isFirst = false
      elsewhere(configuration) { realm in
        try realm.write { realm.add(Observed.person(6)) }
        realm.beginWrite()
        realm.cancelWrite()
      }
    }
    let token = follow(people, shown)
    realm.refresh()
    try write { $0.add(Observed.person(5)) }
    realm.refresh()
    expectEqual(people.count, 6)
    realm.refresh()
    expectEqual(shown.ids, [1, 2, 3, 4, 5, 6])
    for token in [busy, token] { token.invalidate() }
  }

  @Test func `An object tells what has changed since the version that its realm shows`() throws {
    let people = realm.objects(Person.self).sorted(byKeyPath: "id")
    // The results don't change until the realm is refreshed.
    realm.autorefresh = false
    try write { realm in
      let people = realm.objects(Person.self).sorted(byKeyPath: "id")
      people[0].age = 31
      realm.delete(people[1])
    }
    let (first, second, third) = (people[0], people[1], people[2])
    expectEqual(first.age, 1)
    var heard: [String] = []
    let tokens = [first, second, third].map { person in
      person.observe { change in
        switch change {
        case .change(_, let properties):
          heard += properties.map { "\($0.name) \($0.oldValue ?? "nil") \($0.newValue ?? "nil")" }
        case .deleted: heard.append("deleted")
        case .error(let error): Issue.record(error)
        }
      }
    }
    realm.refresh()
    expectEqual(heard, ["age 1 31", "deleted"])
    try write { realm in
      let people = realm.objects(Person.self).sorted(byKeyPath: "id")
      people[0].age = 32
      people[1].age = 33
    }
    realm.refresh()
    expectEqual(heard.dropFirst(2), ["age 31 32", "age 3 33"])
    for token in tokens { token.invalidate() }
  }

  @Test func `An object that is observed in a transaction begins with its end`() throws {
    realm.autorefresh = false
    let first = try #require(realm.objects(Person.self).sorted(byKeyPath: "id").first)
    var heard: [Int] = []
    func observe(_ person: Person) -> NotificationToken {
      person.observe { change in
        guard case .change(let person, _) = change else { return }
        heard.append(person.age)
      }
    }
    let tokens = try realm.write {
      let made = Observed.person(7)
      realm.add(made)
      first.age = 5
      return [observe(made), observe(first)]
    }
    realm.refresh()
    expectEqual(heard, [])
    try write { realm in
      for person in realm.objects(Person.self) { person.age += 10 }
    }
    realm.refresh()
    expectEqual(heard.sorted(), [10, 15])
    for token in tokens { token.invalidate() }
  }

  /// Changes of people, which take as long as the test wants.
  private struct SlowSource: ObservationSource {
    let entered = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    var key: String { "slow" }
    var regions: [ChangedObjects] { [] }
    var classesWithProperties: Set<String> { [] }
    var list: CollectionKey? { nil }
    var tables: Set<String> { [Person.className()] }

    func state(_ db: Database) -> SourceState { .everything }

    func change(
      from state: SourceState, _ changes: CommitChanges, _ db: Database
    ) -> (state: SourceState, change: SourceChange?) {
      entered.signal()
      gate.wait()
      return (state, nil)
    }
  }

  @Test func `What is observed while commits are looked at misses none of them`() throws {
    let slow = SlowSource()
    let notifier = SessionNotifier.of(realm.session)
    let observation = Observation(slow, hasInitial: false) { _, _ in }
    try notifier.add(observation)
    realm.session.store.observationCenter.finishPending()
    try write { $0.add(Observed.person(5)) }
    slow.entered.wait()
    // The observation begins between two commits, and after both were looked at.
    let people = realm.objects(Person.self).sorted(byKeyPath: "id")
    let shown = Shown()
    let token = follow(people, shown)
    try write { $0.add(Observed.person(6)) }
    for _ in 0..<9 { slow.gate.signal() }
    realm.refresh()
    realm.refresh()
    expectEqual(people.count, 6)
    expectEqual(shown.ids, [1, 2, 3, 4, 5, 6])
    token.invalidate()
    _ = observation.end()
    notifier.remove(observation)
  }

  @Test(arguments: [true, false])
  func `Before a handler moves the realm, the others hear of what it shows`(
    invalidates: Bool
  ) throws {
    realm.autorefresh = false
    let people = realm.objects(Person.self).sorted(byKeyPath: "id")
    let configuration = configuration
    let mover = people.observe { [realm] change in
      guard case .update = change else { return }
      elsewhere(configuration) { realm in
        try realm.write { realm.delete(realm.objects(Person.self)) }
      }
      if invalidates { realm.invalidate() } else { realm.autorefresh = true }
    }
    let shown = Shown()
    let token = follow(people, shown)
    realm.refresh()
    try write { $0.add(Observed.person(5)) }
    realm.refresh()
    expectEqual(shown.ids, [1, 2, 3, 4, 5])
    realm.refresh()
    expectEqual(shown.ids, [])
    for token in [mover, token] { token.invalidate() }
  }
}
