import Dispatch
import StrataStorage
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Queues that a program makes for a realm, and keeps no reference to.
@Suite("A queue that only a realm needs") struct KeptQueuesTests {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var friends: List<Person>
  }

  enum Observed: CaseIterable {
    case results, object, list, realm, sections

    func observe(_ realm: Realm, _ handler: @escaping () -> Void) -> NotificationToken {
      let people = realm.objects(Person.self)
      return switch self {
      case .results: people.observe { _ in handler() }
      case .object: people[0].observe { _ in handler() }
      case .list: people[0].friends.observe { _ in handler() }
      case .realm: realm.observe { _, _ in handler() }
      case .sections: people.sectioned(by: \.name).observe { _ in handler() }
      }
    }
  }

  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write([Person.self]) { realm in realm.create(Person.self, value: ["name": "Ada"]) }
  }

  /// Runs a closure on a queue of its own, with a realm there.
  private func onQueue<Result>(
    _ body: (Realm) throws -> Result
  ) throws -> (result: Result, place: Place) {
    let queue = DispatchQueue(label: "of a realm")
    nonisolated(unsafe) let body = body
    nonisolated(unsafe) var result: Result?
    try queue.sync {
      let realm = try Realm(configuration: folder.configuration([Person.self]), queue: queue)
      result = try body(realm)
    }
    return (try #require(result), try #require(Place.remember(queue)))
  }

  private func change() throws {
    try folder.write([Person.self]) { realm in
      let person = realm.objects(Person.self)[0]
      person.name += "!"
      person.friends.append(person)
    }
  }

  @Test(arguments: Observed.allCases)
  func `A token keeps it, and lets go of it`(observed: Observed) async throws {
    let heard = Heard<Bool>()
    var (token, place): (NotificationToken?, Place) = try onQueue { realm in
      observed.observe(realm) { heard.add(true) }
    }
    expectTrue(token != nil)
    try change()
    await expectTrue(eventually { !heard.all.isEmpty })
    token?.invalidate()
    token = nil
    await expectTrue(eventually { place.queue == nil })
  }

  @Test func `A realm keeps it, and lets go of it`() async throws {
    var (realm, place): (Realm?, Place) = try onQueue { $0 }
    expectTrue(realm != nil && place.queue != nil)
    place.queue?.sync { realm = nil }
    await expectTrue(eventually { place.queue == nil })
  }

  @Test func `A transaction that waits keeps it until its end is told`() async throws {
    let heard = Heard<Bool>()
    let other = try Realm(configuration: folder.configuration([Person.self]))
    other.beginWrite()
    let (_, place) = try onQueue { realm in
      realm.writeAsync({ realm.create(Person.self) }) { error in
        expectNil(error)
        heard.add(true)
      }
    }
    other.cancelWrite()
    await expectTrue(eventually { !heard.all.isEmpty })
    expectEqual(other.objects(Person.self).count, 2)
    await expectTrue(eventually { place.queue == nil })
  }
}
