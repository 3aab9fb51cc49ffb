import Foundation
import Strata

/// Models with a property of each kind that queries know.
enum Q {
  final class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var nick: String?
    @Persisted var age = 0
    @Persisted var size: Int?
    @Persisted var score = 0.0
    @Persisted var isDone = false
    @Persisted var born = Date(timeIntervalSince1970: 0)
    @Persisted var photo: Data?
    @Persisted var price: Decimal128
    @Persisted var any: AnyRealmValue
    @Persisted var kind = Kind.cat
    @Persisted var optionalKind: Kind?
    @Persisted var length: Distance
    @Persisted var detour: Distance?
    @Persisted var place: Place
    @Persisted var lastPlace: Place?
    @Persisted var address: Address?
    @Persisted var dog: Dog?
    @Persisted var company: Company?

    @Persisted var dogs: List<Dog>
    @Persisted var dogSet: MutableSet<Dog>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: List<Int>
    @Persisted var optionalScores: List<Int?>
    @Persisted var kinds: List<Kind>
    @Persisted var legs: List<Distance>
    @Persisted var places: List<Place>
    @Persisted var points: Map<String, Int>
    @Persisted var optionalPoints: Map<String, Int?>
    @Persisted var kindsByName: Map<String, Kind>
    @Persisted var dogsByName: Map<String, Dog?>

    var twice: Int { age * -2 }
    var sameAge: Int { age }
    var nickOrEmpty: String { nick ?? "" }
    var both: String { name + (nick ?? "") }
    var dogName: String? { dog?.name }
    var otherDogs: List<Dog> { List() }
    var plain = 3
  }

  final class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var weight: Double?
    @Persisted var isGood = false
    @Persisted var toys: List<Toy>
    @Persisted var points: Map<String, Int>
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }

  final class Toy: Object {
    @Persisted var price = 0
  }

  final class Company: Object {
    @Persisted var name = ""
    @Persisted var staff: List<Person>
    @Persisted var owner: Person?
  }

  final class Address: EmbeddedObject {
    @Persisted var city = ""
  }

  final class StoredPlace: EmbeddedObject {
    @Persisted var x = 0
    @Persisted var y: Int?
  }

  final class StoredPath: EmbeddedObject {
    @Persisted var points: List<Int>
  }

  enum Kind: String, PersistableEnum { case cat, dog }

  struct Distance: CustomPersistable, Hashable {
    var meters: Double
    init(meters: Double) { self.meters = meters }
    init(persistedValue: Double) { meters = persistedValue }
    var persistableValue: Double { meters }
  }

  struct Place: CustomPersistable, Hashable {
    var x: Int
    var y: Int?
    init(x: Int, y: Int? = nil) {
      self.x = x
      self.y = y
    }
    init(persistedValue: StoredPlace) {
      x = persistedValue.x
      y = persistedValue.y
    }
    var persistableValue: StoredPlace { StoredPlace(value: ["x": x, "y": y]) }
  }

  struct Path: CustomPersistable, Hashable {
    init() {}
    init(persistedValue: StoredPath) {}
    var persistableValue: StoredPath { StoredPath() }
  }

  final class Walk: Object {
    @Persisted var path: Path
  }

  static let types: [ObjectBase.Type] = [
    Person.self, Dog.self, Toy.self, Company.self, Address.self, StoredPlace.self, StoredPath.self,
    Walk.self,
  ]
}
