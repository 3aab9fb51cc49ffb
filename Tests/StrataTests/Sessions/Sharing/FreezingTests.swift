import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Frozen objects, which show one version for good, in any isolation.
@Suite struct FreezingTests {
  private let folder: TestFolder
  private let configuration: Realm.Configuration

  init() throws {
    folder = try TestFolder()
    configuration = folder.configuration(Observed.types)
  }

  private func filled() throws -> Realm {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let rex = realm.create(Observed.Dog.self, value: ["name": "Rex"])
      let ada = Observed.person(1, "Ada", age: 30)
      ada.dog = rex
      ada.dogs.append(rex)
      ada.numbers.append(objectsIn: [3, 1, 2])
      ada.tags.insert("old")
      ada.scores["chess"] = 7
      ada.dogsByName["Rex"] = rex
      ada.any = .object(rex)
      realm.add(ada)
      realm.add(Observed.person(2, "Bob", age: 20))
    }
    return realm
  }

  /// Changes everything that `filled` wrote.
  private func change(_ realm: Realm) throws {
    try realm.write {
      let ada = try #require(realm.object(ofType: Observed.Person.self, forPrimaryKey: 1))
      ada.name = "Eve"
      ada.dog?.name = "Max"
      ada.dogs.append(Observed.Dog(value: ["name": "Bo"]))
      ada.numbers.removeAll()
      ada.tags.insert("new")
      ada.scores["go"] = 1
      ada.dogsByName.removeAll()
      ada.any = .none
      realm.delete(realm.objects(Observed.Person.self).where { $0.id == 2 })
    }
  }

  private static func expectFirstVersion(_ realm: Realm) throws {
    let people = realm.objects(Observed.Person.self)
    expectEqual(people.map(\.name), ["Ada", "Bob"])
    expectEqual(people.sorted(byKeyPath: "age").map(\.id), [2, 1])
    let ada = try #require(realm.object(ofType: Observed.Person.self, forPrimaryKey: 1))
    expectTrue(ada.isFrozen)
    expectEqual(ada.dog?.name, "Rex")
    expectEqual(ada.dog?.isFrozen, true)
    expectEqual(ada.dogs.map(\.name), ["Rex"])
    expectTrue(ada.dogs.isFrozen)
    expectEqual(ada.dogs[0].owners.map(\.name), ["Ada"])
    expectEqual(ada.numbers.sorted().map { $0 }, [1, 2, 3])
    expectEqual(ada.numbers[2], 2)
    expectEqual(ada.tags.map { $0 }, ["old"])
    expectEqual(ada.scores.count, 1)
    expectEqual(ada.dogsByName["Rex"]??.name, "Rex")
    expectEqual(ada.any.object(Observed.Dog.self)?.name, "Rex")
    expectEqual(people.sectioned(by: \.name, ascending: true).allKeys, ["Ada", "Bob"])
  }

  @Test func `A frozen realm stays as it is, on each thread`() throws {
    let realm = try filled()
    let frozen = realm.freeze()
    expectTrue(frozen.isFrozen)
    expectFalse(realm.isFrozen)
    try change(realm)
    try Self.expectFirstVersion(frozen)
    let shared = frozen.objects(Observed.Person.self)
    nonisolated(unsafe) let sent = (frozen, shared)
    try inThread {
      try Self.expectFirstVersion(sent.0)
      expectEqual(sent.1.count, 2)
      expectEqual(sent.1[0].realm, sent.0)
    }
    expectEqual(realm.objects(Observed.Person.self).map(\.name), ["Eve"])
  }

  @Test func `All that is frozen of one version is of one realm`() throws {
    let realm = try filled()
    let first = realm.freeze()
    let ada = realm.objects(Observed.Person.self)[0]
    let frozen = ada.freeze()
    expectEqual(first, realm.freeze())
    expectEqual(frozen.realm, first)
    expectEqual(frozen, first.objects(Observed.Person.self)[0])
    expectEqual(frozen.hashValue, first.objects(Observed.Person.self)[0].hashValue)
    expectTrue(frozen != ada)
    expectEqual(frozen.dogs, first.objects(Observed.Person.self)[0].dogs)
    expectTrue(frozen.dogs != ada.dogs)
    expectEqual(first.objects(Observed.Person.self).index(of: frozen), 0)
    expectNil(first.objects(Observed.Person.self).index(of: ada))
    try change(realm)
    let second = realm.freeze()
    expectTrue(second != first)
    expectTrue(second.objects(Observed.Person.self)[0] != frozen)
    expectEqual(first.freeze(), first)
    expectTrue(frozen.freeze() === frozen)
  }

  @Test func `Inside of a transaction the state before it is frozen`() throws {
    let realm = try filled()
    let ada = realm.objects(Observed.Person.self)[0]
    try realm.write {
      ada.name = "Eve"
      let frozen = ada.freeze()
      expectEqual(frozen.name, "Ada")
      expectEqual(realm.freeze().objects(Observed.Person.self)[0].name, "Ada")
      let new = Observed.person(3, "New")
      realm.add(new)
      expectIssue("Cannot freeze an object in the same write transaction as it was created in.") {
        expectFalse(new.freeze().isFrozen)
      }
      withKnownIssue { expectFalse(new.dogs.freeze().isFrozen) }
    }
    expectEqual(ada.freeze().name, "Eve")
  }

  @Test func `Who keeps a version shows it when frozen`() throws {
    let realm = try filled()
    realm.autorefresh = false
    try inThread(configuration) { realm in
      try realm.write { realm.add(Observed.person(3)) }
    }
    expectEqual(realm.freeze().objects(Observed.Person.self).count, 2)
    realm.refresh()
    expectEqual(realm.freeze().objects(Observed.Person.self).count, 3)
  }

  @Test func `Writing is refused, and ends nothing`() throws {
    let realm = try filled()
    let frozen = realm.freeze()
    let ada = frozen.objects(Observed.Person.self)[0]
    expectError("Can't perform transactions on a frozen Realm") {
      try frozen.write { ada.name = "Eve" }
    }
    expectIssue("Can't perform transactions on a frozen Realm") { frozen.beginWrite() }
    expectFalse(frozen.isInWriteTransaction)
    #expect(throws: Realm.Error.self) { try frozen.commitWrite() }
    expectIssue("Can't perform transactions on a frozen Realm") { frozen.add(Observed.person(9)) }
    expectIssue("Can't perform transactions on a frozen Realm") { frozen.delete(ada) }
    expectIssue("Can't perform transactions on a frozen Realm") { frozen.deleteAll() }
    let modifying = "Attempting to modify a frozen object - call thaw on the Object instance first."
    expectIssue("\(modifying) ('Person.name')") { ada.name = "Eve" }
    expectIssue("\(modifying) ('Person.dog')") { ada.dog = nil }
    expectIssue("Attempting to modify a frozen List") { ada.numbers.append(4) }
    expectIssue("Attempting to modify a frozen MutableSet") { ada.tags.removeAll() }
    expectIssue("Attempting to modify a frozen Map") { ada.scores["chess"] = nil }
    expectIssue("Auto-refresh cannot be enabled for frozen Realms.") { frozen.autorefresh = true }
    expectIssue("Frozen Realms do not change") { expectFalse(ada.observe { _ in }.invalidate()) }
    expectFalse(frozen.refresh())
    try Self.expectFirstVersion(frozen)
    // A live realm takes no frozen object either.
    expectError(beginning: "Object is already managed by another Realm.") {
      try realm.write { realm.objects(Observed.Person.self)[1].dog = ada.dog }
    }
  }

  @Test func `What is in no realm, or was deleted, can't be frozen`() throws {
    let person = Observed.person(1)
    expectIssue("Unmanaged objects cannot be frozen.") { expectTrue(person.freeze() === person) }
    withKnownIssue { expectTrue(person.dogs.freeze() === person.dogs) }
    expectIssue("Unmanaged objects cannot be thawed.") { expectNil(person.thaw()) }
    #expect(throws: Realm.Error.self) { try person.frozen() }
    expectFalse(person.isFrozen)
    let realm = try filled()
    let bob = realm.objects(Observed.Person.self)[1]
    let numbers = bob.numbers
    try change(realm)
    expectIssue("Object has been deleted or invalidated.") { expectFalse(bob.freeze().isFrozen) }
    withKnownIssue { expectFalse(numbers.freeze().isFrozen) }
  }

  @Test func `Thawed, it is live at the place of the caller`() throws {
    let realm = try filled()
    let people = realm.objects(Observed.Person.self)
    let (ada, bob) = (people[0].freeze(), people[1].freeze())
    let numbers = ada.numbers
    let tags = bob.tags
    expectEqual(ada.thaw(), people[0])
    expectEqual(ada.realm?.thaw(), realm)
    expectEqual(people.thaw()?.count, 2)
    try change(realm)
    expectEqual(ada.name, "Ada")
    expectEqual(ada.thaw()?.name, "Eve")
    expectEqual(numbers.thaw()?.count, 0)
    expectNil(bob.thaw())
    expectNil(tags.thaw())
    expectEqual(people.freeze().where { $0.age > 25 }.thaw()?.map(\.name), ["Eve"])
    nonisolated(unsafe) let sent = ada
    try inThread {
      let live = try #require(sent.thaw())
      try live.realm?.write { live.name = "Zoe" }
    }
    expectEqual(people[0].name, "Zoe")
  }

  @Test func `A frozen value goes to other tasks`() async throws {
    let realm = try filled()
    let ada = try realm.objects(Observed.Person.self)[0].frozen()
    let people = try realm.objects(Observed.Person.self).frozen()
    try change(realm)
    let found = await Task.detached {
      (
        ada.name, ada.dog?.name, ada.dogs.map(\.name), ada.numbers.elements, ada.age,
        people.map(\.name), people[1].id, ada.read { $0.tags.count }
      )
    }.value
    expectEqual(found.0, "Ada")
    expectEqual(found.1, "Rex")
    expectEqual(found.2, ["Rex"])
    expectEqual(found.3, [3, 1, 2])
    expectEqual(found.4, 30)
    expectEqual(found.5, ["Ada", "Bob"])
    expectEqual(found.6, 2)
    expectEqual(found.7, 1)
    expectEqual(ada.thaw()?.name, "Eve")
  }

  @Test func `A copy of a frozen realm has its version`() throws {
    let realm = try filled()
    let frozen = realm.freeze()
    try change(realm)
    let copy = folder.url.appendingPathComponent("copy.sqlite")
    try frozen.writeCopy(toFile: copy)
    var configuration = configuration
    configuration.fileURL = copy
    try expectEqual(Realm(configuration: configuration).objects(Observed.Person.self).count, 2)
  }
}
