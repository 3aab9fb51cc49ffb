package import Foundation
package import Strata

/// People of houses, and projections of them.
package enum Houses {
  package static let types: [ObjectBase.Type] = [
    Person.self, Address.self, House.self, Everything.self,
  ]

  package enum Rank: String, PersistableEnum { case lord, knight, page }

  package final class Address: EmbeddedObject {
    @Persisted package var city = ""
    @Persisted package var country = ""
  }

  package final class House: Object {
    @Persisted package var name = ""
    @Persisted package var members: List<Person>
    @Persisted package var guests: MutableSet<Person>
    @Persisted package var numbers: List<Int>
    @Persisted package var digits: MutableSet<Int>
  }

  package final class Person: Object {
    @Persisted package var firstName = ""
    @Persisted package var lastName = ""
    @Persisted package var birthday = Date(timeIntervalSince1970: 0)
    @Persisted package var age = 0
    @Persisted package var address: Address?
    @Persisted package var rival: Person?
    @Persisted package var friends: List<Person>
    @Persisted(originProperty: "members") package var houses: LinkingObjects<House>

    package var fullName: String { "\(firstName) \(lastName)" }
    package var ageAndName: String { "\(age) \(firstName)" }
  }

  package final class Everything: Object {
    @Persisted package var bool = false
    @Persisted package var int = 0
    @Persisted package var int8: Int8 = 0
    @Persisted package var int16: Int16 = 0
    @Persisted package var int32: Int32 = 0
    @Persisted package var int64: Int64 = 0
    @Persisted package var float: Float = 0
    @Persisted package var double = 0.0
    @Persisted package var string = ""
    @Persisted package var data = Data()
    @Persisted package var date = Date(timeIntervalSince1970: 0)
    @Persisted package var decimal: Decimal128 = 0
    @Persisted package var objectId = ObjectId("6058f12b957ba06156586a7c")
    @Persisted package var uuid = UUID(uuidString: "6B28EC45-B29A-4B0A-BD6A-343C7F6D90FD")!
    @Persisted package var rank = Rank.lord
    @Persisted package var any: AnyRealmValue
    @Persisted package var person: Person?
    @Persisted package var optionalInt: Int?
    @Persisted package var optionalString: String?
    @Persisted package var optionalDate: Date?
    @Persisted package var optionalRank: Rank?
    @Persisted package var ints: List<Int>
    @Persisted package var optionalInts: List<Int?>
    @Persisted package var strings: MutableSet<String>
    @Persisted package var scores: Map<String, Double>
    @Persisted package var people: List<Person>
    @Persisted package var ignored = 0

    package override class func ignoredProperties() -> [String] { ["ignored"] }
  }

  package static func person(_ first: String, _ last: String, city: String, born: Double = 0)
    -> Person
  {
    Person(
      value: [
        "firstName": first, "lastName": last, "address": ["city": city],
        "birthday": Date(timeIntervalSince1970: born),
      ] as [String: Any])
  }

  /// John Snow and Daenerys Targaryen, who are friends.
  package static func fill(_ realm: Realm) throws {
    try realm.write {
      let john = person("John", "Snow", city: "Winterfell", born: 10)
      let dany = person("Daenerys", "Targaryen", city: "King's Landing")
      realm.add([john, dany])
      john.friends.append(dany)
      dany.friends.append(john)
    }
  }
}

package final class PersonProjection: Projection<Houses.Person> {
  @Projected(\Houses.Person.firstName) package var firstName
  @Projected(\Houses.Person.lastName.localizedUppercase) package var lastNameCaps
  @Projected(\Houses.Person.birthday.timeIntervalSince1970) package var birthdayAsEpochtime
  @Projected(\Houses.Person.address?.city) package var homeCity
  @Projected(\Houses.Person.friends.projectTo.firstName)
  package var firstFriendsName: ProjectedCollection<String>
}

package class NameProjection: Projection<Houses.Person> {
  @Projected(\Houses.Person.firstName) package var name
}

package final class RivalProjection: NameProjection {
  @Projected(\Houses.Person.rival?.firstName) package var rivalName
  @Projected(\Houses.Person.rival) package var rival
  @Projected(\Houses.Person.fullName) package var fullName
  @Projected(\Houses.Person.houses.projectTo.name) package var houses: ProjectedCollection<String>
}

package final class AddressProjection: Projection<Houses.Address> {
  @Projected(\Houses.Address.city) package var town
}

package final class HouseProjection: Projection<Houses.House> {
  @Projected(\Houses.House.numbers.count) package var length
  @Projected(\Houses.House.numbers) package var renamed
  @Projected(\Houses.House.members.projectTo.ageAndName) package var people:
    ProjectedCollection<String>
  @Projected(\Houses.House.digits.first) package var firstDigit
  @Projected(\Houses.House.guests.projectTo.age) package var ages: ProjectedCollection<Int>
}

package final class ThriceProjection: Projection<Houses.Person> {
  @Projected(\Houses.Person.age) package var age1
  @Projected(\Houses.Person.age) package var age2
  @Projected(\Houses.Person.age) package var age3
}

package final class EverythingProjection: Projection<Houses.Everything> {
  @Projected(\Houses.Everything.bool) package var bool
  @Projected(\Houses.Everything.int) package var int
  @Projected(\Houses.Everything.int8) package var int8
  @Projected(\Houses.Everything.int16) package var int16
  @Projected(\Houses.Everything.int32) package var int32
  @Projected(\Houses.Everything.int64) package var int64
  @Projected(\Houses.Everything.float) package var float
  @Projected(\Houses.Everything.double) package var double
  @Projected(\Houses.Everything.string) package var string
  @Projected(\Houses.Everything.data) package var data
  @Projected(\Houses.Everything.date) package var date
  @Projected(\Houses.Everything.decimal) package var decimal
  @Projected(\Houses.Everything.objectId) package var objectId
  @Projected(\Houses.Everything.uuid) package var uuid
  @Projected(\Houses.Everything.rank) package var rank
  @Projected(\Houses.Everything.any) package var any
  @Projected(\Houses.Everything.person) package var person
  @Projected(\Houses.Everything.optionalInt) package var optionalInt
  @Projected(\Houses.Everything.optionalString) package var optionalString
  @Projected(\Houses.Everything.optionalDate) package var optionalDate
  @Projected(\Houses.Everything.optionalRank) package var optionalRank
  @Projected(\Houses.Everything.ints) package var ints
  @Projected(\Houses.Everything.optionalInts) package var optionalInts
  @Projected(\Houses.Everything.strings) package var strings
  @Projected(\Houses.Everything.scores) package var scores
  @Projected(\Houses.Everything.people) package var people
}
