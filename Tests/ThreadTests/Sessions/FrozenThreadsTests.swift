import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Several threads that read one frozen realm, its objects, and the caches of its collections.
@Suite("Frozen realms are read by many threads", .timeLimit(.minutes(40)))
struct FrozenThreadsTests {
  private static let threads = 8

  /// The objects that all threads read at once.
  private struct Shared: @unchecked Sendable {
    let realm: Realm
    let ada: Observed.Person
    let people: Results<Observed.Person>
    let sorted: Results<Int>
    let sections: SectionedResults<Int, Observed.Person>
  }

  private static func filled(_ folder: TestFolder) throws -> Realm {
    let realm = try Realm(configuration: folder.configuration(Observed.types))
    try realm.write {
      for id in 0..<200 {
        let person = Observed.person(id, "\(id)", age: id % 7)
        person.numbers.append(objectsIn: 0..<(id == 0 ? 500 : 3))
        person.dogs.append(Observed.Dog(value: ["name": "Dog \(id)"]))
        person.dog = person.dogs[0]
        realm.add(person)
      }
      // Gaps between the positions.
      realm.object(ofType: Observed.Person.self, forPrimaryKey: 0)?.numbers.remove(at: 250)
    }
    return realm
  }

  @Test func `Eight threads read one frozen realm while another one writes`() throws {
    let folder = try TestFolder()
    let realm = try Self.filled(folder)
    let frozen = realm.freeze()
    let people = frozen.objects(Observed.Person.self)
    let ada = try #require(people.first)
    let shared = Shared(
      realm: frozen, ada: ada, people: people, sorted: ada.numbers.sorted(ascending: false),
      sections: people.sectioned(by: \.age, ascending: true))
    let readers = (0..<Self.threads).map { number in
      startThread { try Self.read(shared, number) }
    }
    for round in 0..<30 {
      try realm.write {
        for person in realm.objects(Observed.Person.self) {
          person.name = "round \(round)"
          person.numbers.append(round)
        }
      }
    }
    for reader in readers { try reader.wait() }
    expectEqual(realm.objects(Observed.Person.self)[0].name, "round 29")
  }

  private static func read(_ shared: Shared, _ number: Int) throws {
    for round in 0..<10 {
      let position = (number * 31 + round * 7) % 200
      let person = shared.people[position]
      expectEqual(person.id, position)
      expectEqual(person.name, "\(position)")
      expectEqual(person.dog?.name, "Dog \(position)")
      expectEqual(person.dog?.owners.first, person)
      expectEqual(shared.people.index(of: person), position)
      expectEqual(shared.ada.numbers.count, 499)
      expectEqual(shared.ada.numbers[300], 301)
      let sum: Int = shared.ada.numbers.reduce(0, +)
      expectEqual(sum, 124_500)
      expectEqual(shared.sorted[0], 499)
      expectEqual(shared.sections.count, 7)
      expectTrue(shared.sections[3].allSatisfy { $0.age == 3 })
      expectEqual(shared.people.map(\.id), Array(0..<200))
      expectEqual(shared.people.where { $0.age == 2 }.count, 29)
      expectEqual(
        shared.realm.object(ofType: Observed.Person.self, forPrimaryKey: 5)?.dogs.count, 1)
    }
  }

  @Test func `Threads that freeze one version get one realm`() throws {
    let folder = try TestFolder()
    let configuration = folder.configuration(Observed.types)
    let realm = try Self.filled(folder)
    for round in 0..<20 {
      try realm.write { realm.add(Observed.person(1_000 + round)) }
      let kept = Heard<Frozen<Results<Observed.Person>>>()
      let threads = (0..<Self.threads).map { _ in
        startThread {
          let people = try Realm(configuration: configuration).objects(Observed.Person.self)
          let frozen = try people.frozen()
          kept.add(frozen)
          expectEqual(frozen.count, 201 + round)
        }
      }
      for thread in threads { try thread.wait() }
      let realms = kept.all.map { frozen in frozen.read { Unkept($0.realm) } }
      expectTrue(realms.allSatisfy { $0.realm == realms[0].realm })
    }
  }

  /// A realm that a closure returns.
  private struct Unkept: @unchecked Sendable {
    let realm: Realm?

    init(_ realm: Realm?) {
      self.realm = realm
    }
  }
}
