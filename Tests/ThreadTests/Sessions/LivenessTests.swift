import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Live objects and results")
struct LivenessTests {
  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration([V0.Person.self]))
    try realm.write {
      for name in ["Ada", "Bob", "Cleo"] { realm.create(V0.Person.self, value: ["name": name]) }
    }
  }

  @Test func `Objects and results show what another thread wrote, at once`() throws {
    let people = realm.objects(V0.Person.self)
    let ada = try #require(people.first)
    expectEqual(ada.name, "Ada")
    try inThread(realm.configuration) { other in
      try other.write {
        other.objects(V0.Person.self).first?.name = "Ada Lovelace"
        other.create(V0.Person.self, value: ["name": "Dora"])
      }
    }
    expectEqual(ada.name, "Ada Lovelace")
    expectEqual(people.count, 4)
    expectEqual(people.last?.name, "Dora")
  }

  @Test func `Two objects of one row agree, inside of a transaction and after it`() throws {
    let first = try #require(realm.objects(V0.Person.self).first)
    let second = try #require(realm.objects(V0.Person.self).first)
    expectTrue(first == second && first !== second)
    try realm.write {
      first.name = "one"
      expectEqual(second.name, "one")
      second.name = "two"
      second.age = 2
      expectTrue(first.name == "two" && first.age == 2)
      first.age = 3
      expectTrue(second.age == 3 && second.name == "two")
      expectEqual(realm.objects(V0.Person.self).sorted(byKeyPath: "age").last, first)
    }
    expectTrue(first.name == "two" && second.age == 3)
  }

  @Test func `Objects and results show what another process wrote`() throws {
    let ada = try #require(realm.objects(V0.Person.self).first)
    try folder.execute("UPDATE Person SET name = 'Ada L.' WHERE _id = 1")
    expectTrue(realm.refresh())
    expectEqual(ada.name, "Ada L.")
    expectFalse(realm.refresh())
    try folder.execute("UPDATE Person SET age = 36 WHERE _id = 1")
    try realm.write {
      expectEqual(ada.age, 36)
      ada.age += 1
    }
    try expectEqual(folder.number("SELECT age FROM Person"), 37)
  }

  @Test
  func `An object that was deleted elsewhere is invalidated, and shows its last values`() throws {
    let ada = try #require(realm.objects(V0.Person.self).first)
    let bob = realm.objects(V0.Person.self)[1]
    try inThread(realm.configuration) { other in
      try other.write { other.delete(other.objects(V0.Person.self).first!) }
    }
    expectTrue(ada.isInvalidated && ada.name == "Ada")
    expectFalse(bob.isInvalidated)
    expectError("Object has been deleted or invalidated. ('Person.name')") {
      try realm.write { ada.name = "ghost" }
    }
  }
}
