import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite struct OtherNamesTests {
  private func names<Found: RealmFetchable>(_ type: Found.Type, _ realm: Realm) -> Int {
    realm.objects(type).count
  }

  private func first<Kept: RealmKeyedCollection>(of map: Kept) -> Kept.Value? {
    map.keys.first.flatMap { map[$0] }
  }

  @Test func `A class may have another name in the file`() throws {
    expectEqual(Club.className(), "Societies")
    expectEqual(Club.sharedSchema()?.className, "Societies")
    expectTrue(Object.sharedSchema() == nil && EmbeddedObject.sharedSchema() == nil)
    expectNil(ObjectBase.sharedSchema())
    expectEqual(ClubPerson.sharedSchema()?.primaryKeyProperty?.name, "number")
    let file = try TestFile()
    try file.openClub { realm in
      expectTrue(realm.schema["Societies"]?.objectClass == Club.self)
      expectNil(realm.schema["Club"])
    }
    try expectTrue(file.storedSchema()["Societies"]?.objectClass == Club.self)
  }

  @Test func `Key paths have the names of properties`() {
    expectEqual(_name(for: \ClubPerson.age), "age")
    expectEqual(_name(for: \ClubPerson.friend?.name), "friend.name")
    expectIssue("has no name: it reads no property of 'ClubPerson'") {
      expectEqual(_name(for: \ClubPerson.description), "")
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
        expectEqual(people.map(\.name), ["Ada", "Bob", "Eve"])
        expectEqual(people.last?.name, "Eve")
        expectEqual(people.filter("age = 20").count, 2)
        expectEqual(people.where { $0.age > 30 }.first?.name, "Ada")
        expectEqual(people.index(of: people[1]), 1)
        expectEqual(people.realm, realm)
        expectTrue(people.freeze().isFrozen)
      }
      var heard: [[Int]] = []
      let token = collections[0].observe { change in
        if case .update(_, let deletions, _, _) = change { heard.append(deletions) }
      }
      realm.refresh()
      try realm.write { club.members.remove(at: 1) }
      realm.refresh()
      expectEqual(heard, [[1]])
      expectEqual(collections[2].count, 2)
      token.invalidate()
      expectEqual(names(ClubPerson.self, realm), 3)
    }
  }

  @Test func `Maps are used by the names of RealmSwift`() throws {
    try TestFile().openClub { realm in
      let club = try #require(realm.objects(Club.self).first)
      try realm.write { club.scores.setValue(3, forKey: "spring") }
      expectEqual(club.scores.object(forKey: "spring"), 3)
      expectEqual(first(of: club.scores), 3)
      expectEqual(club.scores.value(forKeyPath: "@sum.self") as? Int, 3)
    }
  }

  @Test func `A pool returns and throws what its closure does`() throws {
    expectEqual(autoreleasepool { 3 }, 3)
    #expect(throws: Deliberate()) { try autoreleasepool { throw Deliberate() } }
  }

  @Test func `The description of a configuration shows no key`() {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/data/a.sqlite"), schemaVersion: 3, objectTypes: [Club.self])
    configuration.encryptionKey = Data(repeating: 65, count: 64)
    expectEqual(
      configuration.description,
      "Realm.Configuration(fileURL: '/data/a.sqlite', schemaVersion: 3, readOnly: false, "
        + "encryptionKey: <not shown>, objectTypes: [Societies])")
  }
}
