import Foundation
import Strata

/// Models with every kind of relationship.
enum Graph {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var favourite: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var friends: MutableSet<Person>
    @Persisted var named: Map<String, Dog?>
    @Persisted var home: Address?
    @Persisted var past: List<Address>
    @Persisted var places: Map<String, Address?>
    @Persisted var note: AnyRealmValue
    @Persisted var notes: List<AnyRealmValue>
    @Persisted var numbers: List<Int>
    @Persisted var words: List<String?>
    @Persisted var tags: MutableSet<String>
    @Persisted var marks: MutableSet<Int?>
    @Persisted var scores: Map<String, Double>
    @Persisted(originProperty: "walker") var walks: LinkingObjects<Dog>
  }

  class Dog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var walker: Person?
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }

  class Address: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var geo: Geo?
    @Persisted var landlord: Person?
    @Persisted(originProperty: "home") var residents: LinkingObjects<Person>
  }

  class Geo: EmbeddedObject {
    @Persisted var latitude = 0.0
    @Persisted var longitude = 0.0
  }

  static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Geo.self]
}
