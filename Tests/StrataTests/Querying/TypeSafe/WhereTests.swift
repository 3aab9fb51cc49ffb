import StrataTestKit
import TestKit
import Testing

@testable import Strata

@Suite struct WhereTests {
  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Q.types))
    try realm.write {
      let rex = realm.create(Q.Dog.self, value: ["name": "Rex", "age": 5])
      for (id, name) in ["Ada", "Bob", "Cleo"].enumerated() {
        let person = realm.create(Q.Person.self, value: ["id": id, "name": name, "age": id * 10])
        person.place = Q.Place(x: id)
        person.points["chess"] = id
        person.dogsByName["dog"] = id == 1 ? rex : nil
        if id == 1 { person.dogs.append(rex) }
      }
    }
  }

  var people: Results<Q.Person> { realm.objects(Q.Person.self) }

  @Test func `Objects are found by a condition, and live`() throws {
    let old = people.where { $0.age > 5 && $0.name != "Cleo" }
    expectEqual(old.map(\.name), ["Bob"])
    try realm.write {
      people[0].age = 50
      expectEqual(old.map(\.name), ["Ada", "Bob"])
    }
    expectTrue(old.count == 2 && old.first?.name == "Ada" && old[1].name == "Bob")
  }

  @Test func `Values that are stored as embedded objects are found by their members`() throws {
    expectEqual(people.where { $0.place == Q.Place(x: 2) }.map(\.name), ["Cleo"])
    expectEqual(people.where { $0.place != Q.Place(x: 2) }.map(\.name), ["Ada", "Bob"])
    expectEqual(people.where { $0.name.contains("B"..."C") }.map(\.name), ["Bob"])
    expectEqual(people.where { $0.place.in([Q.Place(x: 0), Q.Place(x: 1)]) }.count, 2)
    expectEqual(people.where { $0.lastPlace == nil }.count, 3)
    try realm.write { people[0].places.append(objectsIn: [Q.Place(x: 1, y: 2), Q.Place(x: 3)]) }
    expectEqual(people.where { $0.places.contains(Q.Place(x: 3)) }.map(\.name), ["Ada"])
    // No element has both.
    expectTrue(people.where { $0.places.contains(Q.Place(x: 3, y: 2)) }.isEmpty)
    expectEqual(
      people.where { $0.places.containsAny(in: [Q.Place(x: 3), Q.Place(x: 9)]) }.count, 1)
  }

  @Test func `Elements and values of collections are found`() throws {
    expectEqual(people[1].dogs.where { $0.age > 3 }.count, 1)
    expectTrue(people[1].dogs.where { $0.age > 9 }.isEmpty)
    expectEqual(Array(people[2].points.where { $0 > 1 }), [2])
    expectEqual(people[1].dogsByName.where { $0.name == "Rex" }.count, 1)
    expectTrue(people[0].dogsByName.where { $0.name == "Rex" }.isEmpty)
    try realm.write { people[0].scores.append(objectsIn: [1, 5, 7]) }
    expectEqual(Array(people[0].scores.where { $0 > 4 }), [5, 7])
    expectEqual(people[0].scores.index(matching: { $0 > 4 }), 1)
    expectEqual(people.index(matching: { $0.dogs.name == "Rex" }), 1)
  }

  @Test func `A mistake finds nothing outside of write, and write throws it`() throws {
    let sentence = "A key path of 'Person' with values of type 'Int' is no '@Persisted' property."
    expectIssue(sentence) { expectTrue(people.where { $0.twice > -1_000 || $0.age >= 0 }.isEmpty) }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.delete(people.where { !($0.twice == 1) })
      }
    }
    expectTrue(error?.message.contains(sentence) == true && people.count == 3)
  }

  @Test func `Distinct takes key paths, and refuses those that compute something`() {
    expectEqual(people.distinct(by: [\.isDone]).count, 1)
    expectTrue(people.distinct(by: [\Q.Person.name, \.dog?.name]).isEmpty)
    expectIssue("is not a property of the file") {
      expectTrue(people.distinct(by: [\.twice]).isEmpty)
    }
  }
}
