import Foundation
import Strata

// Models and a realm as users of RealmSwift write them.

enum Kind: String, PersistableEnum {
  case cat, dog
}

struct Distance: CustomPersistable, Hashable {
  typealias PersistedType = Double
  var meters: Double
  init(meters: Double) { self.meters = meters }
  init(persistedValue: Double) { meters = persistedValue }
  var persistableValue: Double { meters }
}

struct Position: CustomPersistable, Hashable {
  typealias PersistedType = PositionObject
  var x: Int
  var y: Int
  init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
  init(persistedValue: PositionObject) {
    x = persistedValue.x
    y = persistedValue.y
  }
  var persistableValue: PositionObject { PositionObject(value: ["x": x, "y": y]) }
}

class PositionObject: EmbeddedObject {
  @Persisted var x = 0
  @Persisted var y = 0
}

class Address: EmbeddedObject {
  @Persisted var city: String?
}

class Dog: Object {
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var weight: Double?
  @Persisted var isGood: Bool
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

class Person: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted var nick: String?
  @Persisted var age: Int
  @Persisted var height: Double?
  @Persisted var isDone: Bool
  @Persisted var born: Date
  @Persisted var photo: Data?
  @Persisted var price: Decimal128
  @Persisted var badge: UUID
  @Persisted var value: AnyRealmValue
  @Persisted var kind = Kind.cat
  @Persisted var otherKind: Kind?
  @Persisted var distance: Distance
  @Persisted var position: Position
  @Persisted var address: Address?
  @Persisted var dog: Dog?
  @Persisted var friend: Person?
  @Persisted var dogs: List<Dog>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: List<Int>
  @Persisted var kinds: List<Kind>
  @Persisted var points: Map<String, Int>
  @Persisted var dogsByName: Map<String, Dog?>

  var firstLetter: String { String(name.prefix(1)) }
}

/// A realm in memory with three people and two dogs.
struct SourceRealm {
  let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [
          Person.self, Dog.self, Address.self, PositionObject.self,
        ]))
    try realm.write {
      let rex = Dog(
        value: ["name": "Rex", "age": 5, "weight": 20.5, "isGood": true] as [String: Any])
      let fifi = Dog(value: ["name": "Fifi", "age": 2])
      let ada = Person(value: ["id": 1, "name": "Ada", "age": 36])
      ada.dog = rex
      ada.dogs.append(objectsIn: [rex, fifi])
      ada.tags.insert("math")
      ada.scores.append(objectsIn: [1, 2, 3])
      ada.kind = .dog
      ada.kinds.append(.dog)
      ada.points["chess"] = 2100
      ada.dogsByName["rex"] = rex
      ada.address = Address(value: ["city": "London"])
      ada.distance = Distance(meters: 12)
      ada.position = Position(x: 1, y: 2)
      ada.value = .string("Countess")
      ada.photo = Data([1, 2, 3])
      ada.born = Date(timeIntervalSince1970: 1000)
      ada.price = 2.5
      ada.height = 1.6
      let bob = Person(
        value: ["id": 2, "name": "Bob", "age": 3, "nick": "Bobby", "isDone": true] as [String: Any])
      bob.friend = ada
      bob.dogs.append(fifi)
      let art = Person(value: ["id": 3, "name": "Art", "age": 1])
      art.dog = fifi
      art.value = .fromDictionary(["sizes": .fromArray([10, 12])])
      realm.add([ada, bob, art])
    }
  }

  var people: Results<Person> { realm.objects(Person.self) }
}

/// The names of people, as one text.
func names<People: Sequence>(_ people: People) -> String where People.Element == Person {
  people.map { $0.name }.joined(separator: " ")
}
