import Dispatch
import Foundation
import StrataStorage
import StrataTestKit
import TestKit
import Testing

@testable import Strata

@Suite struct ReplicaObservingTests {
  typealias Person = Observed.Person

  let test: TestReplica
  private let queue = DispatchQueue(label: "replica")

  init() throws {
    test = try TestReplica()
    try publish { $0.add(Observed.person(1, "Ada", age: 30)) }
  }

  private func publish(version: UInt64 = 0, _ body: (Realm) throws -> Void) throws {
    try test.write(Observed.types, version: version, body)
    try test.publish()
  }

  private func open() throws -> Realm {
    try Realm(configuration: test.configuration(Observed.types))
  }

  /// Observes the names of persons on the queue.
  private func observe(
    _ handler: @escaping (RealmCollectionChange<Results<Person>>) -> Void
  ) throws -> NotificationToken {
    try open().objects(Person.self).sorted(byKeyPath: "id").observe(on: queue, handler)
  }

  @Test func `Each publication is delivered once, with what differs`() throws {
    let heard = Heard<String>()
    let token = try observe { change in
      switch change {
      case .initial(let all): heard.add("initial \(all.map(\.id))")
      case .update(let all, let deletions, let insertions, let modifications):
        heard.add("\(all.map(\.id)) -\(deletions) +\(insertions) ~\(modifications)")
      case .error(let error): heard.add("\(error)")
      }
    }
    defer { token.invalidate() }
    expectEqual(heard.wait(for: 1), ["initial [1]"])
    try publish { $0.add(Observed.person(2)) }
    expectEqual(heard.wait(for: 2).last, "[1, 2] -[] +[1] ~[]")
    try publish { realm in
      realm.object(ofType: Person.self, forPrimaryKey: 1).map { realm.delete($0) }
      realm.object(ofType: Person.self, forPrimaryKey: 2)?.age = 5
      realm.add(Observed.person(3))
    }
    expectEqual(heard.wait(for: 3).last, "[2, 3] -[0] +[1] ~[1]")
    // Nothing differs.
    try test.publish()
    try publish { $0.add(Observed.person(4)) }
    expectEqual(heard.wait(for: 4).last, "[2, 3, 4] -[] +[2] ~[]")
    expectEqual(heard.all.count, 4)
  }

  @Test func `Objects, collections, maps, sections and the realm are observed`() throws {
    let (heard, begun) = (Heard<String>(), Heard<Bool>())
    let queue = queue
    let realm = try open()
    let ada = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    var tokens: [NotificationToken] = []
    tokens.append(
      ada.observe(on: queue) { (change: ObjectChange<Person>) in
        if case .change(_, let properties) = change {
          heard.add("object \(properties.map(\.name).sorted())")
        }
        if case .deleted = change { heard.add("object gone") }
      })
    tokens.append(
      ada.numbers.observe(on: queue) { change in
        if case .initial = change { begun.add(true) }
        if case .update(let all, _, let insertions, _) = change {
          heard.add("list \(Array(all)) +\(insertions)")
        }
      })
    tokens.append(
      ada.scores.observe(on: queue) { change in
        if case .initial = change { begun.add(true) }
        if case .update(_, _, let insertions, _) = change { heard.add("map +\(insertions)") }
      })
    tokens.append(
      realm.objects(Person.self).sectioned(by: \.age).observe(on: queue) { change in
        if case .initial = change { begun.add(true) }
        if case .update(let all, _, _, _, _, _) = change {
          heard.add("sections \(all.map(\.key))")
        }
      })
    expectEqual(begun.wait(for: 3).count, 3)
    try publish { realm in
      let ada = realm.object(ofType: Person.self, forPrimaryKey: 1)
      ada?.numbers.append(7)
      ada?.scores["a"] = 1
      ada?.age = 31
    }
    let news = Set(heard.wait(for: 4))
    expectEqual(
      news,
      [
        "object [\"age\", \"numbers\", \"scores\"]", "list [7] +[0]", "map +[\"a\"]",
        "sections [31]",
      ])
    try publish { $0.delete($0.objects(Person.self)) }
    expectTrue(heard.wait(for: 6).contains("object gone"))
    for token in tokens { token.invalidate() }
  }

  @Test func `Changes as a sequence replayed are the state of each publication`() async throws {
    let states = Heard<[Int: Int]>()
    let configuration = test.configuration(Observed.types)
    let reader = Task {
      var model: [(id: Int, age: Int)] = []
      let realm = try await Realm.open(configuration: configuration)
      let all = realm.objects(Person.self).sorted(byKeyPath: "id")
      for try await change in all.changes() {
        switch change {
        case .initial(let all): model = all.map { ($0.id, $0.age) }
        case .update(let all, let deletions, let insertions, let modifications):
          // Positions of modifications are those before, too.
          let modified = Set(modifications.map { model[$0].id })
          for index in deletions.reversed() { model.remove(at: index) }
          for index in insertions { model.insert((all[index].id, all[index].age), at: index) }
          for index in model.indices where modified.contains(model[index].id) {
            model[index].age = all[index].age
          }
          expectEqual(model.map(\.id), all.map(\.id))
          expectEqual(model.map(\.age), all.map(\.age))
        case .error(let error): throw error
        }
        states.add(Dictionary(uniqueKeysWithValues: model.map { ($0.id, $0.age) }))
        if model.contains(where: { $0.id == -1 }) { return }
      }
    }
    var random = SystemRandomNumberGenerator()
    var published: [[Int: Int]] = [[1: 30]]
    for round in 0..<25 {
      try publish { realm in
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
          let id = Int.random(in: 0..<12, using: &random)
          if let person = realm.object(ofType: Person.self, forPrimaryKey: id) {
            if Bool.random() { realm.delete(person) } else { person.age += 1 }
          } else {
            realm.add(Observed.person(id, age: round))
          }
        }
        if round == 24 { realm.add(Observed.person(-1)) }
        published.append(
          Dictionary(uniqueKeysWithValues: realm.objects(Person.self).map { ($0.id, $0.age) }))
      }
      // Waits for some states, so that others arrive together with later ones.
      if Bool.random(using: &random) {
        await expectTrue(eventually { states.all.last == published.last })
      }
    }
    try await reader.value
    // Each state that was seen is one that was published, in their order.
    var rest = published[...]
    for state in states.all {
      let index = try #require(rest.firstIndex(of: state), "\(state) is out of order")
      rest = rest[(index)...]
    }
    expectEqual(states.all.last, published.last)
  }

  @Test func `Frozen versions outlive their files`() throws {
    var frozen: [Realm] = []
    let realm = try open()
    for number in 2...6 {
      frozen.append(realm.freeze())
      try publish { $0.add(Observed.person(number)) }
      realm.refresh()
    }
    for name in try test.fileNames where name.hasSuffix(".sqlite") {
      let file = test.folder.url.appendingPathComponent(name)
      try FileManager.default.removeItem(at: file)
      // Another file has the name now.
      try Data(repeating: 1, count: 9_000).write(to: file)
    }
    for (index, realm) in frozen.enumerated() {
      expectEqual(realm.objects(Person.self).count, index + 1)
      expectEqual(realm.replicaState?.version, "000000000000000\(index + 1)")
    }
    expectEqual(realm.objects(Person.self).count, 6)
    let threads = frozen.indices.map { index in
      // A frozen realm may be used anywhere.
      nonisolated(unsafe) let realm = frozen[index]
      return startThread {
        for _ in 0..<100 { expectEqual(realm.objects(Person.self).count, index + 1) }
      }
    }
    for thread in threads { try thread.wait() }
  }

  @Test func `A held version stays until it is refreshed`() throws {
    let realm = try open()
    realm.autorefresh = false
    let persons = realm.objects(Person.self)
    expectEqual(persons.count, 1)
    for id in 2...3 {
      try publish { $0.add(Observed.person(id)) }
      try realm.session.store.refresh()
    }
    expectEqual(persons.count, 1)
    expectEqual(realm.replicaState?.version, "0000000000000001")
    realm.refresh()
    expectEqual(persons.count, 3)
    expectEqual(realm.replicaState?.version, "0000000000000003")
    expectFalse(realm.refresh())
  }

  @Test func `Refreshing shows the newest publication at once`() throws {
    let realm = try open()
    let ada = try #require(realm.objects(Person.self).first)
    for age in 31..<60 {
      try publish { $0.object(ofType: Person.self, forPrimaryKey: 1)?.age = age }
      realm.refresh()
      expectEqual(ada.age, age)
      expectFalse(realm.refresh())
    }
    expectFalse(realm.session.store.writer.isOpen)
  }

  @Test func `Observers end at another schema version, once`() throws {
    let heard = Heard<String>()
    let token = try observe { change in
      switch change {
      case .initial: heard.add("initial")
      case .update(let all, _, _, _): heard.add("\(all.count)")
      case .error(let error): heard.add("\(error)")
      }
    }
    defer { token.invalidate() }
    expectEqual(heard.wait(for: 1), ["initial"])
    let realm = try open()
    try publish(version: 1) { $0.add(Observed.person(2)) }
    let end =
      "Unsupported schema changes were made by another client or process: the file is at schema "
      + "version 1 now, and was opened at 0. Close the realm and open it with the new version."
    expectEqual(heard.wait(for: 2).last, end)
    try publish(version: 1) { $0.add(Observed.person(3)) }
    for _ in 0..<3 { try realm.session.store.refresh() }
    expectEqual(realm.objects(Person.self).count, 1)
    // One that begins later ends, too.
    let late = Heard<String>()
    let second = try observe { change in
      if case .error(let error) = change { late.add("\(error)") }
    }
    expectEqual(late.wait(for: 1), [end])
    queue.sync {}
    expectEqual(heard.all.count, 2)
    second.invalidate()
  }

  @Test func `Eight threads read whole versions while they change`() throws {
    try publish { realm in
      realm.deleteAll()
      for number in 0..<100 { realm.add(Observed.person(number, age: 0)) }
    }
    let configuration = test.configuration(Observed.types)
    let realm = try open()
    let isOver = Flag()
    let threads = (0..<8).map { index in
      startThread(configuration) { realm in
        var last = 0
        while !isOver.isSet {
          if index % 2 == 0 {
            let frozen = realm.freeze()
            let ages = Set(frozen.objects(Person.self).map(\.age))
            expectEqual(ages.count, 1)
            let age = ages.first ?? 0
            expectTrue(age >= last)
            last = age
          } else {
            // One statement sees one version.
            let persons = realm.objects(Person.self)
            let sum: Int = persons.sum(of: \.age)
            expectEqual(sum % 100, 0)
            expectTrue(sum / 100 >= last)
            last = sum / 100
          }
        }
      }
    }
    for age in 1...40 {
      try publish { realm in for person in realm.objects(Person.self) { person.age = age } }
      try test.folder.prune(PublicationRetention(newest: 1), at: Date(timeIntervalSinceNow: 100))
      if age % 4 == 0 { try realm.session.store.refresh() }
    }
    isOver.set()
    for thread in threads { try thread.wait() }
    try expectEqual(test.fileNames.filter { $0.hasSuffix(".sqlite") }.count, 1)
  }
}
