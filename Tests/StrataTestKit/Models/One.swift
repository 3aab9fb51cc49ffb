package import Strata

/// A class with one property of the type that a test is about, and others that must stay as they
/// are.
package enum One<Value: Persistable> {
  package class Item: Object {
    @Persisted package var note = "note"
    @Persisted package var value: Value
    @Persisted package var others: List<Pets.Dog>
  }
}

/// Classes to link to.
package enum Pets {
  package class Dog: Object {
    @Persisted package var name = ""
  }
  package class Cat: Object {
    @Persisted package var name = ""
  }

  package static let types: [ObjectBase.Type] = [Dog.self, Cat.self]
}
