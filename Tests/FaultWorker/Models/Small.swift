import Strata

/// Changes of `Before` that need no block.
enum Small {
  class Person: Object {
    @Persisted var firstName = ""
    @Persisted var points = ""
    @Persisted var nickname = "none"
    @Persisted(indexed: true) var town: String?
    @Persisted var added = 7
    @Persisted var dogs: List<Dog>
    @Persisted var best: Dog?
  }

  class Dog: Object {
    @Persisted var name = ""
    @Persisted var rank = 0
  }

  static let types: [ObjectBase.Type] = [Person.self, Dog.self]

  class Toy: Object {
    @Persisted var dog: Before.Dog?
    @Persisted var names: List<String>
  }

  static let extra: [ObjectBase.Type] = [Toy.self]
}
