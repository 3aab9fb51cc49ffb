import Strata
import StrataTestKit

enum ClubKind: Int16, PersistableEnum {
  case chess = 1
  case rowing
}

class ClubPerson: Object {
  @Persisted(primaryKey: true) var number: Int
  @Persisted var name = ""
  @Persisted var age: Int8
  @Persisted var shoe: Int32?
  @Persisted var debt: Decimal128
  @Persisted var friend: ClubPerson?
  @Persisted(originProperty: "members") var clubs: LinkingObjects<Club>
}

class Club: Object {
  @Persisted var name = ""
  @Persisted var kind = ClubKind.chess
  @Persisted var members: List<ClubPerson>
  @Persisted var guests: MutableSet<ClubPerson>
  @Persisted var officers: Map<String, ClubPerson?>
  @Persisted var scores: Map<String, Int>
  @Persisted var years: List<Int>
  @Persisted var patron: AnyRealmValue

  override class func _realmObjectName() -> String? { "Societies" }
}

extension TestFile {
  /// Opens a file with a club of three members, and runs a closure in it.
  func openClub<Result>(_ body: (Realm) throws -> Result) throws -> Result {
    try open([Club.self, ClubPerson.self]) { realm in
      try realm.write {
        let ada = realm.create(ClubPerson.self, value: ["number": 1, "name": "Ada", "age": 36])
        let bob = realm.create(
          ClubPerson.self, value: ["number": 2, "name": "Bob", "age": 20, "friend": ada])
        let eve = realm.create(ClubPerson.self, value: ["number": 3, "name": "Eve", "age": 20])
        bob.shoe = 42
        eve.debt = 2.5
        let club = realm.create(Club.self, value: ["name": "Knights", "members": [ada, bob, eve]])
        club.officers["chair"] = ada
        club.guests.insert(eve)
        club.patron = .object(ada)
        club.years.append(objectsIn: [1999, 2007])
      }
      return try body(realm)
    }
  }
}
