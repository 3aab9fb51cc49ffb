import Foundation
import Strata
import StrataTestKit
import Testing

@Suite struct OtherNamesTests {
  private func names<Found: RealmFetchable>(_ type: Found.Type, _ realm: Realm) -> Int {
    realm.objects(type).count
  }

  private func first<Kept: RealmKeyedCollection>(of map: Kept) -> Kept.Value? {
    map.keys.first.flatMap { map[$0] }
  }

  @Test func `A class may have another name in the file`() throws {
    #expect(Club.className() == "Societies")
    #expect(Club.sharedSchema()?.className == "Societies")
    #expect(Object.sharedSchema() == nil && EmbeddedObject.sharedSchema() == nil)
    #expect(ObjectBase.sharedSchema() == nil)
    #expect(ClubPerson.sharedSchema()?.primaryKeyProperty?.name == "number")
    let file = try TestFile()
    try file.openClub { realm in
      #expect(realm.schema["Societies"]?.objectClass == Club.self)
      #expect(realm.schema["Club"] == nil)
    }
    #expect(try file.storedSchema()["Societies"]?.objectClass == Club.self)
  }

  @Test func `Key paths have the names of properties`() {
    #expect(_name(for: \ClubPerson.age) == "age")
    #expect(_name(for: \ClubPerson.friend?.name) == "friend.name")
    withKnownIssue {
      #expect(_name(for: \ClubPerson.description) == "")
    } matching: {
      "\($0)".contains("has no name: it reads no property of 'ClubPerson'")
    }
  }

  @Test func `A collection of unknown kind shows what it was made of`() throws {
    try TestFile().openClub { realm in
      let club = try #require(realm.objects(Club.self).first)
      let collections = [
        AnyRealmCollection(club.members), AnyRealmCollection(realm.objects(ClubPerson.self)),
        AnyRealmCollection(AnyRealmCollection(club.members)),
      ]
      for people in collections {
        #expect(people.map(\.name) == ["Ada", "Bob", "Eve"])
        #expect(people.last?.name == "Eve")
        #expect(people.filter("age = 20").count == 2)
        #expect(people.where { $0.age > 30 }.first?.name == "Ada")
        #expect(people.index(of: people[1]) == 1)
        #expect(people.realm == realm)
        #expect(people.freeze().isFrozen)
      }
      var heard: [[Int]] = []
      let token = collections[0].observe { change in
        if case .update(_, let deletions, _, _) = change { heard.append(deletions) }
      }
      realm.refresh()
      try realm.write { club.members.remove(at: 1) }
      realm.refresh()
      #expect(heard == [[1]])
      #expect(collections[2].count == 2)
      token.invalidate()
      #expect(names(ClubPerson.self, realm) == 3)
    }
  }

  @Test func `Maps are used by the names of RealmSwift`() throws {
    try TestFile().openClub { realm in
      let club = try #require(realm.objects(Club.self).first)
      try realm.write { club.scores.setValue(3, forKey: "spring") }
      #expect(club.scores.object(forKey: "spring") == 3)
      #expect(first(of: club.scores) == 3)
      #expect(club.scores.value(forKeyPath: "@sum.self") as? Int == 3)
    }
  }

  @Test func `A pool returns and throws what its closure does`() throws {
    #expect(autoreleasepool { 3 } == 3)
    #expect(throws: Deliberate()) { try autoreleasepool { throw Deliberate() } }
  }

  @Test func `The description of a configuration shows no key`() {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/data/a.sqlite"), schemaVersion: 3, objectTypes: [Club.self])
    configuration.encryptionKey = Data(repeating: 65, count: 64)
    #expect(
      configuration.description
        == "Realm.Configuration(fileURL: '/data/a.sqlite', schemaVersion: 3, readOnly: false, "
        + "encryptionKey: <not shown>, objectTypes: [Societies])")
  }
}
