import Foundation
import Strata
import StrataTestKit
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
    #expect(people.count == 4 && !people.isEmpty)
    #expect(people.first?.name == "Bob" && people.last?.name == "ada" && people[1].name == "Ada")
    #expect(people.map(\.name) == ["Bob", "Ada", "Cleo", "ada"])
    #expect(people.filter { $0.age == 36 }.map(\.name) == ["Ada", "Cleo"])
    #expect(people.reversed().map(\.name) == ["ada", "Cleo", "Ada", "Bob"])
    #expect(people.dropFirst().prefix(2).map(\.name) == ["Ada", "Cleo"])
    #expect(people.firstIndex { $0.name == "Cleo" } == 2)
    #expect(Array(people).count == 4 && people.contains { $0.age == 1 })
    #expect(people.enumerated().map { "\($0)\($1.name)" }.last == "3ada")
  }

  @Test
  func `Results sort by one property or several, equal ones keep their order, nil comes first`() {
    #expect(people.sorted(byKeyPath: "age").map(\.name) == ["ada", "Ada", "Cleo", "Bob"])
    #expect(
      people.sorted(byKeyPath: "age", ascending: false).map(\.name) == [
        "Bob", "Ada", "Cleo", "ada",
      ])
    #expect(people.sorted(byKeyPath: "name").map(\.name) == ["Ada", "Bob", "Cleo", "ada"])
    #expect(people.sorted(byKeyPath: "email").map(\.name) == ["Ada", "ada", "Bob", "Cleo"])
    #expect(people.sorted(by: \.age).first?.name == "ada")
    let byBoth = people.sorted(by: [
      "age", SortDescriptor(keyPath: "name", ascending: false),
    ])
    #expect(byBoth.map(\.name) == ["ada", "Cleo", "Ada", "Bob"])
    #expect(byBoth.last?.name == "Bob" && byBoth[1].name == "Cleo" && byBoth.count == 4)
    withKnownIssue {
      #expect(people.sorted(byKeyPath: "x").isEmpty)
    } matching: {
      "\($0)".contains("Cannot sort on key path 'x': property 'Person.x' does not exist.")
    }
  }

  @Test func `Results find their objects, and read and set properties of all`() throws {
    let cleo = people[2]
    #expect(
      people.index(of: cleo) == 2 && people.contains(cleo) && people.firstIndex(of: cleo) == 2)
    #expect(people.sorted(byKeyPath: "name", ascending: false).index(of: cleo) == 1)
    #expect(people.index(of: V0.Person()) == nil && !people.contains(V0.Person()))
    #expect(people.indices == 0..<4 && people.objects(at: [0, 3]).map(\.name) == ["Bob", "ada"])
    #expect(
      people.realm == realm && people.value(forKey: "age").compactMap { $0 as? Int }.max() == 40)
    try realm.write { people.setValue(5, forKey: "age") }
    #expect(people.map(\.age) == [5, 5, 5, 5])
    #expect(people.sorted(by: \.name).first?.name == "Ada")
    let other = try TestFolder()
    try other.open([V0.Person.self]) { realm in
      try realm.write { realm.create(V0.Person.self) }
      let stranger = try #require(realm.objects(V0.Person.self).first)
      #expect(!people.contains(stranger) && people.index(of: stranger) == nil)
    }
  }

  @Test func `Results count, add up and compare`() throws {
    #expect(people.min(ofProperty: "age") == 1)
    #expect(people.max(ofProperty: "age") as Int? == 40)
    #expect(people.sum(ofProperty: "age") == 113)
    #expect(people.average(ofProperty: "age") == 28.25)
    #expect(people.sum(of: \.age) == 113 && people.max(of: \.age) == 40)
    #expect(people.average(of: \.age) == 28.25)
    let none = realm.objects(V0.Everything.self)
    #expect(none.sum(ofProperty: "int") == 0 && none.min(ofProperty: "date") as Date? == nil)
    #expect(none.average(ofProperty: "double") as Double? == nil)
    let date = Date(timeIntervalSince1970: 5)
    try realm.write {
      realm.create(V0.Everything.self, value: ["int": Int.max, "date": date] as [String: Any])
      realm.create(V0.Everything.self, value: ["int": 1])
    }
    #expect(none.sum(ofProperty: "int") == Int.min)
    #expect(none.max(ofProperty: "date") == date)
    #expect(none.max(of: \.date) == date)
    withKnownIssue {
      #expect(people.sum(ofProperty: "name") == 0)
    } matching: {
      "\($0)".contains("Cannot use 'sum' on 'Person.name'")
    }
    withKnownIssue {
      #expect(people.min(ofProperty: "x") as Int? == nil)
    } matching: {
      "\($0)".contains("Invalid property name 'x' for class 'Person'.")
    }
  }

  @Test func `Results see the changes of a transaction, by position too`() throws {
    let sorted = people.sorted(byKeyPath: "age")
    try realm.write {
      for index in 0..<people.count { people[index].age += 100 }
      #expect(people.sum(ofProperty: "age") == 513)
      sorted[0].age = 1_000
      #expect(sorted[3].name == "ada" && sorted[0].name == "Ada")
      realm.delete(people[0])
      #expect(people.count == 3 && people[0].name == "Ada")
    }
    #expect(sorted.map(\.age) == [136, 136, 1_000])
  }

  @Test func `An object is found by its primary key, whatever is asked`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([V0.Keyed.self, V0.Person.self]))
    try realm.write { for id in 0..<5 { realm.create(V0.Keyed.self, value: ["id": id]) } }
    #expect(realm.object(ofType: V0.Keyed.self, forPrimaryKey: 3)?.id == 3)
    #expect(realm.object(ofType: V0.Keyed.self, forPrimaryKey: 9) == nil)
    withKnownIssue { #expect(realm.object(ofType: V0.Keyed.self, forPrimaryKey: "3") == nil) }
    withKnownIssue {
      #expect(realm.object(ofType: V0.Person.self, forPrimaryKey: 3) == nil)
    } matching: {
      "\($0)".contains("Object type 'Person' does not have a primary key defined.")
    }
  }

  @Test
  func `Results of a class that the realm lacks are empty, which is reported or thrown`() throws {
    let text = "Object type 'OptionalKey' is not managed by the Realm."
    withKnownIssue {
      let none = realm.objects(V0.OptionalKey.self)
      #expect(none.isEmpty && none.first == nil && Array(none).isEmpty && none.count == 0)
    } matching: {
      "\($0)".contains(text)
    }
    let error = #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.delete(realm.objects(V0.OptionalKey.self))
        realm.create(V0.Person.self)
      }
    }
    #expect(error?.message.hasPrefix(text) == true)
    #expect(people.count == 4)
  }

  @Test func `Results iterate over more objects than are made at once`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([V0.Person.self]))
    try realm.write {
      for age in 0..<1_000 { realm.add(V0.Person(value: ["age": age])) }
      #expect(realm.objects(V0.Person.self).map(\.age) == Array(0..<1_000))
      let down = realm.objects(V0.Person.self).sorted(byKeyPath: "age", ascending: false)
      #expect(down.map(\.age) == Array((0..<1_000).reversed()))
    }
    #expect(realm.objects(V0.Person.self).map(\.age) == Array(0..<1_000))
    let wanted = realm.objects(V0.Person.self).first { $0.age == 700 }
    #expect(wanted?.age == 700)
  }
}
