import Dispatch
import Foundation
import Observation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

private typealias Person = Observed.Person

/// Tracked reads: the code is notified when data that it has read changes.
@Suite(.needsHook) struct TrackingReadsTests {
  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Observed.types))
    realm.tracksReads = true
    try realm.write {
      let ada = Observed.person(1, "Ada", age: 30)
      ada.dog = Observed.Dog(value: ["name": "Rex"])
      ada.numbers.append(1)
      realm.add(ada)
      realm.add(Observed.person(2, "Bob", age: 40))
    }
  }

  private var ada: Person { get throws { try #require(realm.objects(Person.self).first) } }
  private var registrars: ReadRegistrars {
    get throws { try #require(realm.session.reads as? ReadRegistrars) }
  }

  /// Expects that code which reads something (the second closure) is told of what the first one
  /// does.
  private func expectTold(
    _ change: () throws -> Void, _ read: () -> Void, isTold: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) rethrows {
    let told = Heard<Bool>()
    withObservationTracking(read) { told.add(true) }
    try change()
    expectEqual(told.all, (isTold ? [true] : []), sourceLocation: sourceLocation)
  }

  private func writeElsewhere(_ body: @escaping @Sendable (Realm) throws -> Void) throws {
    let configuration = folder.configuration(Observed.types)
    try inThread(configuration) { realm in
      try realm.write { try body(realm) }
    }
    realm.refresh()
  }

  @Test func `A property is tracked, whichever instance shows it`() throws {
    let (ada, other) = (try ada, try ada)
    try expectTold({ try realm.write { other.name = "Eve" } }, { _ = ada.name })
    try expectTold({ try realm.write { other.age += 1 } }, { _ = ada.name }, isTold: false)
    try expectTold({ try realm.write { other.age += 1 } }, { _ = ada["age"] })
    try expectTold(
      { try writeElsewhere { $0.objects(Person.self).first?.name = "Ada" } }, { _ = ada.name })
    try expectTold(
      { try writeElsewhere { $0.objects(Person.self).first?.age = 5 } }, { _ = ada.name },
      isTold: false)
    try expectTold(
      {
        try folder.execute("UPDATE Person SET name = 'SQL' WHERE id = 1"); realm.refresh()
      }, { _ = ada.name })
    expectEqual(ada.name, "SQL")
    // Another object.
    try expectTold(
      { try realm.write { realm.objects(Person.self).last?.name = "Cid" } }, { _ = ada.name },
      isTold: false)
  }

  @Test func `A link is tracked, and what is read behind it`() throws {
    let ada = try ada
    let dog = try #require(ada.dog)
    try expectTold({ try realm.write { dog.name = "Max" } }, { _ = ada.dog?.name })
    try expectTold({ try realm.write { dog.name = "Rex" } }, { _ = ada.dog }, isTold: false)
    try expectTold({ try realm.write { ada.dog = nil } }, { _ = ada.dog?.name })
    try expectTold({ try realm.write { ada.dog = Observed.Dog() } }, { _ = ada.dog })
    // The trigger of the file sets the link to nil.
    try expectTold({ try realm.write { ada.dog.map { realm.delete($0) } } }, { _ = ada.dog })
  }

  @Test func `Collections are tracked`() throws {
    let ada = try ada
    try expectTold({ try realm.write { ada.numbers.append(2) } }, { _ = ada.numbers.count })
    try expectTold({ try realm.write { ada.numbers[0] = 9 } }, { _ = ada.numbers[0] })
    try expectTold({ try realm.write { ada.numbers.removeAll() } }, { for _ in ada.numbers {} })
    try expectTold(
      { try realm.write { ada.numbers.append(1) } }, { _ = ada.numbers.sorted().first })
    try expectTold({ try realm.write { ada.tags.insert("x") } }, { _ = ada.tags.contains("x") })
    try expectTold({ try realm.write { ada.scores["x"] = 1 } }, { _ = ada.scores["x"] })
    try expectTold(
      { try realm.write { ada.name = "Eve" } }, { _ = ada.numbers.count }, isTold: false)
    try expectTold(
      { try writeElsewhere { $0.objects(Person.self).first?.numbers.append(3) } },
      { _ = ada.numbers.last })
    let bob = try #require(realm.objects(Person.self).last)
    try expectTold(
      { try realm.write { bob.numbers.append(3) } }, { _ = ada.numbers.last }, isTold: false)
  }

  @Test func `Results are tracked: which objects, and in which order`() throws {
    let people = realm.objects(Person.self)
    let adults = people.where { $0.age > 35 }
    let sorted = people.sorted(byKeyPath: "name")
    let bob = try #require(people.last)
    try expectTold({ try realm.write { realm.add(Observed.person(3)) } }, { _ = people.count })
    try expectTold(
      { try realm.write { realm.add(Observed.person(4)) } },
      { _ = realm.objects(Person.self).isEmpty })
    try expectTold({ try realm.write { bob.age += 1 } }, { _ = people.count }, isTold: false)
    try expectTold({ try realm.write { bob.age += 1 } }, { _ = adults.count })
    try expectTold({ try realm.write { bob.name = "Cid" } }, { _ = adults.first }, isTold: false)
    try expectTold({ try realm.write { bob.name = "Dan" } }, { _ = sorted[0] })
    try expectTold({ try realm.write { bob.name = "Eve" } }, { for _ in sorted {} })
    try expectTold(
      { try realm.write { bob.age += 1 } }, { _ = sorted.index(of: bob) }, isTold: false)
    try expectTold(
      { try realm.write { bob.age += 1 } }, { _ = people.sum(ofProperty: "age") as Int })
    try expectTold({ try realm.write { bob.name = "Flo" } }, { _ = people.map(\.name) })
    try expectTold(
      { try writeElsewhere { $0.delete($0.objects(Person.self).last!) } }, { _ = people.last })
    try expectTold(
      { try realm.write { realm.add(Observed.person(9)) } },
      { _ = realm.object(ofType: Person.self, forPrimaryKey: 9) })
    let sections = people.sectioned(by: \.name)
    try expectTold({ try realm.write { bob.name = "Gil" } }, { _ = sections.allKeys })
    let dog = try #require(try ada.dog)
    let owners = dog.owners
    try expectTold({ try realm.write { bob.dogs.append(dog) } }, { _ = owners.count })
    let byDog = people.where { $0.dog.name == "Rex" }
    try expectTold({ try realm.write { dog.name = "Max" } }, { _ = byDog.count })
  }

  @Test func `Deletion is told of everything that was read of an object`() throws {
    let reads: [(Person) -> String] = [
      { $0.name }, { "\($0.isInvalidated)" }, { "\($0.numbers.count)" },
    ]
    for read in reads {
      let ada = try ada
      try expectTold({ try realm.write { realm.delete(ada) } }, { _ = read(ada) })
      try realm.write {
        realm.deleteAll()
        let ada = Observed.person(1, "Ada")
        ada.numbers.append(1)
        realm.add(ada)
      }
    }
  }

  @Test func `What a transaction read and took back is told`() throws {
    let ada = try ada
    let told = Heard<Bool>()
    realm.beginWrite()
    ada.name = "Eve"
    withObservationTracking {
      expectEqual(ada.name, "Eve")
    } onChange: {
      told.add(true)
    }
    realm.cancelWrite()
    expectTrue(told.all == [true] && ada.name == "Ada")
    expectTold({ realm.invalidate() }, { _ = ada.isInvalidated })
  }

  @Test func `What was read is forgotten when it has changed, and when it is too much`() throws {
    let ada = try ada
    _ = ada.name
    let count = try registrars.count
    expectTrue(count >= 1)
    try realm.write {
      ada.name = "Eve"
      for id in 10..<12_010 { realm.add(Observed.person(id)) }
    }
    let told = Heard<Bool>()
    withObservationTracking {
      _ = ada.age
    } onChange: {
      told.add(true)
    }
    for person in realm.objects(Person.self) { _ = person.name }
    try expectTrue(registrars.count > 12_000)
    // An isolation that can't be woken cleans up at its next notification.
    try realm.write { ada.numbers.append(1) }
    try expectTrue(registrars.count <= 5_001)
    expectEqual(told.all, [true])
  }

  @Test func `Nothing is tracked of what is frozen, or after it has ended`() throws {
    let ada = try ada
    let frozen = ada.freeze()
    let count = try registrars.count
    expectTrue(frozen.name == "Ada" && frozen.numbers.count == 1)
    try expectEqual(registrars.count, count)
    expectIssue("Frozen Realms do not change") { realm.freeze().tracksReads = true }
    expectFalse(realm.freeze().tracksReads)
    expectTold({ realm.tracksReads = false }, { _ = ada.name })
    expectTrue(!realm.tracksReads && ada.name == "Ada")
    try expectTold({ try realm.write { ada.name = "Eve" } }, { _ = ada.name }, isTold: false)
  }

  @Test func `A realm that tracks reads closes its file`() throws {
    let configuration = Realm.Configuration(
      fileURL: folder.url.appendingPathComponent("other.sqlite"), objectTypes: Observed.types)
    weak var store: Store?
    try {
      let realm = try Realm(configuration: configuration)
      realm.tracksReads = true
      store = realm.session.store
      try realm.write { realm.add(Observed.person(1)) }
      expectEqual(realm.objects(Person.self).first?.name, "")
      expectTrue(store != nil)
    }()
    // The queue that observes may still be at work.
    expectTrue(blockUntil { store == nil })
    // A connection that still reads would keep the WAL.
    try expectEqual(folder.names().filter { $0.hasPrefix("other.sqlite-") }, [])
  }

  @Test func `Tracking that begins in a transaction is told of what comes after it`() throws {
    realm.tracksReads = false
    let ada = try realm.write {
      realm.tracksReads = true
      return try #require(realm.objects(Person.self).first)
    }
    try expectTold({ try realm.write { ada.name = "Eve" } }, { _ = ada.name })
    try expectTold(
      { try writeElsewhere { $0.objects(Person.self).first?.name = "F" } }, { _ = ada.name })
  }
}
