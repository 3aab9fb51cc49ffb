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
    realm = try Realm(configuration: folder.configuration([V0.Person.self]))
    try realm.write {
      for (name, age, email) in [
        ("Bob", 40, "b@x"), ("Ada", 36, nil), ("Cleo", 36, "c@x"), ("ada", 1, nil),
      ] {
        realm.add(V0.Person(value: ["name": name, "age": age, "email": email] as [String: Any?]))
      }
    }
  }

  var people: Results<V0.Person> { realm.objects(V0.Person.self) }

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

  @Test func `A key of another type, or of a class without one, finds nothing, which is reported`()
    throws
  {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([V0.Keyed.self, V0.Person.self]))
    try realm.write { for id in 0..<5 { realm.create(V0.Keyed.self, value: ["id": id]) } }
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
}
