import Strata
import StrataTestKit
import TestKit
import Testing

@Suite struct KeyPathValuesTests {
  @Test func `Values by their keys have the types of their properties`() throws {
    try TestFile().openClub { realm in
      let bob = try #require(realm.object(ofType: ClubPerson.self, forPrimaryKey: 2))
      expectEqual(bob.value(forKey: "age") as? Int8, 20)
      expectEqual(bob.value(forKey: "shoe") as? Int32, 42)
      expectEqual(bob.value(forKey: "number") as? Int, 2)
      expectEqual(bob["age"] as? Int, 20)
      let ada = try #require(bob.friend)
      expectNil(ada.value(forKey: "shoe"))
      let club = try #require(realm.objects(Club.self).first)
      expectEqual(club.value(forKey: "kind") as? Int16, 1)
      expectEqual(club.members.value(forKey: "age") as? [Int8], [36, 20, 20])
    }
    expectEqual(ClubPerson(value: ["age": 3]).value(forKey: "age") as? Int8, 3)
  }

  @Test func `A path leads through links and collections`() throws {
    try TestFile().openClub { realm in
      let club = try #require(realm.objects(Club.self).first)
      let bob = club.members[1]
      expectEqual(bob.value(forKeyPath: "friend.name") as? String, "Ada")
      expectNil(club.members[0].value(forKeyPath: "friend.name"))
      expectEqual(club.value(forKeyPath: "members.name") as? [String], ["Ada", "Bob", "Eve"])
      expectEqual(club.value(forKeyPath: "officers.chair.name") as? String, "Ada")
      expectEqual(bob.value(forKeyPath: "clubs.name") as? [String], ["Knights"])
      let friends = club.members.value(forKeyPath: "friend.name") as? [Any?]
      expectEqual(friends?.map { $0 as? String }, [nil, "Ada", nil])
    }
  }

  @Test func `Operators compute over the elements`() throws {
    try TestFile().openClub { realm in
      let club = try #require(realm.objects(Club.self).first)
      let members = club.members
      expectEqual(members.value(forKeyPath: "@count") as? Int, 3)
      expectEqual(club.value(forKeyPath: "members.@count") as? Int, 3)
      expectEqual(members.value(forKeyPath: "@min.age") as? Int8, 20)
      expectEqual(members.value(forKeyPath: "@max.age") as? Int8, 36)
      expectEqual(members.value(forKeyPath: "@max.name") as? String, "Eve")
      expectEqual(members.value(forKeyPath: "@sum.age") as? Int, 76)
      let average = try #require(members.value(forKeyPath: "@avg.age") as? Double)
      expectTrue(abs(average - 76.0 / 3) < 1e-9)
      expectEqual(members.value(forKeyPath: "@sum.debt") as? Decimal128, 2.5)
      expectEqual(members.value(forKeyPath: "@unionOfObjects.friend.name") as? [String], ["Ada"])
      let ages = members.value(forKeyPath: "@distinctUnionOfObjects.age") as? [Int8]
      expectEqual(ages, [36, 20])
      expectEqual(club.years.value(forKeyPath: "@max.self") as? Int, 2007)
      expectNil(
        realm.objects(ClubPerson.self).filter("age > 90").value(forKeyPath: "@avg.age"))
      expectEqual(club.officers.value(forKeyPath: "@count") as? Int, 1)
    }
  }

  @Test func `Values are set at the end of a path`() throws {
    try TestFile().openClub { realm in
      let club = try #require(realm.objects(Club.self).first)
      try realm.write {
        club.members[1].setValue("Ada L.", forKeyPath: "friend.name")
        club.members[0].setValue("Nobody", forKeyPath: "friend.name")
        club.setValue(50, forKeyPath: "members.age")
        club.setValue("Bishops", forKeyPath: "name")
      }
      expectEqual(club.members.map(\.name), ["Ada L.", "Bob", "Eve"])
      expectEqual(club.members.map(\.age), [50, 50, 50])
      expectEqual(club.name, "Bishops")
    }
  }

  @Test func `A path that leads nowhere is reported, and nil`() throws {
    let club = Club()
    expectIssue("The key path 'name.length' leads nowhere: 'Societies.name' is a value") {
      expectNil(club.value(forKeyPath: "name.length"))
    }
    expectIssue("The operator of '@median.age' is unknown") {
      expectNil(club.members.value(forKeyPath: "@median.age"))
    }
    expectIssue("has no 'length' that can be set") { club.setValue(1, forKeyPath: "name.length") }
  }
}
