import Foundation
import Strata

/// The classes of docs/querying.md.
enum Guide {
  class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var age = 0
    @Persisted(indexed: true) var city: String?
    @Persisted var email: String?
    @Persisted var dog: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var note: AnyRealmValue
  }

  class Dog: Object {
    @Persisted(indexed: true) var name = ""
    @Persisted var age = 0
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }

  static let types: [ObjectBase.Type] = [Person.self, Dog.self]

  static func fill(_ realm: Realm) {
    let dogs = [("Rex", 4), ("Bella", 2), ("Max", 7)].map { name, age in
      realm.create(Dog.self, value: ["name": name, "age": age] as [String: Any])
    }
    let people: [[String: Any]] = [
      [
        "id": 1, "name": "Ada", "age": 36, "city": "Lisbon", "email": "ada@example.org",
        "dog": dogs[0], "dogs": [dogs[0], dogs[1]], "tags": ["chess"], "scores": ["chess": 1700],
        "note": 5,
      ],
      [
        "id": 2, "name": "Bo", "age": 17, "city": "Lisbon", "dogs": [dogs[2]], "tags": ["go"],
        "note": "five",
      ],
      ["id": 3, "name": "Ängström", "age": 70, "email": "a@example.org", "note": 5.0],
      [
        "id": 4, "name": "Cleo", "age": 36, "city": "Oslo", "dog": dogs[1],
        "dogs": [dogs[0], dogs[2]], "tags": ["go", "chess"], "scores": ["chess": 1400, "go": 900],
      ],
    ]
    for person in people { realm.create(Person.self, value: person) }
  }
}
