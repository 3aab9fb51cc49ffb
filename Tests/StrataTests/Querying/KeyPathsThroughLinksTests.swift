import Foundation
import TestKit
import Testing

@testable import Strata

/// Key paths in place of names, with `!` after a link, or through a collection.
@Suite struct KeyPathsThroughLinksTests {
  private let realm: Realm
  private var people: Results<Q.Person> { realm.objects(Q.Person.self) }

  init() throws {
    realm = try Realm(
      configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: Q.types))
    try realm.write {
      for (id, name) in ["b", "c", "a"].enumerated() {
        let dog = Q.Dog(value: ["name": name, "age": id])
        realm.add(Q.Person(value: ["id": id, "name": "p", "dog": dog, "dogsByName": ["x": dog]]))
      }
    }
  }

  /// The result depends on the compiler: this test would notice another form of the description.
  @Test func `The description of a key path tells whether it unwraps`() {
    for keyPath in [\Q.Person.dog!.name, \Q.Person.nick!] as [AnyKeyPath] {
      expectTrue(keyPath.unwraps, "\(keyPath)")
    }
    for keyPath in [\Q.Person.dog?.name, \Q.Person.nick, \Q.Person.name, \Q.Person.dogs[0].name]
      as [AnyKeyPath]
    {
      expectFalse(keyPath.unwraps, "\(keyPath)")
    }
  }

  @Test func `Names of key paths are found through links, optionals and collections`() {
    expectEqual(_name(for: \Q.Person.dog!.name), "dog.name")
    expectEqual(_name(for: \Q.Person.dog!), "dog")
    expectEqual(_name(for: \Q.Person.nick!), "nick")
    expectEqual(_name(for: \Q.Person.size!), "size")
    expectEqual(_name(for: \Q.Person.optionalKind!), "optionalKind")
    expectEqual(_name(for: \Q.Person.detour!), "detour")
    expectEqual(_name(for: \Q.Person.company!.owner!.dog!.weight!), "company.owner.dog.weight")
    expectEqual(_name(for: \Q.Person.dogs[0].name), "dogs.name")
    expectEqual(_name(for: \Q.Person.dogs[7].toys[3].price), "dogs.toys.price")
    expectEqual(_name(for: \Q.Person.dogs[0]), "dogs")
    expectEqual(_name(for: \Q.Person.dogs.first?.name), "dogs.name")
    expectEqual(_name(for: \Q.Person.dogs.last!.name), "dogs.name")
    expectEqual(_name(for: \Q.Person.dogSet[0].name), "dogSet.name")
    expectEqual(_name(for: \Q.Person.dogsByName["rex"]!!.name), "dogsByName.name")
    expectEqual(_name(for: \Q.Dog.owners[5].dog!.name), "owners.dog.name")
  }

  @Test func `A key path to an element of a list of values has no name, and ends no process`() {
    expectIssue("has no name") { expectEqual(_name(for: \Q.Person.scores[3]), "") }
  }

  @Test func `Objects are sorted and told apart through a link with an exclamation mark`() {
    expectEqual(people.sorted(by: \.dog!.name).map(\.id), [2, 0, 1])
    expectEqual(
      people.sorted(by: [SortDescriptor(keyPath: \Q.Person.dog!.name)]).map(\.id), [2, 0, 1])
    expectEqual(people.distinct(by: [\Q.Person.dog!.name]).count, 3)
    expectEqual(people.sectioned(by: \.dog!.name, ascending: false).map(\.key), ["c", "b", "a"])
  }

  @Test func `An observer hears of what a key path with an exclamation mark leads to`() throws {
    var heard: [[Int]] = []
    let token = people.observe(keyPaths: [\.dog!.name]) { change in
      if case .update(_, _, _, let modifications) = change { heard.append(modifications) }
    }
    realm.refresh()
    try realm.write { people[1].dog?.name = "z" }
    realm.refresh()
    try realm.write { people[1].name = "no" }
    realm.refresh()
    expectEqual(heard, [[1]])
    token.invalidate()
  }

  @Test func `A name that is self means the element`() throws {
    let person = people[0]
    try realm.write { person.scores.append(objectsIn: [3, 1, 2, 3]) }
    let scores = person.scores
    expectEqual(Array(scores.sorted(byKeyPath: "self")), [1, 2, 3, 3])
    expectEqual(
      Array(scores.sorted(by: [SortDescriptor(keyPath: "self", ascending: false)])), [3, 3, 2, 1])
    expectEqual(Array(scores.distinct(by: ["self"])), [3, 1, 2])
    expectEqual(scores.value(forKey: "self") as? [Int], [3, 1, 2, 3])
    expectEqual(people.distinct(by: ["self"]).count, 3)
    expectEqual(people.distinct(by: ["self", "name"]).count, 3)
    try realm.write { for _ in 0..<2 { person.dogs.append(objectsIn: realm.objects(Q.Dog.self)) } }
    expectTrue(person.dogs.count == 6 && person.dogs.distinct(by: ["self"]).count == 3)
    expectEqual(people.value(forKey: "self") as? [Q.Person], Array(people))
    expectEqual(people.value(forKey: "name") as? [String], ["p", "p", "p"])
    let list = List<String>()
    list.append(objectsIn: ["b", "a"])
    expectEqual(Array(list.sorted(byKeyPath: "self")), ["a", "b"])
  }

  @Test func `What a set has for a name is there once`() throws {
    try realm.write { people[0].dogSet.insert(objectsIn: realm.objects(Q.Dog.self)) }
    try realm.write { for dog in realm.objects(Q.Dog.self) { dog.isGood = true } }
    expectEqual(people[0].dogSet.value(forKey: "isGood") as? [Bool], [true])
    expectEqual(people[0].dogSet.value(forKey: "self").count, 3)
  }

  final class Card: Projection<Q.Person> {
    @Projected(\Q.Person.dog!.name) var dogName
  }

  @Test func `A projection shows and observes what is behind a link with an exclamation mark`()
    throws
  {
    let card = try #require(realm.objects(Card.self).first)
    expectEqual(card.dogName, "b")
    var heard: [PropertyChange] = []
    let token = card.observe { change in
      if case .change(_, let changes) = change { heard += changes }
    }
    try realm.write { card.rootObject.dog?.name = "new" }
    realm.refresh()
    expectEqual(heard.map { $0.newValue as? String }, ["new"])
    // Behind a nil link there is nothing to show.
    try realm.write { card.rootObject.dog = nil }
    realm.refresh()
    expectTrue(heard.count == 2 && heard.last?.newValue == nil)
    token.invalidate()
  }
}
