package import Strata

/// Classes that are observed.
package enum Observed {
  package static let types: [ObjectBase.Type] = [Person.self, Dog.self, Collar.self]

  package final class Person: Object {
    @Persisted(primaryKey: true) package var id = 0
    @Persisted package var name = ""
    @Persisted(indexed: true) package var age = 0
    @Persisted package var dog: Dog?
    @Persisted package var dogs: List<Dog>
    @Persisted package var numbers: List<Int>
    @Persisted package var tags: MutableSet<String>
    @Persisted package var dogsByName: Map<String, Dog?>
    @Persisted package var scores: Map<String, Int>
    @Persisted package var any: AnyRealmValue
  }

  package final class Dog: Object {
    @Persisted package var name = ""
    @Persisted package var collar: Collar?
    @Persisted(originProperty: "dogs") package var owners: LinkingObjects<Person>
  }

  package final class Collar: EmbeddedObject {
    @Persisted package var color = ""
    @Persisted package var size = 0
  }

  package static func person(_ id: Int, _ name: String = "", age: Int = 0) -> Person {
    Person(value: ["id": id, "name": name, "age": age] as [String: Any])
  }
}
