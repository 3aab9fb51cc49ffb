import Strata

/// One owner, and dogs.
enum Kennel {
  final class Owner: Object {
    @Persisted var dogs: List<Dog>
  }

  final class Dog: Object {
    @Persisted var name = ""
  }

  static let types: [ObjectBase.Type] = [Owner.self, Dog.self]

  /// The maximum number of dogs to append.
  static let maxStrays = 100_000

  /// Dogs that are in no list.
  static var strays: BaseFile {
    BaseFile("strays", types) { realm, rows in
      realm.add(Owner())
      realm.add((0..<min(rows, maxStrays)).lazy.map(dog))
    }
  }

  /// Dogs that are all in the list of the owner.
  static var full: BaseFile {
    BaseFile("kennel", types) { realm, rows in
      let owner = Owner()
      realm.add(owner)
      owner.dogs.append(objectsIn: (0..<rows).lazy.map(dog))
    }
  }

  private static func dog(_ index: Int) -> Dog {
    let dog = Dog()
    dog.name = "Dog \(index)"
    return dog
  }
}

/// People with an address each, which is an object of its own.
enum Residents {
  final class Person: Object {
    @Persisted var name = ""
    @Persisted var address: Address?
  }

  final class Address: Object {
    @Persisted var street = ""
    @Persisted var city = ""
  }

  static var base: BaseFile {
    BaseFile("residents", [Person.self, Address.self]) { realm, rows in
      for index in 0..<rows {
        let address = Address()
        address.street = "Street \(index)"
        address.city = "City \(index % 1_000)"
        let person = Person()
        person.name = "Name \(index)"
        person.address = address
        realm.add(person)
      }
    }
  }

  /// The address as a part of the person.
  enum Embedded {
    final class Person: Object {
      @Persisted var name = ""
      @Persisted var address: Address?
    }

    final class Address: EmbeddedObject {
      @Persisted var street = ""
      @Persisted var city = ""
    }
  }
}
