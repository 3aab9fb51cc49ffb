import Foundation
import Strata
import StrataTestKit
import Testing

private typealias Person = Houses.Person

/// Projections show objects as in RealmSwift.
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

  private func expectIssue(_ text: String, _ body: () throws -> Void) rethrows {
    try withKnownIssue(
      nil, isIntermittent: false, body, matching: { $0.description.contains(text) })
  }

  @Test func `A projection is made of an object`() throws {
    let person = try #require(realm.objects(Person.self).filter("lastName == 'Snow'").first)
    let john = PersonProjection(projecting: person)
    #expect(john.firstName == "John" && john.lastNameCaps == "SNOW")
    #expect(john.homeCity == "Winterfell")
    #expect(john.birthdayAsEpochtime == 10)
    #expect(john.firstFriendsName.first == "Daenerys")
    #expect(john.rootObject === person)
  }

  @Test func `An object in no realm is projected too`() {
    let person = Houses.person("Arya", "Stark", city: "Braavos")
    person.friends.append(Houses.person("Jaqen", "", city: ""))
    let arya = PersonProjection(projecting: person)
    #expect(arya.homeCity == "Braavos" && Array(arya.firstFriendsName) == ["Jaqen"])
    arya.firstName = "Mercy"
    #expect(person.firstName == "Mercy")
    #expect(arya.realm == nil && !arya.isFrozen && !arya.isInvalidated)
  }

  @Test func `Results are projections of objects`() throws {
    let people = realm.objects(PersonProjection.self)
    #expect(people.count == 2)
    #expect(people.map(\.firstName) == ["John", "Daenerys"])
    #expect(people.first?.homeCity == "Winterfell" && people.last?.homeCity == "King's Landing")
    #expect(people[1].firstFriendsName.first == "John")
    let last = try #require(people.last)
    #expect(people.index(of: last) == 1 && people.contains(last))
    #expect(people.index(of: PersonProjection(projecting: Person())) == nil)
  }

  @Test func `Conditions and orders of projections name properties of objects`() throws {
    let people = realm.objects(PersonProjection.self)
    #expect(people.filter("lastName == 'Snow'").map(\.firstName) == ["John"])
    #expect(people.where { $0.address.city == "Winterfell" }.map(\.firstName) == ["John"])
    #expect(people.sorted(byKeyPath: "firstName").first?.homeCity == "King's Landing")
    #expect(people.sorted(byKeyPath: "birthday").first?.firstName == "Daenerys")
    #expect(people.sorted(by: \.firstName, ascending: false).first?.firstName == "John")
    #expect(people.sorted(by: \.homeCity).first?.firstName == "Daenerys")
    #expect(people.sorted(by: \.lastNameCaps).first?.firstName == "John")
    #expect(people.distinct(by: ["age"]).count == 1)
    #expect(people.limit(1, offset: 1).map(\.firstName) == ["Daenerys"])
    let birthday: Date? = people.max(ofProperty: "birthday")
    #expect(birthday == Date(timeIntervalSince1970: 10))
    let sections = people.sectioned(by: \.firstName)
    #expect(sections.allKeys == ["Daenerys", "John"] && sections[1].first?.lastNameCaps == "SNOW")
    let closure = people.sectioned(by: { $0.lastNameCaps.count > 4 }, sortDescriptors: ["lastName"])
    #expect(closure.allKeys == [false, true] && closure[1].first?.firstName == "Daenerys")
    #expect(people.sectioned(sortDescriptors: ["lastName"]) { $0.lastNameCaps }.count == 2)
    expectIssue("gives no order") {
      #expect(realm.objects(RivalProjection.self).sorted(by: \.fullName).isEmpty)
    }
  }

  @Test func `Projections of one object are equal`() throws {
    let person = try #require(realm.objects(Person.self).first)
    let (first, second) = (try john(), PersonProjection(projecting: person))
    #expect(first == second && first.hashValue == second.hashValue)
    let other = try #require(realm.objects(PersonProjection.self).last)
    #expect(first != other)
    #expect(Set([first, second, other]).count == 2)
  }

  @Test func `A description has what is projected`() throws {
    let text = try john().description
    let address = try #require(text.firstMatch(of: /<0x[0-9a-f]+>/)).0
    #expect(
      text
        == """
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
    #expect(try john().realm == realm)
    #expect(realm.objects(PersonProjection.self).realm == realm)
  }

  @Test func `A projection is set inside of a transaction`() throws {
    let john = try john()
    try realm.write { john.firstName = "Jon" }
    #expect(realm.objects(Person.self).first?.firstName == "Jon")
    try realm.write { john.firstFriendsName[0] = "Dany" }
    #expect(realm.objects(Person.self).last?.firstName == "Dany")
    try expectIssue("KeyPath is not writable") {
      try realm.write { john.homeCity = "Castle Black" }
    }
    try expectIssue("KeyPath is not writable") { try realm.write { john.lastNameCaps = "X" } }
    #expect(john.homeCity == "Winterfell" && john.lastNameCaps == "SNOW")
    try realm.write {
      john.rootObject.rival = realm.objects(Person.self).last
      let rival = RivalProjection(projecting: john.rootObject)
      #expect(rival.rivalName == "Dany" && rival.name == "Jon")
      rival.rival = nil
      #expect(rival.rivalName == nil && john.rootObject.rival == nil)
    }
  }

  @Test func `An embedded object has projections`() throws {
    let address = try #require(john().rootObject.address)
    let projection = AddressProjection(projecting: address)
    try realm.write { projection.town = "Castle Black" }
    #expect(try john().homeCity == "Castle Black")
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
    #expect(house.length == 3 && Array(house.renamed) == [1, 2, 3] && house.firstDigit == 1)
    #expect(Array(house.people) == ["16 John"])
    #expect(house.ages.sorted() == [0, 16])
    #expect(Array(RivalProjection(projecting: john.rootObject).houses) == ["Stark"])
    // A property of the projection itself is one of the class above it.
    #expect(RivalProjection(projecting: john.rootObject).name == "John")
  }

  @Test func `A property that isn't in the file can't be projected`() throws {
    final class WrongProjection: Projection<Houses.Everything> {
      @Projected(\Houses.Everything.ignored) var ignored
    }
    try realm.write { realm.add(Houses.Everything()) }
    let results = realm.objects(WrongProjection.self)
    #expect(results.count == 1)
    try expectIssue("@Projected property 'ignored' must be a part of Realm object") {
      let wrong = try #require(results.first)
      #expect(wrong.ignored == 0)
    }
  }

  @Test func `A class that the realm doesn't have has no projections`() throws {
    final class Stranger: Object { @Persisted var name = "" }
    final class StrangerProjection: Projection<Stranger> { @Projected(\Stranger.name) var name }
    expectIssue("Object type 'Stranger' is not managed by the Realm") {
      #expect(realm.objects(StrangerProjection.self).isEmpty)
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
    #expect(shown.bool && shown.int == 1 && shown.int8 == 2 && shown.int16 == 3)
    #expect(shown.int32 == 4 && shown.int64 == 5 && shown.float == 6.5 && shown.double == 7.5)
    #expect(shown.string == "a" && shown.data == Data([8]) && shown.decimal == 10)
    #expect(shown.date == Date(timeIntervalSince1970: 9) && shown.uuid == id)
    #expect(shown.rank == .page && shown.any == .int(11) && shown.person?.firstName == "Bran")
    #expect(shown.optionalInt == 12 && shown.optionalString == nil && shown.optionalDate == nil)
    #expect(shown.optionalRank == .knight && Array(shown.ints) == [1, 2])
    #expect(Array(shown.optionalInts) == [1, nil] && Array(shown.strings) == ["x"])
    #expect(shown.scores["y"] == 1.5 && shown.people.map(\.firstName) == ["Rickon"])
  }
}
