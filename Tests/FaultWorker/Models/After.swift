import Strata

/// The classes that files are migrated to: every kind of change that a class can make.
enum After {
  class Person: Object {
    @Persisted var fullName = ""
    @Persisted var yearsSinceBirth = 0
    @Persisted var nickname = "none"
    @Persisted var points = ""
    @Persisted var balance: Double?
    @Persisted var note: AnyRealmValue
    @Persisted var town = ""
    @Persisted(indexed: true) var email: String?
    @Persisted var size = Size(centimeters: 170)
    @Persisted var mood = Mood.calm
    @Persisted var friend: Person?
    @Persisted var pets: List<Pet>
    @Persisted var tags: MutableSet<String>
    @Persisted var marks: Map<String, Int?>
    @Persisted var petsByRole: Map<String, Pet?>
    @Persisted var address: Address?
  }

  class Pet: Object {
    @Persisted var name = ""
    @Persisted(originProperty: "pets") var owners: LinkingObjects<Person>
  }

  class Address: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var city = "Porto"
  }

  class Account: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var amount = 0
    @Persisted var isOpen = true
  }

  class City: Object {
    @Persisted(indexed: true) var name = ""
    @Persisted(indexed: true) var code = 0
  }

  enum Mood: String, PersistableEnum {
    case calm, merry
  }

  struct Size: CustomPersistable {
    var centimeters: Int
    init(centimeters: Int) { self.centimeters = centimeters }
    init(persistedValue: Int) { centimeters = persistedValue }
    var persistableValue: Int { centimeters }
  }

  static let types: [ObjectBase.Type] = [
    Person.self, Pet.self, Address.self, Account.self, City.self,
  ]
}
