import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var street = ""
    @Persisted var dogs: List<Dog>
  }
  class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
  }
  static let types: [ObjectBase.Type] = [Person.self, Dog.self]
}

private enum V1 {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var pets: List<Pet>
    @Persisted var address: Address?
    @Persisted var favorite: Pet?
  }
  class Pet: Object {
    enum Kind: Int, PersistableEnum {
      case unspecified, dog, chicken, cow
    }
    @Persisted var name = ""
    @Persisted var kind: Kind = .unspecified
    @Persisted(originProperty: "pets") var owners: LinkingObjects<Person>
  }
  class Address: EmbeddedObject {
    @Persisted var street: String?
    @Persisted var city: String?
    @Persisted(originProperty: "address") var residents: LinkingObjects<Person>
  }
  static let types: [ObjectBase.Type] = [Person.self, Pet.self, Address.self]
}

extension FourWays {
  /// The code with links, lists and embedded objects in Realm's documentation, unchanged.
  @Suite("Source forms of relationships") struct SourceFormsOfLinksTests {
    fileprivate typealias Person = V1.Person
    fileprivate typealias Pet = V1.Pet
    fileprivate typealias Address = V1.Address

    private let file: TestFile

    init() throws {
      file = try TestFile()
      try file.write(V0.types) { realm in
        let rex = V0.Dog(value: ["Rex", 3])
        let ada = V0.Person(value: [
          "name": "Ada", "street": "Broadway", "dogs": [rex, ["Max", 5]],
        ])
        realm.add([ada, V0.Person(value: ["Bob", "Wall Street"])])
      }
    }

    @Test(arguments: Way.allCases)
    func `A loop appends what create returns, and assigns an address`(way: Way) async throws {
      try await way.migrate(file, V1.types, to: 1) { migration, oldSchemaVersion in
        if oldSchemaVersion < 1 {
          migration.enumerateObjects(ofType: Person.className()) { oldObject, newObject in
            let pets = newObject!["pets"] as! List<MigrationObject>
            for dog in oldObject!["dogs"] as! List<DynamicObject> {
              let pet = migration.create(
                Pet.className(), value: [dog["name"], Pet.Kind.dog.rawValue])
              pets.append(pet)
            }
            newObject!["address"] = Address(value: [oldObject!["street"], "New York"])
            newObject!["favorite"] = pets.first
          }
        }
      }
      try file.open(V1.types, version: 1) { realm in
        let people = realm.objects(Person.self).sorted(byKeyPath: "name")
        expectEqual(people[0].pets.map(\.name), ["Rex", "Max"])
        expectEqual(people[0].pets.map(\.kind), [.dog, .dog])
        expectTrue(people[0].favorite?.name == "Rex" && people[1].favorite == nil)
        expectEqual(people.map(\.address?.street), ["Broadway", "Wall Street"])
        expectEqual(people[1].address?.city, "New York")
        expectEqual(people[1].address?.residents.first?.name, "Bob")
        expectEqual(people[0].pets[0].owners.first, people[0])
      }
    }

    @Test func `A loop with 'where' looks up the new object by one of its values`() throws {
      try file.migrate(V1.types, to: 1) { migration, _ in
        migration.enumerateObjects(ofType: Person.className()) { oldObject, newObject in
          for dog in oldObject!["dogs"] as! List<DynamicObject> where dog["age"] as! Int > 3 {
            let pets = newObject!["pets"] as! List<MigrationObject>
            pets.append(migration.create(Pet.className(), value: ["name": dog["name"]!]))
          }
          newObject!["address"] = Address(value: ["Broadway", "New York"])
          let address = newObject!["address"] as! MigrationObject
          address["city"] = nil
        }
      }
      try expectEqual(file.shown("Person", "pets"), ["[Max]", "[]"])
      try expectEqual(file.values("Address", "street"), ["Broadway", "Broadway"])
      try expectEqual(file.values("Address", "city"), ["nil", "nil"])
    }

    @Test func `The old objects of a removed class are read one by one, and then deleted`() throws {
      try file.migrate(V1.types, to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Dog") { oldObject, newObject in
          expectNil(newObject)
          migration.create("Pet", value: ["name": oldObject!["name"], "kind": Pet.Kind.dog])
        }
        migration.deleteData(forType: "Dog")
        migration.enumerateObjects(ofType: Person.className()) { oldObject, _ in
          expectTrue(
            oldObject!.name as? String == "Bob" || oldObject!.dynamicList("dogs").count == 2)
        }
      }
      try expectEqual(file.values("Pet", "name"), ["Rex", "Max"])
      try expectNil(file.storedSchema()["Dog"])
    }

    @Test func `Links and lists are renamed`() throws {
      enum Renamed {
        class Person: Object {
          @Persisted var name = ""
          @Persisted var street = ""
          @Persisted var animals: List<V0.Dog>
        }
      }
      try file.migrate([Renamed.Person.self, V0.Dog.self], to: 1) { migration, oldSchemaVersion in
        if oldSchemaVersion < 1 {
          migration.renameProperty(onType: Person.className(), from: "dogs", to: "animals")
        }
      }
      try expectEqual(file.shown("Person", "animals"), ["[Rex, Max]", "[]"])
    }
  }
}
