import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// Lists whose elements are counted once, and not after each commit.
@Suite struct LongListTests {
  typealias Person = Kennel.Person

  private static let count = 1_500
  private let folder: TestFolder
  private let realm: Realm
  private let person: Person

  init() throws {
    folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration(Kennel.classes))
    let person = Person()
    try realm.write {
      realm.add(person)
      person.numbers.append(objectsIn: 0..<Self.count)
    }
    self.realm = realm
    self.person = person
    _ = person.numbers[700]
  }

  private var knowsNumbers: Bool {
    guard let collection = person.numbers.rows as? SessionCollection else { return false }
    let store = collection.session.store
    let key = LongLists.Key(collection: collection.table.info.index, owner: 1)
    return store.longLists.shape(of: key, at: store.clock.now) != nil
  }

  @Test func `A commit that leaves the list alone leaves what is known of it`() throws {
    expectTrue(knowsNumbers)
    try realm.write { person.name = "Grace" }
    expectTrue(knowsNumbers)
    expectEqual(person.numbers[700], 700)
  }

  @Test func `The transaction that changes the list tells what it is like`() throws {
    try realm.write { person.numbers.append(-1) }
    expectTrue(knowsNumbers)
    expectEqual(person.numbers.count, Self.count + 1)
    expectEqual(person.numbers[Self.count], -1)
    try realm.write { person.numbers.insert(-2, at: 700) }
    expectTrue(knowsNumbers)
    expectEqual(person.numbers[700], -2)
    expectEqual(person.numbers[701], 700)
    expectEqual(person.numbers[Self.count + 1], -1)
  }

  @Test func `A deletion by which elements go is noticed`() throws {
    try realm.write { person.dogs.append(objectsIn: (0..<Self.count).map { Kennel.Dog("\($0)") }) }
    expectEqual(person.dogs[1_000].name, "1000")
    try realm.write { realm.delete(person.dogs[10]) }
    expectEqual(person.dogs.count, Self.count - 1)
    expectEqual(person.dogs[1_000].name, "1001")
  }

  @Test func `A cancelled change leaves the list as it was`() throws {
    realm.beginWrite()
    person.numbers.removeFirst(500)
    expectEqual(person.numbers[0], 500)
    realm.cancelWrite()
    expectEqual(person.numbers.count, Self.count)
    expectEqual(person.numbers[0], 0)
  }

  @Test func `Another thread's change is seen`() throws {
    let configuration = folder.configuration(Kennel.classes)
    try inThread(configuration) { realm in
      let person = realm.objects(Person.self).first!
      expectEqual(person.numbers[700], 700)
      try realm.write { person.numbers.remove(at: 3) }
      expectEqual(person.numbers[700], 701)
    }
    expectEqual(person.numbers.count, Self.count - 1)
    expectEqual(person.numbers[700], 701)
  }

  @Test func `Another program's change is no reason to stop`() throws {
    try folder.execute("DELETE FROM Person_numbers WHERE position BETWEEN 100 AND 1199")
    // Perhaps not noticed yet: what was counted before is not there any more.
    expectEqual(person.numbers[200], 1_300)
    realm.refresh()
    expectEqual(person.numbers.count, Self.count - 1_100)
    expectEqual(person.numbers[200], 1_300)
  }

  @Test func `A frozen list keeps its own elements`() throws {
    let frozen = person.numbers.freeze()
    try realm.write { person.numbers.remove(at: 0) }
    expectEqual(frozen.count, Self.count)
    expectEqual(frozen[700], 700)
    expectEqual(person.numbers[700], 701)
  }

  @Suite struct ValueTests {
    private let lists = LongLists()
    private let clock = StampClock(startingAt: 5)
    private let first = LongLists.Key(collection: 0, owner: 1)
    private let second = LongLists.Key(collection: 0, owner: 2)

    private func shape(_ count: Int) -> LongLists.Shape {
      LongLists.Shape(extent: .init(count: count, first: 0, last: Int64(count) - 1))
    }

    private func count(_ list: LongLists.Key, at version: UInt64) -> Int? {
      lists.shape(of: list, at: version)?.extent.count
    }

    @Test func `What was read is known in its version only`() {
      lists.record(shape(10), of: first, at: 5, clock)
      expectEqual(count(first, at: 5), 10)
      expectNil(count(first, at: 4))
      expectNil(count(first, at: 6))
      expectNil(count(second, at: 5))
    }

    @Test func `What was read before a commit that came meanwhile is not kept`() {
      clock.set(6)
      lists.record(shape(10), of: first, at: 5, clock)
      expectNil(count(first, at: 5))
      expectNil(count(first, at: 6))
    }

    @Test func `A commit keeps the lists that it leaves alone`() {
      lists.record(shape(10), of: first, at: 5, clock)
      lists.record(shape(20), of: second, at: 5, clock)
      lists.advance(from: 5, to: 6, isChanged: { $0 == first }, changed: [:])
      expectNil(count(first, at: 6))
      expectEqual(count(second, at: 6), 20)
    }

    @Test func `A commit brings the lists that it has changed`() {
      lists.record(shape(10), of: first, at: 5, clock)
      lists.advance(from: 5, to: 6, isChanged: { $0 == first }, changed: [first: shape(11)])
      expectEqual(count(first, at: 6), 11)
    }

    @Test func `A version that was skipped forgets all lists`() {
      lists.record(shape(10), of: first, at: 5, clock)
      lists.advance(from: 6, to: 7, isChanged: { _ in false }, changed: [:])
      expectNil(count(first, at: 7))
    }

    @Test func `A commit that is told late changes nothing`() {
      lists.record(shape(10), of: first, at: 5, clock)
      lists.advance(from: 5, to: 6, isChanged: { _ in false }, changed: [:])
      lists.advance(from: 4, to: 5, isChanged: { _ in true }, changed: [:])
      expectEqual(count(first, at: 6), 10)
    }
  }
}
