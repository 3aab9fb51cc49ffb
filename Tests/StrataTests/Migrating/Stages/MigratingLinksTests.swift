import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Links and collections in migrations")
struct MigratingLinksTests {
  let folder: TestFolder

  enum Old {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var dog: Dog?
      @Persisted var dogs: List<Dog>
      @Persisted var friends: MutableSet<Person>
      @Persisted var named: Map<String, Dog?>
      @Persisted var numbers: List<Int>
      @Persisted var words: MutableSet<String?>
      @Persisted var note: AnyRealmValue
      @Persisted var home: Address?
    }
    class Dog: Object {
      @Persisted var name = ""
      @Persisted var age = 0
    }
    class Address: Object {
      @Persisted var city = ""
    }
    static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self]
  }

  enum New {
    class Person: Object {
      @Persisted var name = ""
      @Persisted var dog: Dog?
      @Persisted var dogs: List<Dog>
      @Persisted var friends: MutableSet<Person>
      @Persisted var named: Map<String, Dog?>
      @Persisted var numbers: List<Int>
      @Persisted var words: MutableSet<String?>
      @Persisted var note: AnyRealmValue
      @Persisted var home: Address?
      @Persisted var pets: List<Pet>
      @Persisted var count = 0
    }
    class Dog: Object {
      @Persisted var name = ""
      @Persisted var age = 0
      @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
    }
    class Pet: Object {
      @Persisted var name = ""
      @Persisted var kind = "dog"
      @Persisted var friend: Pet?
    }
    class Address: EmbeddedObject {
      @Persisted var city = ""
    }
    static let types: [ObjectBase.Type] = [Person.self, Dog.self, Pet.self, Address.self]
  }

  init() throws {
    folder = try TestFolder()
    try folder.write(Old.types) { realm in
      let rex = Old.Dog(value: ["name": "Rex", "age": 3])
      let max = Old.Dog(value: ["name": "Max", "age": 5])
      let bob = Old.Person(value: ["name": "Bob", "home": ["city": "Paris"]])
      let ada = Old.Person(
        value: [
          "name": "Ada", "dog": rex, "dogs": [rex, max], "friends": [bob],
          "named": ["a": rex, "b": nil], "numbers": [3, 1, 2], "words": ["x", nil],
          "home": ["city": "London"],
        ] as [String: Any])
      ada.note = .object(max)
      realm.add(ada)
    }
  }

  @Test func `Both sides show links and collections of their own side`() throws {
    try folder.open(New.types, version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        guard let old, let new, old["name"] as? String == "Ada" else { return }
        for side in [old, new] {
          expectEqual((side["dog"] as? MigrationObject)?["name"] as? String, "Rex")
          let dogs = side["dogs"] as! List<MigrationObject>
          expectEqual(dogs.map { $0["age"] as? Int }, [3, 5])
          expectEqual(dogs[0], side["dog"] as? MigrationObject)
          let friends = side["friends"] as! MutableSet<DynamicObject>
          expectEqual(friends.first?["name"] as? String, "Bob")
          let named = side["named"] as! Map<String, DynamicObject?>
          expectEqual(named["a"]??["name"] as? String, "Rex")
          expectEqual(named["b"], .some(nil))
          expectEqual(Array(side["numbers"] as! List<Int>), [3, 1, 2])
          expectTrue((side["words"] as! MutableSet<String?>).contains(nil))
          expectEqual((side["note"] as? MigrationObject)?["name"] as? String, "Max")
          expectEqual((side["home"] as? MigrationObject)?["city"] as? String, "London")
        }
        expectTrue(old["dog"] as? MigrationObject != new["dog"] as? MigrationObject)
      }
      migration.enumerateObjects(ofType: "Dog") { _, dog in
        let owners = dog!["owners"] as! [MigrationObject]
        expectEqual(owners.map { $0["name"] as? String }, ["Ada"])
      }
    } _: { realm in
      let ada = realm.objects(New.Person.self).first { $0.name == "Ada" }
      expectEqual(ada?.dogs.map(\.name), ["Rex", "Max"])
      expectEqual(ada?.home?.city, "London")
      expectEqual(ada?.note.object(New.Dog.self)?.name, "Max")
    }
    try expectTrue(folder.isSound())
  }

  @Test func `Links and collections are written, and create makes nested objects`() throws {
    try folder.open(New.types, version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        guard let old, let new, old["name"] as? String == "Ada" else { return }
        let pets = new["pets"] as! List<MigrationObject>
        for dog in old["dogs"] as! List<MigrationObject> {
          pets.append(migration.create("Pet", value: [dog["name"]!, "dog"]))
        }
        pets.append(
          migration.create(
            "Pet", value: ["name": "Tom", "friend": ["name": "Jerry", "kind": "mouse"]]))
        pets.move(from: 2, to: 0)
        new["numbers"] = [7, 8]
        (new["words"] as! MutableSet<String?>).insert("y")
        new["dog"] = nil
        new["note"] = "text"
        (new["named"] as! Map<String, MigrationObject?>)["c"] = .some(nil)
        new["dogs"] = [(new["dogs"] as! List<MigrationObject>)[1]]
        migration.delete(new["home"] as! MigrationObject)
        new["home"] = ["city": "Bath"]
        new["count"] = pets.count
      }
    } _: { realm in
      let ada = try #require(realm.objects(New.Person.self).first { $0.name == "Ada" })
      expectEqual(ada.pets.map(\.name), ["Tom", "Rex", "Max"])
      expectEqual(ada.pets[0].friend?.kind, "mouse")
      expectEqual(Array(ada.numbers), [7, 8])
      expectTrue(ada.words.contains("y") && ada.words.count == 3)
      expectTrue(ada.dog == nil && ada.note == .string("text"))
      expectEqual(ada.named.keys, ["a", "b", "c"])
      expectEqual(ada.dogs.map(\.name), ["Max"])
      expectEqual(ada.count, 3)
      expectEqual(realm.objects(New.Pet.self).count, 4)
    }
    try expectTrue(folder.isSound())
  }

  @Test func `Removing a class that others link to makes the links nil`() throws {
    enum Without {
      class Person: Object { @Persisted var name = "" }
    }
    try folder.open([Without.Person.self], version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Dog") { old, new in
        expectTrue(old!["name"] != nil && new == nil)
      }
      expectTrue(migration.deleteData(forType: "Dog"))
    } _: { realm in
      expectEqual(realm.objects(Without.Person.self).count, 2)
    }
    try expectTrue(folder.isSound())
    try expectEqual(folder.sql { try $0.tableExists("Dog") }, false)
  }

  @Test func `An embedded object can't get a second parent in a block`() throws {
    try folder.open(New.types, version: 1) { _ in }
    let blocks: [@Sendable (MigrationObject) -> Void] = [
      { $0["past"] = [$0["home"]] },
      { ($0["past"] as! List<MigrationObject>).append($0["home"] as! MigrationObject) },
    ]
    enum Newer {
      class Person: Object {
        @Persisted var name = ""
        @Persisted var home: Address?
        @Persisted var past: List<Address>
      }
      class Address: EmbeddedObject { @Persisted var city = "" }
    }
    for block in blocks {
      let error = try folder.expectUntouched(
        [Newer.Person.self, Newer.Address.self], version: 2
      ) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { _, new in block(new!) }
      }
      expectEqual(error?.message, "Cannot set a link to an existing managed embedded object.")
    }
    try folder.open([Newer.Person.self, Newer.Address.self], version: 2) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { _, new in new!["home"] = new!["home"] }
    } _: { realm in
      expectEqual(realm.objects(Newer.Person.self).first { $0.name == "Ada" }?.home?.city, "London")
    }
  }

  @Test
  func `create copies objects in memory each time, and assigning adds them to the file`() throws {
    try folder.open(New.types, version: 1) { migration, _ in
      let jerry = New.Pet(value: ["name": "Jerry"])
      let first = migration.create("Pet", value: ["name": "Tom", "friend": jerry])
      let second = migration.create("Pet", value: ["name": "Butch", "friend": jerry])
      expectTrue(first["friend"] as? MigrationObject != second["friend"] as? MigrationObject)
      first["friend"] = jerry
      second["friend"] = jerry
      expectEqual(first["friend"] as? MigrationObject, second["friend"] as? MigrationObject)
    } _: { realm in
      expectEqual(realm.objects(New.Pet.self).filter { $0.name == "Jerry" }.count, 3)
    }
  }
}
