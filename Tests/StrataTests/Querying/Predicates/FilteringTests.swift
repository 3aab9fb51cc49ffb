import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite struct FilteringTests {
  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Q.types))
    try realm.write {
      for (id, name, age) in [(1, "Ada", 36), (2, "Bob", 40), (3, "Cleo", 36)] {
        let person = realm.create(Q.Person.self, value: ["id": id, "name": name, "age": age])
        person.scores.append(objectsIn: [id, 10 * id])
        person.tags.insert(name)
        person.points["x"] = id
        let dog = realm.create(Q.Dog.self, value: ["name": "\(name)'s", "age": id])
        person.dogs.append(dog)
        person.dogSet.insert(dog)
        person.dogsByName["first"] = dog
        if id > 1 { person.dog = dog }
      }
    }
  }

  var people: Results<Q.Person> { realm.objects(Q.Person.self) }
  var ada: Q.Person { people[0] }

  @Test func `A format string filters`() {
    expectEqual(people.filter("age == 36").map(\.name), ["Ada", "Cleo"])
    expectEqual(people.filter("age == %@ AND name != %@", 36, "Ada").map(\.name), ["Cleo"])
    expectEqual(people.filter("dog == %@", Int?.none as Any).map(\.name), ["Ada"])
    expectEqual(people.filter("dog.age IN %@", [1, 2]).map(\.name), ["Bob"])
    expectEqual(people.filter("%K BEGINSWITH[c] %@", "name", "c").map(\.name), ["Cleo"])
    expectEqual(people.filter("ANY dogs.name == \"Ada's\"").map(\.name), ["Ada"])
    expectEqual(
      people.filter("SUBQUERY(dogs, $d, $d.age > 1 AND $d.name CONTAINS 'o').@count == 1")
        .map(\.name), ["Bob", "Cleo"])
    expectEqual(people.filter("30 IN scores").map(\.name), ["Cleo"])
    expectEqual(people.filter("age == 36").filter("name == 'Ada'").count, 1)
  }

  @Test func `A predicate filters`() {
    let adult = NSPredicate(format: "age > %@", 36)
    expectEqual(people.filter(adult).map(\.name), ["Bob"])
    expectEqual(
      people.filter(NSCompoundPredicate(notPredicateWithSubpredicate: adult)).map(\.name),
      ["Ada", "Cleo"])
    expectTrue(people.filter(NSPredicate(value: false)).isEmpty)
  }

  @Test func `A predicate of Foundation's macro filters`() {
    expectEqual(people.filter(#Predicate { $0.age == 36 }).map(\.name), ["Ada", "Cleo"])
    expectEqual(
      people.filter(#Predicate { $0.dog?.name == "Bob's" || $0.dogs.contains { $0.age == 3 } })
        .map(\.name), ["Bob", "Cleo"])
    expectEqual(people.filter(#Predicate { $0.tags.contains($0.name) }).count, 3)
    expectEqual(
      people.filter(#Predicate { if let dog = $0.dog { dog.age != 2 } else { false } })
        .map(\.name), ["Cleo"])
  }

  @Test func `All collections are filtered`() {
    expectEqual(ada.dogs.filter("age == 1").count, 1)
    expectTrue(ada.dogs.filter(NSPredicate(format: "age > 1")).isEmpty)
    expectEqual(ada.dogs.filter(#Predicate { $0.age == 1 }).count, 1)
    expectEqual(ada.dogSet.filter("age == %@", 1).count, 1)
    expectEqual(ada.dogs[0].owners.filter("name == 'Ada'").count, 1)
    expectEqual(Array(ada.scores.filter("SELF > 5")), [10])
    expectEqual(Array(ada.scores.filter(#Predicate { $0 < 5 })), [1])
    expectEqual(Array(ada.tags.filter("SELF BEGINSWITH 'A'")), ["Ada"])
    expectEqual(Array(ada.points.filter("SELF == 1")), [1])
    expectEqual(ada.dogsByName.filter("age == 1").count, 1)
    expectTrue(ada.dogsByName.filter(NSPredicate(format: "age == 2")).isEmpty)
  }

  @Test func `The first position is found`() {
    expectEqual(people.index(matching: "age == %@", 40), 1)
    expectEqual(people.index(matching: NSPredicate(format: "name == 'Cleo'")), 2)
    expectNil(people.index(matching: "age == 1"))
    expectEqual(people.sorted(byKeyPath: "name", ascending: false).index(matching: "age == 36"), 0)
    expectEqual(ada.scores.index(matching: "SELF == 10"), 1)
    expectEqual(ada.dogSet.index(matching: "age == 1"), 0)
  }

  @Test func `The first position is found among those that 'distinct' leaves`() {
    let ages = people.sorted(byKeyPath: "age").distinct(by: ["age"])
    expectEqual(ages.map(\.name), ["Ada", "Bob"])
    expectEqual(ages.index(matching: "name != 'Ada'"), 1)
    expectEqual(ages.index(matching: NSPredicate(format: "name != 'Ada'")), 1)
    expectEqual(ages.index(matching: { $0.name != "Ada" }), 1)
    expectNil(ages.index(matching: "name == 'Cleo'"))
  }

  private static let message =
    "Unable to parse the format string \"age >\". A value is missing after '>' (column 6)."

  @Test func `A mistake outside of write is reported, and finds nothing`() {
    expectIssue(Self.message) { expectTrue(people.filter("age >").isEmpty) }
    expectIssue("Only support compound, comparison, and constant predicates") {
      expectTrue(people.filter(NSPredicate(block: { _, _ in true })).isEmpty)
    }
    expectIssue("is no '@Persisted' property") {
      expectTrue(people.filter(#Predicate { $0.twice > 1 }).isEmpty)
    }
    expectIssue(Self.message) { expectNil(people.index(matching: "age >")) }
    expectIssue("Unable to parse") { expectTrue(ada.points.filter("SELF >").isEmpty) }
  }

  @Test func `A mistake inside of write is thrown, and nothing is changed`() {
    expectError(Self.message) {
      try realm.write {
        realm.delete(people.filter("age >"))
        ada.age = 1
      }
    }
    expectTrue(people.count == 3 && ada.age == 36)
  }

  @Test func `A text of a user is validated`() throws {
    try expectEqual(people.filter(validating: "age == %@", 40).map(\.name), ["Bob"])
    expectError(Self.message, code: .fail) { try people.filter(validating: "age >") }
    #expect(
      throws: RealmError.self, performing: { try people.filter(validating: "agee == 3") })
  }

  @Test func `Objects in no realm are filtered in memory`() {
    let person = Q.Person()
    person.dogs.append(Q.Dog(value: ["age": 3]))
    person.dogs.append(Q.Dog(value: ["age": 4]))
    expectEqual(person.dogs.filter("age > %@", 3).map(\.age), [4])
    expectEqual(person.dogs.index(matching: "age > 3"), 1)
  }
}
