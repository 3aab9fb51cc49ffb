import Dispatch
import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Observation of single objects, and objects that can't be observed.
@Suite struct ObservingObjectsTests {
  let folder: TestFolder
  let realm: Realm
  let queue = DispatchQueue(label: "observers")
  let heard = Heard<String>()

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Observed.types))
  }

  @discardableResult
  private func expectIssue<Result>(_ text: String, _ body: () -> Result) -> Result? {
    var result: Result?
    TestKit.expectIssue(text) { result = body() }
    return result
  }

  private static func text<T: ObjectBase>(_ change: ObjectChange<T>) -> String {
    switch change {
    case .change(_, let properties):
      properties.map { property in
        func text(_ value: Any?) -> String {
          switch value {
          case nil: "nil"
          case let dog as Observed.Dog: dog.name
          case let value?: "\(value)"
          }
        }
        return "\(property.name): \(text(property.oldValue)) → \(text(property.newValue))"
      }.joined(separator: ", ")
    case .deleted: "deleted"
    case .error(let error): "\(error)"
    }
  }

  private func hear(_ count: Int = 1, _ body: () throws -> Void) throws -> [String] {
    let before = heard.all.count
    try realm.write(body)
    return Array(heard.wait(for: before + count).dropFirst(before))
  }

  private func ada() throws -> Observed.Person {
    try realm.write {
      let ada = Observed.person(1, "Ada", age: 30)
      ada.dogs.append(Observed.Dog(value: ["name": "Rex"]))
      realm.add(ada)
      return ada
    }
  }

  @Test(.needsHook) func `Properties are told with their values, in the order of declaration`()
    throws
  {
    let ada = try ada()
    let token = ada.observe(on: queue) { [heard] in heard.add(Self.text($0)) }
    try expectEqual(
      hear {
        ada.age = 31
        ada.name = "Eve"
      }, ["name: Ada → Eve, age: 30 → 31"])
    // The value that it had.
    try expectEqual(hear { ada.age = 31 }, ["age: 31 → 31"])
    try expectEqual(hear { ada.dog = ada.dogs[0] }, ["dog: nil → Rex"])
    try expectEqual(hear { ada.numbers.append(1) }, ["numbers: nil → nil"])
    try expectEqual(hear { ada.tags.insert("x") }, ["tags: nil → nil"])
    try expectEqual(hear { ada.scores["x"] = 1 }, ["scores: nil → nil"])
    let anyChange = try hear { ada.any = .int(3) }
    expectEqual(anyChange, ["any: nil → 3"])
    try expectEqual(
      hear { try realm.withDatabase { try $0.execute(sql: "UPDATE Person SET age = 9") } },
      ["age: 31 → 9"])
    // Objects that it leads to are not its properties.
    try realm.write { ada.dogs[0].name = "Max" }
    try expectEqual(hear { ada.age = 1 }, ["age: 9 → 1"])
    try folder.execute("UPDATE Person SET name = 'Bob', age = 2")
    expectEqual(heard.wait(for: 10).last, "name: Eve → Bob, age: 1 → 2")
    try expectEqual(hear { realm.delete(ada) }, ["deleted"])
    expectEqual(token.invalidate(), false)
    expectEqual(heard.all.count, 11)
  }

  @Test func `Several transactions are one change with the values at its ends`() throws {
    let ada = try ada()
    let token = ada.observe { [heard] in heard.add(Self.text($0)) }
    for age in 31..<35 { try realm.write { ada.age = age } }
    realm.refresh()
    expectEqual(heard.all.last?.hasSuffix("→ 34"), true)
    token.invalidate()
  }

  @Test func `Key paths of an object begin with a property`() throws {
    let ada = try ada()
    let tokens = [
      ada.observe(keyPaths: ["name"], on: queue) { [heard] in heard.add("1 " + Self.text($0)) },
      ada.observe(keyPaths: ["dogs.name"], on: queue) { [heard] in
        heard.add("2 " + Self.text($0))
      },
      ada.observe(keyPaths: [\.age], on: queue) { [heard] in heard.add("3 " + Self.text($0)) },
    ]
    try expectEqual(hear { ada.name = "Eve" }, ["1 name: Ada → Eve"])
    try expectEqual(hear { ada.dogs[0].name = "Max" }, ["2 dogs: nil → nil"])
    try expectEqual(hear { ada.dogs.removeAll() }, ["2 dogs: nil → nil"])
    try expectEqual(hear { ada.age = 4 }, ["3 age: 30 → 4"])
    try expectEqual(
      hear(3) { realm.delete(ada) }.sorted(), ["1 deleted", "2 deleted", "3 deleted"])
    for token in tokens { token.invalidate() }
  }

  @Test func `Embedded objects are observed like others`() throws {
    let dog = try realm.write {
      realm.create(Observed.Dog.self, value: ["collar": ["color": "red"]])
    }
    let collar = try #require(dog.collar)
    let token = collar.observe(on: queue) { [heard] in heard.add(Self.text($0)) }
    try expectEqual(hear { collar.size = 2 }, ["size: 0 → 2"])
    try expectEqual(hear { dog.collar = nil }, ["deleted"])
    token.invalidate()
  }

  @Test func `What can't be observed is reported`() throws {
    func report(_ text: String, _ observe: () -> NotificationToken) {
      let token = expectIssue(text) { observe() }
      expectEqual(token?.invalidate(), false)
    }
    report("Only objects which are managed by a Realm support change notifications") {
      Observed.Person().observe { _ in }
    }
    report("Change notifications are only supported on managed collections.") {
      Observed.Person().dogs.observe { _ in }
    }
    report("Change notifications are only supported on managed collections.") {
      Observed.Person().scores.observe { _ in }
    }
    report("Invalid property name: property 'nme' not found in object of type 'Person'.") {
      realm.objects(Observed.Person.self).observe(keyPaths: ["nme"]) { _ in }
    }
    report("'alien' not found in object of type 'Dog'") {
      realm.objects(Observed.Person.self).observe(keyPaths: ["dogs.alien"]) { _ in }
    }
    let ada = try ada()
    report("holds no objects of one class") {
      ada.numbers.observe(keyPaths: ["name"]) { _ in }
    }
    report("Use a serial queue.") {
      realm.objects(Observed.Person.self).observe(on: .global()) { _ in }
    }
    var configuration = folder.configuration(Observed.types)
    configuration.readOnly = true
    let url = folder.url.appendingPathComponent("copy.sqlite")
    try realm.writeCopy(toFile: url)
    configuration.fileURL = url
    let copy = try Realm(configuration: configuration)
    report("Read-only Realms do not change and do not have change notifications.") {
      copy.objects(Observed.Person.self).observe { _ in }
    }
    report("Read-only Realms do not change and do not have change notifications.") {
      copy.observe { _, _ in }
    }
  }

  @Test func `Nothing can be skipped for a token of another realm`() throws {
    let token = realm.objects(Observed.Person.self).observe(on: queue) { [heard] change in
      heard.add("\(Change(change))")
    }
    _ = heard.wait(for: 1)
    expectIssue("only notifications for the Realm being modified can be skipped") {
      _ = try? realm.write(withoutNotifying: [token]) { realm.add(Observed.person(1)) }
    }
    expectEqual(heard.wait(for: 2).count, 2)
    token.invalidate()
  }

  @Test func `A token of a realm doesn't hear of a transaction without it`() throws {
    let (own, others) = (Heard<String>(), Heard<String>())
    let token = realm.observe { notification, _ in own.add(notification.rawValue) }
    let other = realm.observe { notification, _ in others.add(notification.rawValue) }
    try realm.write(withoutNotifying: [token]) { realm.add(Observed.person(1)) }
    expectTrue(own.all.isEmpty && others.all.count == 1)
    // Nor later, when the place takes its turn.
    realm.refresh()
    expectTrue(own.all.isEmpty && others.all.count == 1)
    realm.beginWrite()
    realm.add(Observed.person(2))
    try realm.commitWrite(withoutNotifying: [token, other])
    realm.refresh()
    expectTrue(own.all.isEmpty && others.all.count == 1)
    try realm.write { realm.add(Observed.person(3)) }
    expectTrue(own.all.count == 1 && others.all.count == 2)
    // A transaction that fails silences nothing.
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try realm.write(withoutNotifying: [token]) { throw Failure() }
    }
    try realm.write { realm.deleteAll() }
    expectEqual(own.all.count, 2)
    token.invalidate()
    other.invalidate()
    expectIssue("only notifications for the Realm being modified can be skipped") {
      _ = try? realm.write(withoutNotifying: [token]) { realm.add(Observed.person(4)) }
    }
  }

  @Test func `Observing and GRDB's observation know of each other's commits`() throws {
    let ada = try ada()
    let counts = Heard<Int>()
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT sum(age) FROM Person") ?? 0
    }
    let cancellable = try realm.startObservation(
      of: observation, scheduling: .async(onQueue: .global()), onError: { _ in },
      onChange: { counts.add($0) })
    let token = ada.observe(on: queue) { [heard] in heard.add(Self.text($0)) }
    expectEqual(counts.wait(for: 1), [30])
    try expectEqual(hear { ada.age = 31 }, ["age: 30 → 31"])
    expectEqual(counts.wait(for: 2), [30, 31])
    cancellable.cancel()
    token.invalidate()
  }
}
