import Strata
import StrataTestKit
import Testing

@Suite struct KeyPathValuesTests {
  @Test func `Values by their keys have the types of their properties`() throws {
    try TestFile().openClub { realm in
      let bob = try #require(realm.object(ofType: ClubPerson.self, forPrimaryKey: 2))
      #expect(bob.value(forKey: "age") as? Int8 == 20)
      #expect(bob.value(forKey: "shoe") as? Int32 == 42)
      #expect(bob.value(forKey: "number") as? Int == 2)
      #expect(bob["age"] as? Int == 20)
      let ada = try #require(bob.friend)
      #expect(ada.value(forKey: "shoe") == nil)
      let club = try #require(realm.objects(Club.self).first)
      #expect(club.value(forKey: "kind") as? Int16 == 1)
      #expect(club.members.value(forKey: "age") as? [Int8] == [36, 20, 20])
    }
    #expect(ClubPerson(value: ["age": 3]).value(forKey: "age") as? Int8 == 3)
  }

  @Test func `A path leads through links and collections`() throws {
    try TestFile().openClub { realm in
      let club = try #require(realm.objects(Club.self).first)
      let bob = club.members[1]
      #expect(bob.value(forKeyPath: "friend.name") as? String == "Ada")
      #expect(club.members[0].value(forKeyPath: "friend.name") == nil)
      #expect(club.value(forKeyPath: "members.name") as? [String] == ["Ada", "Bob", "Eve"])
      #expect(club.value(forKeyPath: "officers.chair.name") as? String == "Ada")
      #expect(bob.value(forKeyPath: "clubs.name") as? [String] == ["Knights"])
      let friends = club.members.value(forKeyPath: "friend.name") as? [Any?]
      #expect(friends?.map { $0 as? String } == [nil, "Ada", nil])
    }
  }

  @Test func `Operators compute over the elements`() throws {
    try TestFile().openClub { realm in
      let club = try #require(realm.objects(Club.self).first)
      let members = club.members
      #expect(members.value(forKeyPath: "@count") as? Int == 3)
      #expect(club.value(forKeyPath: "members.@count") as? Int == 3)
      #expect(members.value(forKeyPath: "@min.age") as? Int8 == 20)
      #expect(members.value(forKeyPath: "@max.age") as? Int8 == 36)
      #expect(members.value(forKeyPath: "@max.name") as? String == "Eve")
      #expect(members.value(forKeyPath: "@sum.age") as? Int == 76)
      let average = try #require(members.value(forKeyPath: "@avg.age") as? Double)
      #expect(abs(average - 76.0 / 3) < 1e-9)
      #expect(members.value(forKeyPath: "@sum.debt") as? Decimal128 == 2.5)
      #expect(members.value(forKeyPath: "@unionOfObjects.friend.name") as? [String] == ["Ada"])
      let ages = members.value(forKeyPath: "@distinctUnionOfObjects.age") as? [Int8]
      #expect(ages == [36, 20])
      #expect(club.years.value(forKeyPath: "@max.self") as? Int == 2007)
      #expect(
        realm.objects(ClubPerson.self).filter("age > 90").value(forKeyPath: "@avg.age") == nil)
      #expect(club.officers.value(forKeyPath: "@count") as? Int == 1)
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
      #expect(club.members.map(\.name) == ["Ada L.", "Bob", "Eve"])
      #expect(club.members.map(\.age) == [50, 50, 50])
      #expect(club.name == "Bishops")
    }
  }

  @Test func `A path that leads nowhere is reported, and nil`() throws {
    let club = Club()
    withKnownIssue {
      #expect(club.value(forKeyPath: "name.length") == nil)
    } matching: {
      "\($0)".contains("The key path 'name.length' leads nowhere: 'Societies.name' is a value")
    }
    withKnownIssue {
      #expect(club.members.value(forKeyPath: "@median.age") == nil)
    } matching: {
      "\($0)".contains("The operator of '@median.age' is unknown")
    }
    withKnownIssue {
      club.setValue(1, forKeyPath: "name.length")
    } matching: {
      "\($0)".contains("has no 'length' that can be set")
    }
  }
}
