import Dispatch
import Foundation
import Strata
import StrataTestKit
import Synchronization
import TestKit
import Testing

/// The isolation and the time in which handlers run: the rules of delivery.
@Suite struct ObservingPlacesTests {
  let folder: TestFolder
  let configuration: Realm.Configuration

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration(Observed.types)
  }

  private func write(_ body: @escaping @Sendable (Realm) -> Void) throws {
    try inThread(configuration) { realm in
      try realm.write { body(realm) }
    }
  }

  @Test func `A thread that can't be woken hears when it asks`() throws {
    let configuration = configuration
    try inThread(configuration) { realm in
      let heard = Heard<Change>()
      let token = realm.objects(Observed.Person.self).observe { heard.add(Change($0)) }
      try inThread(configuration) { realm in
        for id in 0..<3 { try realm.write { realm.add(Observed.person(id)) } }
      }
      expectEqual(heard.all, [])
      expectTrue(realm.refresh())
      expectEqual(heard.all, [.initial(3)])
      try inThread(configuration) { realm in
        for id in 3..<6 { try realm.write { realm.add(Observed.person(id)) } }
      }
      expectEqual(heard.all, [.initial(3)])
      try realm.write {
        // Earlier commits of others are delivered first.
        expectEqual(heard.all, [.initial(3), .update(6, [], [3, 4, 5], [])])
        realm.deleteAll()
      }
      expectEqual(heard.all.count, 2)
      realm.refresh()
      expectEqual(heard.all.count, 3)
      token.invalidate()
    }
  }

  @MainActor @Test func `The main actor hears between its tasks`() async throws {
    let realm = try Realm(configuration: configuration)
    let heard = Heard<Change>()
    let people = realm.objects(Observed.Person.self)
    let token = people.observe { change in
      MainActor.preconditionIsolated()
      heard.add(Change(change))
    }
    try await expectEqual(heard.arrival(of: 1), [.initial(0)])
    try realm.write { realm.add(Observed.person(1)) }
    expectEqual(people.count, 1)
    expectEqual(heard.all.count, 1)
    try await expectEqual(heard.arrival(of: 2).last, .update(1, [], [0], []))
    // The realm of an observer stays at what was told until the next turn.
    try write { $0.add(Observed.person(2)) }
    expectEqual(people.count, 1)
    try await expectEqual(heard.arrival(of: 3).last, .update(2, [], [1], []))
    expectEqual(people.count, 2)
    token.invalidate()
  }

  private actor Listener {
    let heard = Heard<Change>()
    var token: NotificationToken?

    func listen(_ configuration: Realm.Configuration) async throws {
      let realm = try await Realm.open(configuration: configuration)
      token = await realm.objects(Observed.Person.self).observe(on: self) { listener, change in
        listener.heard.add(Change(change))
      }
    }

    func stop() { token?.invalidate() }
  }

  @Test func `An actor hears on its own executor`() async throws {
    let listener = Listener()
    try await listener.listen(configuration)
    try await expectEqual(listener.heard.arrival(of: 1), [.initial(0)])
    try write { $0.add(Observed.person(1)) }
    try await expectEqual(listener.heard.arrival(of: 2).last, .update(1, [], [0], []))
    await listener.stop()
    try write { $0.add(Observed.person(2)) }
    // A listener that still observed would hear of the second person before its next observation.
    try await listener.listen(configuration)
    try await expectEqual(listener.heard.arrival(of: 3).dropFirst(2), [.initial(2)])
  }

  @Test func `A loop gets each change, and ends with its task`() async throws {
    let configuration = configuration
    let heard = Heard<Change>()
    let task = Task {
      let realm = try Realm(configuration: configuration)
      for try await change in realm.objects(Observed.Person.self).changes() {
        heard.add(Change(change))
      }
    }
    try await expectEqual(heard.arrival(of: 1), [.initial(0)])
    try write { $0.add(Observed.person(1)) }
    try await expectEqual(heard.arrival(of: 2).last, .update(1, [], [0], []))
    task.cancel()
    try await task.value
    try write { $0.add(Observed.person(2)) }
    expectEqual(heard.all.count, 2)
  }

  @Test func `Objects and realms are loops, too`() async throws {
    try write { $0.add(Observed.person(1, "Ada")) }
    let configuration = configuration
    let names = Heard<String>()
    let versions = Heard<String>()
    let objects = Task {
      let realm = try Realm(configuration: configuration)
      let ada = try #require(realm.object(ofType: Observed.Person.self, forPrimaryKey: 1))
      names.add("ready")
      for try await change in ada.changes() {
        switch change {
        case .change(let ada, let properties):
          let changed = properties.map { property in
            " \(property.name) \(property.oldValue ?? "") \(property.newValue ?? "")"
          }
          names.add(ada.name + changed.joined())
        case .deleted: names.add("deleted")
        case .error(let error): names.add("\(error)")
        }
      }
      names.add("over")
    }
    let realms = Task {
      let realm = try Realm(configuration: configuration)
      for try await notification in realm.changes { versions.add("\(notification)") }
    }
    _ = try await names.arrival(of: 1)
    // They begin at some moment.
    let limit = ContinuousClock.now + .seconds(1_200)
    var name = "Ada"
    while names.all.count < 2 || versions.all.isEmpty, ContinuousClock.now < limit {
      name += "!"
      try write { [name] in $0.objects(Observed.Person.self)[0].name = name }
      try await Task.sleep(for: .milliseconds(20))
    }
    expectTrue(names.all.count >= 2)
    expectTrue(names.all.dropFirst().allSatisfy { $0.contains("! name Ada") })
    expectEqual(versions.all.first, "didChange")
    try write { $0.deleteAll() }
    try await objects.value
    expectEqual(names.all.suffix(2), ["deleted", "over"])
    realms.cancel()
    try await realms.value
  }

  @Test func `A busy place hears of everything at once`() throws {
    let queue = DispatchQueue(label: "busy")
    let realm = try Realm(configuration: configuration)
    let heard = Heard<Change>()
    let token = realm.objects(Observed.Person.self).observe(on: queue) { heard.add(Change($0)) }
    _ = heard.wait(for: 1)
    let blocked = DispatchSemaphore(value: 0)
    queue.async { blocked.wait() }
    for id in 0..<20 { try realm.write { realm.add(Observed.person(id)) } }
    try realm.write { realm.delete(realm.objects(Observed.Person.self)[0]) }
    blocked.signal()
    _ = heard.wait(for: 2)
    queue.sync {}
    expectTrue(heard.all.count <= 4)
    token.invalidate()
  }

  @Test func `A handler may write, and hears of it later`() throws {
    let queue = DispatchQueue(label: "writing")
    let configuration = configuration
    let realm = try Realm(configuration: configuration)
    let heard = Heard<Change>()
    let depth = Atomic<Int>(0)
    let token = realm.objects(Observed.Person.self).observe(on: queue) { change in
      expectEqual(depth.add(1, ordering: .relaxed).newValue, 1)
      heard.add(Change(change))
      if heard.all.count < 4 {
        #expect(throws: Never.self) {
          let realm = try Realm(configuration: configuration)
          expectFalse(realm.isInWriteTransaction)
          expectFalse(realm.refresh())
          try realm.write { realm.add(Observed.person(heard.all.count)) }
        }
      }
      depth.subtract(1, ordering: .relaxed)
    }
    expectEqual(
      heard.wait(for: 4),
      [
        .initial(0), .update(1, [], [0], []), .update(2, [], [1], []), .update(3, [], [2], []),
      ])
    token.invalidate()
  }

  @Test func `Realms hear of each commit, their own at its end`() throws {
    let realm = try Realm(configuration: configuration)
    let heard = Heard<String>()
    let token = realm.observe { notification, realm in
      heard.add("\(notification) \(realm.objects(Observed.Person.self).count)")
    }
    try realm.write { realm.add(Observed.person(1)) }
    expectEqual(heard.all, ["didChange 1"])
    try realm.write {}
    expectEqual(heard.all, ["didChange 1", "didChange 1"])
    try write { $0.add(Observed.person(2)) }
    realm.refresh()
    expectEqual(heard.all.last, "didChange 2")
    realm.beginWrite()
    realm.cancelWrite()
    realm.refresh()
    expectEqual(heard.all.count, 3)
    expectTrue(token.invalidate())
    try realm.write {}
    expectEqual(heard.all.count, 3)
  }

  @Test func `What is observed inside of a transaction begins after it`() throws {
    let queue = DispatchQueue(label: "inside")
    let realm = try Realm(configuration: configuration)
    let heard = Heard<Change>()
    let objects = Heard<String>()
    var tokens: [NotificationToken] = []
    try realm.write {
      let ada = Observed.person(1, "Ada")
      realm.add(ada)
      tokens.append(
        realm.objects(Observed.Person.self).observe(on: queue) { heard.add(Change($0)) })
      tokens.append(ada.observe(on: queue) { _ in objects.add("changed") })
      ada.name = "Eve"
      realm.add(Observed.person(2))
    }
    expectEqual(heard.wait(for: 1), [.initial(2)])
    try realm.write { realm.objects(Observed.Person.self)[0].name = "Bob" }
    expectEqual(heard.wait(for: 2).last, .update(2, [], [], [0]))
    expectEqual(objects.wait(for: 1), ["changed"])
    for token in tokens { token.invalidate() }
  }

  @Test func `A dropped token ends its observation`() throws {
    let queue = DispatchQueue(label: "dropped")
    let realm = try Realm(configuration: configuration)
    let heard = Heard<Change>()
    for _ in 0..<20 {
      _ = realm.objects(Observed.Person.self).observe(on: queue) { heard.add(Change($0)) }
    }
    queue.sync {}
    let before = heard.all.count
    try realm.write { realm.add(Observed.person(1)) }
    let last = realm.objects(Observed.Person.self).observe(on: queue) { heard.add(Change($0)) }
    _ = heard.wait(for: before + 1)
    queue.sync {}
    expectEqual(heard.all.dropFirst(before), [.initial(1)])
    last.invalidate()
  }

  @Test func `A file is closed when its last token is invalidated`() throws {
    let log = folder.file.path + "-wal"
    for isOnQueue in [true, false] {
      let heard = Heard<Change>()
      var token: NotificationToken?
      do {
        let realm = try Realm(configuration: configuration)
        let people = realm.objects(Observed.Person.self)
        let queue = isOnQueue ? DispatchQueue(label: "last") : nil
        token = people.observe(on: queue) { heard.add(Change($0)) }
        try realm.write { realm.add(Observed.person(isOnQueue ? 1 : 2)) }
        realm.refresh()
        _ = heard.wait(for: 1)
      }
      expectTrue(FileManager.default.fileExists(atPath: log))
      token?.invalidate()
      expectTrue(blockUntil { !FileManager.default.fileExists(atPath: log) })
    }
  }

  @Test func `A file can be closed and opened again after observing`() throws {
    for round in 0..<20 {
      let realm = try Realm(configuration: configuration)
      let heard = Heard<Change>()
      let queue = DispatchQueue(label: "again")
      let token = realm.objects(Observed.Person.self).observe(on: queue) { heard.add(Change($0)) }
      expectEqual(heard.wait(for: 1), [.initial(round)])
      try realm.write { realm.add(Observed.person(round)) }
      expectEqual(heard.wait(for: 2).count, 2)
      token.invalidate()
    }
    try expectEqual(Realm.problems(for: configuration), [])
  }
}
