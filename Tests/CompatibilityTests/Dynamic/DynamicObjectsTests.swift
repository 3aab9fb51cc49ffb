import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite struct DynamicObjectsTests {
  @Test func `Objects are found, sorted and read by names`() throws {
    try TestFile().openClub { realm in
      let people = realm.dynamicObjects("ClubPerson")
      expectEqual(people.count, 3)
      let young = people.filter("age < 30").sorted(byKeyPath: "name", ascending: false)
      expectEqual(young.map { $0["name"] as? String }, ["Eve", "Bob"])
      expectEqual(people.max(ofProperty: "age"), 36)
      let bob = try #require(realm.dynamicObject(ofType: "ClubPerson", forPrimaryKey: 2))
      expectEqual(bob.name as? String, "Bob")
      expectEqual(bob.value(forKey: "age") as? Int8, 20)
      expectEqual(bob["age"] as? Int, 20)
      // Links lead to objects of the program's class, as in Realm.
      let friend = try #require(bob["friend"] as? ClubPerson)
      expectTrue(friend.name == "Ada" && bob.isSameObject(as: friend.friend) == false)
      expectEqual(
        realm.dynamicObject(ofType: "ClubPerson", forPrimaryKey: 1)?.isSameObject(as: friend), true)
      expectEqual(bob.value(forKeyPath: "friend.name") as? String, "Ada")
      expectEqual(bob, young[1])
      expectEqual(bob.hashValue, young[1].hashValue)
      expectEqual(bob.objectSchema.className, "ClubPerson")
      expectNil(realm.dynamicObject(ofType: "ClubPerson", forPrimaryKey: 9))
    }
  }

  @Test func `Collections and values of any type have dynamic objects`() throws {
    try TestFile().openClub { realm in
      let club = try #require(realm.dynamicObjects("Societies").first)
      expectEqual(club.dynamicList("members").map { $0["name"] as? String }, ["Ada", "Bob", "Eve"])
      expectEqual(club.dynamicMutableSet("guests").first?["name"] as? String, "Eve")
      expectEqual((club.dynamicMap("officers")["chair"] ?? nil)?["name"] as? String, "Ada")
      let members = try #require(club["members"] as? List<DynamicObject>)
      expectEqual(members.filter("age = 20").count, 2)
      let model = try #require(realm.objects(Club.self).first)
      expectEqual(model.dynamicList("members").count, 3)
      expectEqual(model.patron.dynamicObject?["name"] as? String, "Ada")
      expectNil(AnyRealmValue.int(1).dynamicObject)
      try realm.write { members.append(members[0]) }
      expectEqual(model.members.map(\.name), ["Ada", "Bob", "Eve", "Ada"])
    }
    let club = Club()
    club.members.append(ClubPerson(value: ["name": "Zoe"]))
    expectEqual(club.dynamicList("members").first?["name"] as? String, "Zoe")
  }

  @Test func `Objects are created, changed and deleted by names`() throws {
    try TestFile().openClub { realm in
      try realm.write {
        let ada = try #require(realm.dynamicObject(ofType: "ClubPerson", forPrimaryKey: 1))
        let zoe = realm.dynamicCreate("ClubPerson", value: ["number": 4, "friend": ada])
        zoe["name"] = "Zoe"
        zoe.age = 7
        realm.dynamicCreate("ClubPerson", value: ["number": 4, "age": 8], update: .modified)
        ada["friend"] = zoe
        realm.delete(try #require(realm.dynamicObject(ofType: "ClubPerson", forPrimaryKey: 3)))
      }
      let zoe = try #require(realm.object(ofType: ClubPerson.self, forPrimaryKey: 4))
      expectEqual(zoe.name, "Zoe")
      expectEqual(zoe.age, 8)
      expectEqual(zoe.friend?.name, "Ada")
      expectEqual(zoe.friend?.friend, zoe)
      expectEqual(realm.objects(ClubPerson.self).map(\.number), [1, 2, 4])
      try realm.write { realm.delete(realm.dynamicObjects("ClubPerson").filter("age < 30")) }
      expectEqual(realm.objects(ClubPerson.self).map(\.number), [1])
    }
  }

  @Test func `A wrong value is shown in an error as it is for an object of a known class`() throws {
    try TestFile().openClub { realm in
      let ada = try #require(realm.object(ofType: ClubPerson.self, forPrimaryKey: 1))
      let dynamic = try #require(realm.dynamicObject(ofType: "ClubPerson", forPrimaryKey: 1))
      func text(_ set: () -> Void) -> String {
        do {
          try realm.write { set() }
          return ""
        } catch {
          return "\(error)"
        }
      }
      for value in [["a"], ["k": ["a"]], [["k": 1]], [1: 2]] as [Any] {
        let expected = text { ada["age"] = value }
        expectTrue(expected.contains("Invalid value '\(value)' of type '\(type(of: value))'"))
        expectEqual(text { dynamic["age"] = value }, expected)
      }
    }
  }

  @Test func `Frozen objects stay, and observers hear of changes`() throws {
    try TestFile().openClub { realm in
      let ada = try #require(realm.dynamicObject(ofType: "ClubPerson", forPrimaryKey: 1))
      let frozen = ada.freeze()
      expectTrue(frozen.isFrozen)
      expectEqual(ada.realm, realm)
      var heard: [String] = []
      let token = ada.observe { change in
        if case .change(let object, let properties) = change {
          heard.append("\(object["name"] ?? "nil") \(properties.map(\.name))")
        }
      }
      try realm.write { ada["name"] = "Ada L." }
      realm.refresh()
      expectEqual(heard, ["Ada L. [\"name\"]"])
      expectEqual(frozen["name"] as? String, "Ada")
      expectEqual(frozen.thaw(), ada)
      token.invalidate()
    }
  }

  @Test func `An unknown class has no objects, and writing throws that`() throws {
    try TestFile().openClub { realm in
      expectIssue("Object type 'Dragon' is not managed by the Realm.") {
        expectTrue(realm.dynamicObjects("Dragon").isEmpty)
      }
      expectError(beginning: "Object type 'Dragon' is not managed by the Realm.") {
        try realm.write { _ = realm.dynamicCreate("Dragon", value: ["name": "Smaug"]) }
      }
      expectError("'Societies.name' is not a list of objects.") {
        try realm.write { _ = realm.dynamicObjects("Societies")[0].dynamicList("name") }
      }
    }
  }

  @Test func `A migration refuses the dynamic object of a realm`() throws {
    try TestFile().openClub { realm in
      let other = try TestFile()
      try other.write([ClubPerson.self, Club.self]) { $0.create(Club.self) }
      nonisolated(unsafe) let ada = realm.dynamicObjects("ClubPerson")[0]
      let failure = try other.failure([ClubPerson.self, Club.self], to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Societies") { _, new in new?["patron"] = ada }
      }
      expectTrue(failure.message.hasPrefix("Object is already managed by another Realm."))
    }
  }
}
