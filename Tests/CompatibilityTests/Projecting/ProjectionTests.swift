import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Person = Houses.Person

/// Projections of objects, as in RealmSwift.
@Suite struct ProjectionTests {
  private let file: TestFile
  private let realm: Realm

  init() throws {
    file = try TestFile()
    realm = try Realm(configuration: file.configuration(Houses.types))
    try Houses.fill(realm)
  }

  private func john() throws -> PersonProjection {
    try #require(realm.objects(PersonProjection.self).filter("lastName == 'Snow'").first)
  }

  @Test func `A projection is made of an object`() throws {
    let person = try #require(realm.objects(Person.self).filter("lastName == 'Snow'").first)
    let john = PersonProjection(projecting: person)
    expectTrue(john.firstName == "John" && john.lastNameCaps == "SNOW")
    expectEqual(john.homeCity, "Winterfell")
    expectEqual(john.birthdayAsEpochtime, 10)
    expectEqual(john.firstFriendsName.first, "Daenerys")
    expectTrue(john.rootObject === person)
  }

  @Test func `An object in no realm is projected too`() {
    let person = Houses.person("Arya", "Stark", city: "Braavos")
    person.friends.append(Houses.person("Jaqen", "", city: ""))
    let arya = PersonProjection(projecting: person)
    expectTrue(arya.homeCity == "Braavos" && Array(arya.firstFriendsName) == ["Jaqen"])
    arya.firstName = "Mercy"
    expectEqual(person.firstName, "Mercy")
    expectTrue(arya.realm == nil && !arya.isFrozen && !arya.isInvalidated)
  }

  @Test func `Results are projections of objects`() throws {
    let people = realm.objects(PersonProjection.self)
    expectEqual(people.count, 2)
    expectEqual(people.map(\.firstName), ["John", "Daenerys"])
    expectTrue(people.first?.homeCity == "Winterfell" && people.last?.homeCity == "King's Landing")
    expectEqual(people[1].firstFriendsName.first, "John")
    let last = try #require(people.last)
    expectTrue(people.index(of: last) == 1 && people.contains(last))
    expectNil(people.index(of: PersonProjection(projecting: Person())))
  }

  @Test func `Conditions and orders of projections name properties of objects`() throws {
    let people = realm.objects(PersonProjection.self)
    expectEqual(people.filter("lastName == 'Snow'").map(\.firstName), ["John"])
    expectEqual(people.where { $0.address.city == "Winterfell" }.map(\.firstName), ["John"])
    expectEqual(people.sorted(byKeyPath: "firstName").first?.homeCity, "King's Landing")
    expectEqual(people.sorted(byKeyPath: "birthday").first?.firstName, "Daenerys")
    expectEqual(people.sorted(by: \.firstName, ascending: false).first?.firstName, "John")
    expectEqual(people.sorted(by: \.homeCity).first?.firstName, "Daenerys")
    expectEqual(people.sorted(by: \.lastNameCaps).first?.firstName, "John")
    expectEqual(people.distinct(by: ["age"]).count, 1)
    expectEqual(people.limit(1, offset: 1).map(\.firstName), ["Daenerys"])
    let birthday: Date? = people.max(ofProperty: "birthday")
    expectEqual(birthday, Date(timeIntervalSince1970: 10))
    let sections = people.sectioned(by: \.firstName)
    expectTrue(
      sections.allKeys == ["Daenerys", "John"] && sections[1].first?.lastNameCaps == "SNOW")
    let closure = people.sectioned(by: { $0.lastNameCaps.count > 4 }, sortDescriptors: ["lastName"])
    expectTrue(closure.allKeys == [false, true] && closure[1].first?.firstName == "Daenerys")
    expectEqual(people.sectioned(sortDescriptors: ["lastName"]) { $0.lastNameCaps }.count, 2)
    expectIssue("gives no order") {
      expectTrue(realm.objects(RivalProjection.self).sorted(by: \.fullName).isEmpty)
    }
  }

  @Test func `Projections of one object are equal`() throws {
    let person = try #require(realm.objects(Person.self).first)
    let (first, second) = (try john(), PersonProjection(projecting: person))
    expectTrue(first == second && first.hashValue == second.hashValue)
    let other = try #require(realm.objects(PersonProjection.self).last)
    expectTrue(first != other)
    expectEqual(Set([first, second, other]).count, 2)
  }

  @Test func `A description has what is projected`() throws {
    let text = try john().description
    let address = try #require(text.firstMatch(of: /<0x[0-9a-f]+>/)).0
    expectEqual(
      text,
      """
      PersonProjection<Person> \(address) {
      \t\tfirstName(\\.firstName) = John;
      \tlastNameCaps(\\.lastName) = SNOW;
      \tbirthdayAsEpochtime(\\.birthday) = 10.0;
      \thomeCity(\\.address.city) = Optional("Winterfell");
      \tfirstFriendsName(\\.friends) = ProjectedCollection<String> {
      \t[0] Daenerys
      };
      }
      """)
  }

  @Test func `A projection has the realm of its object`() throws {
    try expectEqual(john().realm, realm)
    expectEqual(realm.objects(PersonProjection.self).realm, realm)
  }

  @Test func `A projection is set inside of a transaction`() throws {
    let john = try john()
    try realm.write { john.firstName = "Jon" }
    expectEqual(realm.objects(Person.self).first?.firstName, "Jon")
    try realm.write { john.firstFriendsName[0] = "Dany" }
    expectEqual(realm.objects(Person.self).last?.firstName, "Dany")
    try expectIssue("KeyPath is not writable") {
      try realm.write { john.homeCity = "Castle Black" }
    }
    try expectIssue("KeyPath is not writable") { try realm.write { john.lastNameCaps = "X" } }
    expectTrue(john.homeCity == "Winterfell" && john.lastNameCaps == "SNOW")
    try realm.write {
      john.rootObject.rival = realm.objects(Person.self).last
      let rival = RivalProjection(projecting: john.rootObject)
      expectTrue(rival.rivalName == "Dany" && rival.name == "Jon")
      rival.rival = nil
      expectTrue(rival.rivalName == nil && john.rootObject.rival == nil)
    }
  }

  @Test func `An embedded object has projections`() throws {
    let address = try #require(john().rootObject.address)
    let projection = AddressProjection(projecting: address)
    try realm.write { projection.town = "Castle Black" }
    try expectEqual(john().homeCity, "Castle Black")
  }

  @Test func `Something is computed of collections`() throws {
    let john = try john()
    try realm.write {
      john.rootObject.age = 16
      let house = Houses.House(value: ["name": "Stark"])
      house.numbers.append(objectsIn: [1, 2, 3])
      house.digits.insert(objectsIn: [3, 1])
      house.members.append(john.rootObject)
      house.guests.insert(objectsIn: realm.objects(Person.self))
      realm.add(house)
    }
    let house = try #require(realm.objects(HouseProjection.self).first)
    expectTrue(house.length == 3 && Array(house.renamed) == [1, 2, 3] && house.firstDigit == 1)
    expectEqual(Array(house.people), ["16 John"])
    expectEqual(house.ages.sorted(), [0, 16])
    expectEqual(Array(RivalProjection(projecting: john.rootObject).houses), ["Stark"])
    // A property of the projection itself is one of the class above it.
    expectEqual(RivalProjection(projecting: john.rootObject).name, "John")
  }

  @Test func `A property that isn't in the file can't be projected`() throws {
    final class WrongProjection: Projection<Houses.Everything> {
      @Projected(\Houses.Everything.ignored) var ignored
    }
    try realm.write { realm.add(Houses.Everything()) }
    let results = realm.objects(WrongProjection.self)
    expectEqual(results.count, 1)
    try expectIssue("@Projected property 'ignored' must be a part of Realm object") {
      let wrong = try #require(results.first)
      expectEqual(wrong.ignored, 0)
    }
  }

  @Test func `A class that the realm doesn't have has no projections`() throws {
    final class Stranger: Object { @Persisted var name = "" }
    final class StrangerProjection: Projection<Stranger> { @Projected(\Stranger.name) var name }
    expectIssue("Object type 'Stranger' is not managed by the Realm") {
      expectTrue(realm.objects(StrangerProjection.self).isEmpty)
    }
  }

  @Test func `Properties of all types are projected`() throws {
    let id = UUID()
    let everything = Houses.Everything(
      value: [
        "bool": true, "int": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "float": 6.5,
        "double": 7.5, "string": "a", "data": Data([8]), "date": Date(timeIntervalSince1970: 9),
        "decimal": 10 as Decimal128, "uuid": id, "rank": Houses.Rank.page,
        "any": AnyRealmValue.int(11), "person": ["firstName": "Bran"], "optionalInt": 12,
        "optionalRank": Houses.Rank.knight, "ints": [1, 2], "optionalInts": [1, nil],
        "strings": ["x"], "scores": ["y": 1.5], "people": [["firstName": "Rickon"]],
      ] as [String: Any])
    try realm.write { realm.add(everything) }
    let shown = try #require(realm.objects(EverythingProjection.self).first)
    expectTrue(shown.bool && shown.int == 1 && shown.int8 == 2 && shown.int16 == 3)
    expectTrue(shown.int32 == 4 && shown.int64 == 5 && shown.float == 6.5 && shown.double == 7.5)
    expectTrue(shown.string == "a" && shown.data == Data([8]) && shown.decimal == 10)
    expectTrue(shown.date == Date(timeIntervalSince1970: 9) && shown.uuid == id)
    expectTrue(shown.rank == .page && shown.any == .int(11) && shown.person?.firstName == "Bran")
    expectTrue(shown.optionalInt == 12 && shown.optionalString == nil && shown.optionalDate == nil)
    expectTrue(shown.optionalRank == .knight && Array(shown.ints) == [1, 2])
    expectTrue(Array(shown.optionalInts) == [1, nil] && Array(shown.strings) == ["x"])
    expectTrue(shown.scores["y"] == 1.5 && shown.people.map(\.firstName) == ["Rickon"])
  }
}
