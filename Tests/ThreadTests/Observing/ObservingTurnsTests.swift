import Dispatch
import Foundation
import GRDB
import StrataTestKit
import Testing

@testable import Strata

private typealias Person = Observed.Person

/// Whatever comes between a commit and the handlers, they hear of it, and positions fit.
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
    let configuration = configuration
    try inThread {
      let realm = try Realm(configuration: configuration)
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
        #expect(shown.ids == people.map(\.id))
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
    #expect(shown.ids == [1, 2, 3, 4])
    try write { $0.add(Observed.person(5)) }
    realm.refresh()
    realm.refresh()
    #expect(!isFirst)
    #expect(shown.ids == [4, 5])
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
    #expect(shown.ids == [1, 2, 3, 4, 5])
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
      do {
        try inThread {
          let realm = try Realm(configuration: configuration)
          try realm.write { realm.add(Observed.person(6)) }
          realm.beginWrite()
          realm.cancelWrite()
        }
      } catch {
        Issue.record(error)
      }
    }
    let token = follow(people, shown)
    realm.refresh()
    try write { $0.add(Observed.person(5)) }
    realm.refresh()
    #expect(people.count == 6)
    realm.refresh()
    #expect(shown.ids == [1, 2, 3, 4, 5, 6])
    for token in [busy, token] { token.invalidate() }
  }

}
