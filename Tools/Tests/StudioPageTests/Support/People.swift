import Foundation
import Strata

/// Classes with each type of property, and names that would do harm if they became elements.
enum People {
  final class Person: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted(indexed: true) var name = ""
    @Persisted var age = 0
    @Persisted(indexed: true) var city: String?
    @Persisted var email: String?
    @Persisted var active = false
    @Persisted var born = Date(timeIntervalSince1970: 0)
    @Persisted var height: Double?
    @Persisted var balance: Decimal128
    @Persisted var dog: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var address: Address?
    @Persisted var note: AnyRealmValue
    @Persisted var photo: Data?
    @Persisted var token: ObjectId
    @Persisted var bio = ""
  }

  final class Dog: Object {
    @Persisted(indexed: true) var name = ""
    @Persisted var age = 0
    @Persisted var weight: Double?
    @Persisted var bestFriend: Dog?
  }

  final class Visit: Object {
    @Persisted var person: Person?
    @Persisted var at = Date(timeIntervalSince1970: 0)
    @Persisted var reason: String?
    @Persisted var amount: Float = 0
    @Persisted var places: List<Address>
  }

  final class Address: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var city = ""
    @Persisted var zip: String?
  }

  final class Hostile: Object {
    @Persisted var quoted = ""
    @Persisted var prototype: String?
    @Persisted var constructor = 0
    @Persisted var script = ""

    override class func className() -> String { People.element }

    override class func propertiesMapping() -> [String: String] {
      ["quoted": "a\"b", "prototype": "__proto__", "script": "</script><script>alert(2)</script>"]
    }
  }

  static let types: [ObjectBase.Type] = [
    Person.self, Dog.self, Visit.self, Address.self, Hostile.self,
  ]

  /// HTML that would run in a page that doesn't escape texts.
  static let element = "<img src=x onerror=alert(1)>"

  static let biographies = [
    "", "Likes long walks.", "Collects stamps,\nand plays chess.\nBadly.",
    "مرحبا بالعالم، هذا نص من اليمين إلى اليسار", element,
    "A " + String(repeating: "very ", count: 80) + "long text.",
    "tab\there \u{202E}eevil\u{202C} mark", "'; DROP TABLE Person; --", "👩‍👩‍👧‍👦 family",
  ]
  static let firstNames = [
    "Mia", "Noah", "Emma", "Oskar", "Nora", "Jakob", "Ella", "Lukas", "Sofie", "William", "Ingrid",
    "Aksel", "Ada", "Bo", "Cleo", "Ängström", "Zoë", "José", "Łukasz", "Søren", "Yuki", "明", "Омар",
  ]
  static let lastNames = [
    "Hansen", "Müller", "Johansen", "Olsen", "Larsen", "Berg", "Silva", "Costa", "Novák",
    "Kowalski", "Öztürk", "O'Brien", "Dubois", "Rossi", "山田", "Иванов",
  ]
  static let cities = [
    "Oslo", "Lisbon", "Porto", "Bergen", "Kraków", "Zürich", "Tōkyō", "São Paulo", "Reykjavík",
    "القاهرة", "תל אביב",
  ]
  static let dogNames = [
    "Rex", "Bella", "Max", "Luna", "Rocky", "Milo", "Fido", "Laika", "Balto", "Bo",
  ]
}
