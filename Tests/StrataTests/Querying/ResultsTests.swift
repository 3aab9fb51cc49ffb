import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Results")
struct ResultsTests {
  let folder: TestFolder
  let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration([V0.Person.self, V0.Everything.self]))
    try realm.write {
      for (name, age, email) in [
        ("Bob", 40, "b@x"), ("Ada", 36, nil), ("Cleo", 36, "c@x"), ("ada", 1, nil),
      ] {
        realm.add(V0.Person(value: ["name": name, "age": age, "email": email] as [String: Any?]))
      }
    }
  }

  var people: Results<V0.Person> { realm.objects(V0.Person.self) }

  @Test func `Results are a collection`() {
    expectTrue(people.count == 4 && !people.isEmpty)
    expectTrue(people.first?.name == "Bob" && people.last?.name == "ada" && people[1].name == "Ada")
    expectEqual(people.map(\.name), ["Bob", "Ada", "Cleo", "ada"])
    expectEqual(people.filter { $0.age == 36 }.map(\.name), ["Ada", "Cleo"])
    expectEqual(people.reversed().map(\.name), ["ada", "Cleo", "Ada", "Bob"])
    expectEqual(people.dropFirst().prefix(2).map(\.name), ["Ada", "Cleo"])
    expectEqual(people.firstIndex { $0.name == "Cleo" }, 2)
    expectTrue(Array(people).count == 4 && people.contains { $0.age == 1 })
    expectEqual(people.enumerated().map { "\($0)\($1.name)" }.last, "3ada")
  }

  @Test func `Results find their objects, and read and set properties of all`() throws {
    let cleo = people[2]
    expectTrue(
      people.index(of: cleo) == 2 && people.contains(cleo) && people.firstIndex(of: cleo) == 2)
    expectEqual(people.sorted(byKeyPath: "name", ascending: false).index(of: cleo), 1)
    expectTrue(people.index(of: V0.Person()) == nil && !people.contains(V0.Person()))
    expectTrue(
      people.indices == 0..<4 && people.objects(at: [0, 3]).map(\.name) == ["Bob", "ada"])
    expectTrue(
      people.realm == realm && people.value(forKey: "age").compactMap { $0 as? Int }.max() == 40)
    try realm.write { people.setValue(5, forKey: "age") }
    expectEqual(people.map(\.age), [5, 5, 5, 5])
    expectEqual(people.sorted(by: \.name).first?.name, "Ada")
    let other = try TestFolder()
    try other.open([V0.Person.self]) { realm in
      try realm.write { realm.create(V0.Person.self) }
      let stranger = try #require(realm.objects(V0.Person.self).first)
      expectTrue(!people.contains(stranger) && people.index(of: stranger) == nil)
    }
  }

  @Test func `Results count, add up and compare`() throws {
    expectEqual(people.min(ofProperty: "age"), 1)
    expectEqual(people.max(ofProperty: "age") as Int?, 40)
    expectEqual(people.sum(ofProperty: "age"), 113)
    expectEqual(people.average(ofProperty: "age"), 28.25)
    expectTrue(people.sum(of: \.age) == 113 && people.max(of: \.age) == 40)
    expectEqual(people.average(of: \.age), 28.25)
    let none = realm.objects(V0.Everything.self)
    expectTrue(none.sum(ofProperty: "int") == 0 && none.min(ofProperty: "date") as Date? == nil)
    expectNil(none.average(ofProperty: "double") as Double?)
    let date = Date(timeIntervalSince1970: 5)
    try realm.write {
      realm.create(V0.Everything.self, value: ["int": Int.max, "date": date] as [String: Any])
      realm.create(V0.Everything.self, value: ["int": 1])
    }
    expectEqual(none.sum(ofProperty: "int"), Int.min)
    expectEqual(none.max(ofProperty: "date"), date)
    expectEqual(none.max(of: \.date), date)
    expectIssue("Cannot use 'sum' on 'Person.name'") {
      expectEqual(people.sum(ofProperty: "name"), 0)
    }
    expectIssue("Invalid property name 'x' for class 'Person'.") {
      expectNil(people.min(ofProperty: "x") as Int?)
    }
  }

  @Test func `Results see the changes of a transaction, by position too`() throws {
    let sorted = people.sorted(byKeyPath: "age")
    try realm.write {
      for index in 0..<people.count { people[index].age += 100 }
      expectEqual(people.sum(ofProperty: "age"), 513)
      sorted[0].age = 1_000
      expectTrue(sorted[3].name == "ada" && sorted[0].name == "Ada")
      realm.delete(people[0])
      expectTrue(people.count == 3 && people[0].name == "Ada")
    }
    expectEqual(sorted.map(\.age), [136, 136, 1_000])
  }

  @Test func `An object is found by its primary key, whatever is asked`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([V0.Keyed.self, V0.Person.self]))
    try realm.write { for id in 0..<5 { realm.create(V0.Keyed.self, value: ["id": id]) } }
    expectEqual(realm.object(ofType: V0.Keyed.self, forPrimaryKey: 3)?.id, 3)
    expectNil(realm.object(ofType: V0.Keyed.self, forPrimaryKey: 9))
    withKnownIssue { expectNil(realm.object(ofType: V0.Keyed.self, forPrimaryKey: "3")) }
    expectIssue("Object type 'Person' does not have a primary key defined.") {
      expectNil(realm.object(ofType: V0.Person.self, forPrimaryKey: 3))
    }
  }

  @Test
  func `Results of a class that the realm lacks are empty, which is reported or thrown`() throws {
    let text = "Object type 'OptionalKey' is not managed by the Realm."
    expectIssue(text) {
      let none = realm.objects(V0.OptionalKey.self)
      expectTrue(none.isEmpty && none.first == nil && Array(none).isEmpty && none.count == 0)
    }
    expectError(beginning: text) {
      try realm.write {
        realm.delete(realm.objects(V0.OptionalKey.self))
        realm.create(V0.Person.self)
      }
    }
    expectEqual(people.count, 4)
  }

  @Test func `Results iterate over more objects than are made at once`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([V0.Person.self]))
    try realm.write {
      for age in 0..<1_000 { realm.add(V0.Person(value: ["age": age])) }
      expectEqual(realm.objects(V0.Person.self).map(\.age), Array(0..<1_000))
      let down = realm.objects(V0.Person.self).sorted(byKeyPath: "age", ascending: false)
      expectEqual(down.map(\.age), Array((0..<1_000).reversed()))
    }
    expectEqual(realm.objects(V0.Person.self).map(\.age), Array(0..<1_000))
    let wanted = realm.objects(V0.Person.self).first { $0.age == 700 }
    expectEqual(wanted?.age, 700)
  }
}
