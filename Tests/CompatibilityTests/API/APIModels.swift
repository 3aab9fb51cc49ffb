import Strata

/// The classes of the uses in this folder, in a file of their own so that they are named like
/// programs name theirs.
enum APIModels {
  enum Kind: String, PersistableEnum {
    case new, old
  }

  enum OldKind: Int, RealmEnum {
    case one = 1
  }

  struct Meters: CustomPersistable {
    typealias PersistedType = Double
    var persistableValue: Double
    init(persistedValue: Double) { persistableValue = persistedValue }
  }

  struct Port: FailableCustomPersistable {
    typealias PersistedType = Int
    var persistableValue: Int
    init?(persistedValue: Int) {
      guard persistedValue >= 0 else { return nil }
      persistableValue = persistedValue
    }
  }

  class Dog: Object {
    @Persisted var name = ""
    @Persisted var age: Int8
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
  }

  class Address: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var dogs: List<Dog>
  }

  class Person: Object, ObjectKeyIdentifiable {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var name = ""
    @Persisted var age: Int8
    @Persisted var wide: Int32?
    @Persisted var kind = Kind.new
    @Persisted var height: Meters
    @Persisted var dog: Dog?
    @Persisted var address: Address?
    @Persisted var dogs: List<Dog>
    @Persisted var numbers: List<Int>
    @Persisted var friends: MutableSet<Person>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var kennel: Map<String, Dog?>
    @Persisted var value: AnyRealmValue
  }

  class PersonCard: Projection<Person> {
    @Projected(\Person.name) var name
    @Projected(\Person.dogs.projectTo.name) var dogNames: ProjectedCollection<String>
  }
}
