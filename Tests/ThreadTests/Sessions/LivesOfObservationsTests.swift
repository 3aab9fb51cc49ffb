import Dispatch
import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

private typealias Person = Observed.Person

/// An actor that observes with its own realm.
private actor Watcher {
  private var realm: Realm?
  private var token: NotificationToken?
  private let heard: Heard<Int>
  private let writes: Bool

  init(_ heard: Heard<Int>, writes: Bool = false) {
    self.heard = heard
    self.writes = writes
  }

  func watch(_ configuration: Realm.Configuration) async throws {
    let realm = try await Realm(configuration: configuration, actor: self)
    self.realm = realm
    token = await realm.objects(Person.self).observe(on: self) { watcher, change in
      watcher.hear(change)
    }
  }

  /// Adds one person more, until there are three.
  private func hear(_ change: RealmCollectionChange<Results<Person>>) {
    switch change {
    case .initial(let people), .update(let people, _, _, _):
      heard.add(people.count)
      guard writes, let realm, people.count < 3 else { return }
      let next = people.count + 1
      do {
        try realm.write { realm.add(Observed.person(next)) }
      } catch {
        Issue.record(error)
      }
    case .error(let error): Issue.record(error)
    }
  }
}

/// Observations in each kind of isolation, and their end when the isolation goes away.
@Suite("Observing at places", .timeLimit(.minutes(40))) struct LivesOfObservationsTests {
  let folder: TestFolder
  let configuration: Realm.Configuration
  let heard = Heard<Int>()

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration(Observed.types)
    _ = try Realm(configuration: configuration)
  }

  private func add(_ id: Int) async throws {
    let configuration = configuration
    try await Task.detached {
      let realm = try Realm(configuration: configuration)
      try await realm.asyncWrite { realm.add(Observed.person(id)) }
    }.value
  }

  private static func observe(
    _ realm: Realm, on queue: DispatchQueue? = nil, _ heard: Heard<Int>
  ) -> NotificationToken {
    realm.objects(Person.self).observe(on: queue) { change in
      switch change {
      case .initial(let people), .update(let people, _, _, _): heard.add(people.count)
      case .error(let error): Issue.record(error)
      }
    }
  }

  @Test func `A task that moves between threads hears when it refreshes or writes`() async throws {
    let realm = try Realm(configuration: configuration)
    let token = Self.observe(realm, heard)
    await realm.asyncRefresh()
    expectEqual(heard.all, [0])
    try await add(1)
    try await Task.sleep(for: .milliseconds(5))
    await realm.asyncRefresh()
    expectEqual(heard.all, [0, 1])
    try await add(2)
    try await realm.asyncWrite { expectEqual(heard.all, [0, 1, 2]) }
    token.invalidate()
  }

  @Test func `A handler of an actor may write, and hears of it in another turn`() async throws {
    let watcher = Watcher(heard, writes: true)
    try await watcher.watch(configuration)
    try await expectEqual(heard.arrival(of: 4), [0, 1, 2, 3])
  }

  @Test func `A handler may write later`() async throws {
    let (configuration, heard) = (configuration, heard)
    let queue = DispatchQueue(label: "observes")
    let kept = Heard<NotificationToken>()
    queue.sync {
      do {
        let realm = try Realm(configuration: configuration, queue: queue)
        kept.add(
          realm.objects(Person.self).observe { change in
            guard let people = change.collection else { return }
            heard.add(people.count)
            if people.count < 3 {
              let next = people.count + 1
              realm.writeAsync { realm.add(Observed.person(next)) }
            }
          })
      } catch {
        Issue.record(error)
      }
    }
    try await expectEqual(heard.arrival(of: 4), [0, 1, 2, 3])
    for token in kept.all { token.invalidate() }
    queue.sync {}
  }

  @Test func `A handler that doesn't return keeps no other place`() async throws {
    let queue = DispatchQueue(label: "blocked")
    let goesOn = DispatchSemaphore(value: 0)
    let realm = try Realm(configuration: configuration)
    let blocked = realm.objects(Person.self).observe(on: queue) { _ in goesOn.wait() }
    let watcher = Watcher(heard)
    try await watcher.watch(configuration)
    try await expectEqual(heard.arrival(of: 1), [0])
    for id in 1...5 {
      try await add(id)
      try await expectEqual(heard.arrival(of: id + 1), Array(0...id))
    }
    blocked.invalidate()
    goesOn.signal()
    queue.sync {}
  }

  @Test func `An actor that goes away ends what it observes`() async throws {
    var watcher: Watcher? = Watcher(heard)
    try await watcher?.watch(configuration)
    try await expectEqual(heard.arrival(of: 1), [0])
    weak let gone = watcher
    watcher = nil
    await expectTrue(eventually { gone == nil })
    try await add(1)
    try await add(2)
    expectEqual(heard.all, [0])
    let realm = try Realm(configuration: configuration)
    await expectTrue(eventually { realm.session.store.sessions.count == 1 })
  }

  @Test func `A queue that goes away hears nothing more, and nothing is kept for it`() async throws
  {
    let realm = try Realm(configuration: configuration)
    var queue: DispatchQueue? = DispatchQueue(label: "goes away")
    let token = Self.observe(realm, on: queue, heard)
    try await expectEqual(heard.arrival(of: 1), [0])
    queue = nil
    try await add(1)
    expectTrue(heard.all.count <= 2)
    expectTrue(token.invalidate())
    expectFalse(token.invalidate())
    await expectTrue(eventually { realm.session.store.sessions.count == 1 })
  }

  @MainActor @Test func `What was told keeps nothing when its observation has ended`()
    async throws
  {
    final class Held {}
    weak var held: Held?
    func observe() throws -> NotificationToken {
      let realm = try Realm(configuration: configuration)
      let made = Held()
      held = made
      return realm.objects(Person.self).sectioned(
        by: { person in withExtendedLifetime(made) { person.age } },
        sortDescriptors: [SortDescriptor(keyPath: "age")]
      ).observe { [heard] _ in heard.add(1) }
    }
    let token = try observe()
    try await expectEqual(heard.arrival(of: 1), [1])
    token.invalidate()
    let isReleased = await eventually { held == nil }
    expectTrue(isReleased)
    // Nor the file.
    let isClosed = await eventually { (try? Realm.deleteFiles(for: configuration)) == true }
    expectTrue(isClosed)
  }
}

extension RealmCollectionChange {
  fileprivate var collection: Collection? {
    switch self {
    case .initial(let collection), .update(let collection, _, _, _): collection
    case .error: nil
    }
  }
}
