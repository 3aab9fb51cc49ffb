import Strata

/// A class with one property of the type that a test is about, and others that must stay as they
/// are.
enum One<Value: Persistable> {
  class Item: Object {
    @Persisted var note = "note"
    @Persisted var value: Value
    @Persisted var others: List<Pets.Dog>
  }
}

/// Classes to link to.
enum Pets {
  class Dog: Object {
    @Persisted var name = ""
  }
  class Cat: Object {
    @Persisted var name = ""
  }

  static let types: [ObjectBase.Type] = [Dog.self, Cat.self]
}
