import Foundation
import Strata

/// People of houses, and projections of them.
enum Houses {
  static let types: [ObjectBase.Type] = [
    Person.self, Address.self, House.self, Everything.self,
  ]

  enum Rank: String, PersistableEnum { case lord, knight, page }

  final class Address: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var country = ""
  }

  final class House: Object {
    @Persisted var name = ""
    @Persisted var members: List<Person>
    @Persisted var guests: MutableSet<Person>
    @Persisted var numbers: List<Int>
    @Persisted var digits: MutableSet<Int>
  }

  final class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var birthday = Date(timeIntervalSince1970: 0)
    @Persisted var age = 0
    @Persisted var address: Address?
    @Persisted var rival: Person?
    @Persisted var friends: List<Person>
    @Persisted(originProperty: "members") var houses: LinkingObjects<House>

    var fullName: String { "\(firstName) \(lastName)" }
    var ageAndName: String { "\(age) \(firstName)" }
  }

  final class Everything: Object {
    @Persisted var bool = false
    @Persisted var int = 0
    @Persisted var int8: Int8 = 0
    @Persisted var int16: Int16 = 0
    @Persisted var int32: Int32 = 0
    @Persisted var int64: Int64 = 0
    @Persisted var float: Float = 0
    @Persisted var double = 0.0
    @Persisted var string = ""
    @Persisted var data = Data()
    @Persisted var date = Date(timeIntervalSince1970: 0)
    @Persisted var decimal: Decimal128 = 0
    @Persisted var objectId = ObjectId("6058f12b957ba06156586a7c")
    @Persisted var uuid = UUID(uuidString: "6B28EC45-B29A-4B0A-BD6A-343C7F6D90FD")!
    @Persisted var rank = Rank.lord
    @Persisted var any: AnyRealmValue
    @Persisted var person: Person?
    @Persisted var optionalInt: Int?
    @Persisted var optionalString: String?
    @Persisted var optionalDate: Date?
    @Persisted var optionalRank: Rank?
    @Persisted var ints: List<Int>
    @Persisted var optionalInts: List<Int?>
    @Persisted var strings: MutableSet<String>
    @Persisted var scores: Map<String, Double>
    @Persisted var people: List<Person>
    @Persisted var ignored = 0

    override class func ignoredProperties() -> [String] { ["ignored"] }
  }

  static func person(_ first: String, _ last: String, city: String, born: Double = 0) -> Person {
    Person(
      value: [
        "firstName": first, "lastName": last, "address": ["city": city],
        "birthday": Date(timeIntervalSince1970: born),
      ] as [String: Any])
  }

  /// John Snow and Daenerys Targaryen, who are friends.
  static func fill(_ realm: Realm) throws {
    try realm.write {
      let john = person("John", "Snow", city: "Winterfell", born: 10)
      let dany = person("Daenerys", "Targaryen", city: "King's Landing")
      realm.add([john, dany])
      john.friends.append(dany)
      dany.friends.append(john)
    }
  }
}

final class PersonProjection: Projection<Houses.Person> {
  @Projected(\Houses.Person.firstName) var firstName
  @Projected(\Houses.Person.lastName.localizedUppercase) var lastNameCaps
  @Projected(\Houses.Person.birthday.timeIntervalSince1970) var birthdayAsEpochtime
  @Projected(\Houses.Person.address?.city) var homeCity
  @Projected(\Houses.Person.friends.projectTo.firstName)
  var firstFriendsName: ProjectedCollection<String>
}

class NameProjection: Projection<Houses.Person> {
  @Projected(\Houses.Person.firstName) var name
}

final class RivalProjection: NameProjection {
  @Projected(\Houses.Person.rival?.firstName) var rivalName
  @Projected(\Houses.Person.rival) var rival
  @Projected(\Houses.Person.fullName) var fullName
  @Projected(\Houses.Person.houses.projectTo.name) var houses: ProjectedCollection<String>
}

final class AddressProjection: Projection<Houses.Address> {
  @Projected(\Houses.Address.city) var town
}

final class HouseProjection: Projection<Houses.House> {
  @Projected(\Houses.House.numbers.count) var length
  @Projected(\Houses.House.numbers) var renamed
  @Projected(\Houses.House.members.projectTo.ageAndName) var people: ProjectedCollection<String>
  @Projected(\Houses.House.digits.first) var firstDigit
  @Projected(\Houses.House.guests.projectTo.age) var ages: ProjectedCollection<Int>
}

final class ThriceProjection: Projection<Houses.Person> {
  @Projected(\Houses.Person.age) var age1
  @Projected(\Houses.Person.age) var age2
  @Projected(\Houses.Person.age) var age3
}

final class EverythingProjection: Projection<Houses.Everything> {
  @Projected(\Houses.Everything.bool) var bool
  @Projected(\Houses.Everything.int) var int
  @Projected(\Houses.Everything.int8) var int8
  @Projected(\Houses.Everything.int16) var int16
  @Projected(\Houses.Everything.int32) var int32
  @Projected(\Houses.Everything.int64) var int64
  @Projected(\Houses.Everything.float) var float
  @Projected(\Houses.Everything.double) var double
  @Projected(\Houses.Everything.string) var string
  @Projected(\Houses.Everything.data) var data
  @Projected(\Houses.Everything.date) var date
  @Projected(\Houses.Everything.decimal) var decimal
  @Projected(\Houses.Everything.objectId) var objectId
  @Projected(\Houses.Everything.uuid) var uuid
  @Projected(\Houses.Everything.rank) var rank
  @Projected(\Houses.Everything.any) var any
  @Projected(\Houses.Everything.person) var person
  @Projected(\Houses.Everything.optionalInt) var optionalInt
  @Projected(\Houses.Everything.optionalString) var optionalString
  @Projected(\Houses.Everything.optionalDate) var optionalDate
  @Projected(\Houses.Everything.optionalRank) var optionalRank
  @Projected(\Houses.Everything.ints) var ints
  @Projected(\Houses.Everything.optionalInts) var optionalInts
  @Projected(\Houses.Everything.strings) var strings
  @Projected(\Houses.Everything.scores) var scores
  @Projected(\Houses.Everything.people) var people
}
