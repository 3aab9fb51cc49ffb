import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Threads that query one file in every way while another writes.
@Suite(.serialized)
struct ThreadedQueriesTests {
  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var isDone = false
    @Persisted var dog: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var points: Map<String, Int>
  }

  final class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
  }

  private static let types: [ObjectBase.Type] = [Person.self, Dog.self]
  private static let people = 60
  private static let done = 10
  private static let seconds = 2.0

  @Test func `Threads that ask while another writes see whole transactions`() throws {
    let folder = try TestFolder()
    let configuration = folder.configuration(Self.types)
    try folder.write(Self.types) { realm in
      for id in 0..<Self.people {
        let dog = realm.create(Dog.self, value: ["name": "d\(id % 7)", "age": id % 9])
        let person = realm.create(Person.self, value: ["id": id, "name": "n\(id)", "dog": dog])
        person.isDone = id < Self.done
        person.dogs.append(dog)
        person.points["a"] = id
      }
    }
    let end = Date().addingTimeInterval(Self.seconds)
    let writer = startThread(configuration) { realm in
      var random = SplitMix64(seed: 1)
      while Date() < end { try realm.write { Self.change(realm, &random) } }
    }
    let readers = (0..<3).map { number in
      startThread(configuration) { realm in
        var rounds = 0
        repeat {
          Self.ask(realm, number + rounds)
          try Self.askInMemory(rounds)
          if rounds.isMultiple(of: 4) { realm.refresh() }
          rounds += 1
        } while Date() < end
        expectTrue(rounds > 1)
      }
    }
    for thread in [writer] + readers { try thread.wait() }
    try expectEqual(Realm.problems(for: configuration), [])
  }

  /// Changes some people. The number of done ones stays the same.
  private static func change(_ realm: Realm, _ random: inout SplitMix64) {
    let people = realm.objects(Person.self)
    let done = people.where { $0.isDone }
    let open = people.where { !$0.isDone }
    let (one, other) = (done.randomElement(using: &random), open.randomElement(using: &random))
    one?.isDone = false
    other?.isDone = true
    other?.age += 1
    other?.points["a"] = other?.age
    for person in people.filter("dog.age > 3 AND ANY dogs.name BEGINSWITH[c] 'D'").limit(3) {
      person.name = "n\(person.age)"
      person.dog?.age = Int.random(in: 0..<9, using: &random)
    }
  }

  private static func ask(_ realm: Realm, _ number: Int) {
    let people = realm.objects(Person.self)
    expectEqual(people.where { $0.isDone }.count, done)
    expectEqual(people.filter("isDone == TRUE").sorted(byKeyPath: "dog.name").map(\.id).count, done)
    expectEqual(people.filter("NOT (isDone == TRUE)").count, Self.people - done)
    expectEqual(people.sectioned(by: \.isDone, ascending: true).count, 2)
    let ids = people.sorted(byKeyPath: "age").limit(20, offset: number % 7).distinct(by: ["id"])
    expectEqual(ids.count, 20)
    expectTrue(
      people.filter("points['a'] >= 0 OR SUBQUERY(dogs, $d, $d.age > 3).@count > 9").count > 0)
    expectEqual(people.filter("id IN %@", Array(0..<40)).count, 40)
    for person in people.filter("name LIKE[c] 'N*'").limit(10) { _ = person.dog?.name }
  }

  private static func askInMemory(_ number: Int) throws {
    let list = List<Dog>()
    for age in 0..<10 { list.append(Dog(value: ["name": "d\(age)", "age": age + number])) }
    expectEqual(list.filter("age >= %@ AND name CONTAINS[cd] 'D'", number + 5).count, 5)
    expectEqual(list.sorted(byKeyPath: "age", ascending: false).first?.name, "d9")
    expectEqual(list.where { $0.name.in(["d1", "d2"]) }.count, 2)
  }
}
