import Strata
import StrataTestKit

/// The common models of the tests of conditions in migrations.
enum Conditions {
  enum V1: VersionedSchema {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted var email: String?
      @Persisted var dog: Dog?
      @Persisted var dogs: List<Dog>
      @Persisted var tags: MutableSet<String>
      @Persisted var scores: Map<String, Int>
      @Persisted var home: Address?
      @Persisted var value: AnyRealmValue
      @Persisted var size: Decimal128 = 0
    }
    class Dog: Object {
      @Persisted var name = ""
      @Persisted var age = 0
    }
    class Address: EmbeddedObject {
      @Persisted var city = ""
    }
    static let version = 0
    static let objectTypes: [ObjectBase.Type] = [Person.self, Dog.self, Address.self]
  }

  /// A column more: rows are changed where they are.
  enum V2: VersionedSchema {
    class Person: V1.Person {
      @Persisted var group = "adult"
    }
    typealias Dog = V1.Dog
    typealias Address = V1.Address
    static let version = 1
    static let objectTypes: [ObjectBase.Type] = [Person.self, Dog.self, Address.self]
  }

  /// A column has another type: the table is rebuilt.
  enum V3: VersionedSchema {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var age = "unknown"
      @Persisted var email: String?
      @Persisted var group = "adult"
    }
    static let version = 2
    static let objectTypes: [ObjectBase.Type] = [Person.self]
  }

  /// A file at version 0: Ada, Bob and Émile with two dogs.
  static func makeFile() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.write(V1.objectTypes) { realm in
      let rex = realm.create(V1.Dog.self, value: ["name": "Rex", "age": 2])
      let fido = realm.create(V1.Dog.self, value: ["name": "Fido", "age": 3])
      let ada = realm.create(
        V1.Person.self,
        value: ["name": "Ada", "age": 36, "email": "a@x", "size": "1.50" as Decimal128]
          as [String: Any])
      ada.home = V1.Address(value: ["city": "Bath"])
      ada.tags.insert("x")
      ada.scores["a"] = 1
      let bob = realm.create(V1.Person.self, value: ["name": "Bob", "age": 8])
      bob.dog = rex
      bob.dogs.append(objectsIn: [rex, fido])
      bob.value = .int(3)
      let émile = realm.create(
        V1.Person.self, value: ["name": "Émile", "age": 9, "email": "a@x"])
      émile.dog = fido
      émile.home = V1.Address(value: ["city": "Lyon"])
    }
    return folder
  }
}
