import Strata

/// The classes of files that are to be migrated.
enum Before {
  class Person: Object {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
    @Persisted var nickname: String?
    @Persisted var points = 0
    @Persisted var balance = 0.0
    @Persisted var note: AnyRealmValue
    @Persisted(indexed: true) var town = ""
    @Persisted var best: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var tags: MutableSet<String>
    @Persisted var marks: Map<String, Int>
    @Persisted var address: Address?
  }

  class Dog: Object {
    @Persisted var name = ""
  }

  class Address: Object {
    @Persisted var street = ""
  }

  /// Gets a primary key.
  class Account: Object {
    @Persisted var number = 0
    @Persisted var amount = 0
  }

  /// Is deleted with its data.
  class Draft: Object {
    @Persisted var text = ""
  }

  /// Gets another name, as do its indexes.
  class Town: Object {
    @Persisted(indexed: true) var name = ""
    @Persisted(indexed: true) var code = 0
  }

  static let types: [ObjectBase.Type] = [
    Person.self, Dog.self, Address.self, Account.self, Draft.self, Town.self,
  ]
}
