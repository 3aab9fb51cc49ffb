import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Person: Object {
    @Persisted(primaryKey: true) var name = ""
    @Persisted var dog: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var friends: MutableSet<Person>
    @Persisted var named: Map<String, Dog?>
    @Persisted var home: Home?
    @Persisted var past: List<Home>
    @Persisted var numbers = List<Int>()
    @Persisted(originProperty: "friends") var befriended: LinkingObjects<Person>
  }
  class Dog: Object {
    @Persisted var name = ""
    @Persisted var toy: Toy? = Toy(value: ["ball"])
  }
  class Toy: Object {
    @Persisted var name = ""
  }
  class Home: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var geo: Geo?
  }
  class Geo: EmbeddedObject {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [
    Person.self, Dog.self, Toy.self, Home.self, Geo.self,
  ]
}

/// `Migration.create` and assignments, with objects nested in values.
@Suite("Objects in objects in a migration") struct CreatingGraphsTests {
  private func migrate(
    _ body: @escaping @Sendable (Migration, MigrationObject) throws -> Void
  ) throws -> TestFile {
    let file = try TestFile()
    try file.write(V0.types) { realm in
      realm.create(V0.Person.self, value: ["Ada", ["Rex"], [["Max"]]] as [Any])
    }
    try file.migrate(V0.types, to: 1) { migration, _ in
      try migration.enumerateObjects(ofType: "Person") { _, new in
        try body(migration, try #require(new))
      }
    }
    return file
  }

  private func names(_ file: TestFile, _ className: String) throws -> [String] {
    try file.values(className, "name")
  }

  @Test func `Dictionaries and arrays make the objects that they stand for`() throws {
    let file = try migrate { migration, ada in
      let value: [String: Any] = [
        "name": "Bob", "dog": ["name": "Bello", "toy": ["stick"]], "dogs": [["A"], ["name": "B"]],
        "friends": [ada, ["name": "Cy"]], "named": ["x": ["C"], "y": nil],
        "home": ["name": "Oslo", "geo": ["north"]], "past": [["Bergen"]], "numbers": [2, 1],
      ]
      let bob = migration.create("Person", value: value)
      expectEqual(shown(bob["dogs"]), "[A, B]")
      expectEqual(shown(bob["friends"]), "[Ada, Cy]")
      expectEqual(shown(ada["befriended"]), "[Bob]")
    }
    try file.open(V0.types, version: 1) { realm in
      let bob = try #require(realm.object(ofType: V0.Person.self, forPrimaryKey: "Bob"))
      expectTrue(bob.dog?.name == "Bello" && bob.dog?.toy?.name == "stick")
      expectEqual(bob.dogs.map(\.name), ["A", "B"])
      expectEqual(bob.dogs.map(\.toy?.name), ["ball", "ball"])
      expectEqual(shown(bob.named), "[x: C, y: nil]")
      expectTrue(bob.home?.name == "Oslo" && bob.home?.geo?.name == "north")
      expectEqual(bob.past.map(\.name), ["Bergen"])
      expectEqual(Array(bob.numbers), [2, 1])
      expectEqual(shown(bob.friends), "[Ada, Cy]")
    }
  }

  @Test func `A default that is an object is made with the object`() throws {
    let file = try migrate { migration, _ in
      let dog = migration.create("Dog", value: ["D"])
      expectEqual(shown(dog["toy"]), "ball")
      let without = migration.create("Dog", value: ["name": "E", "toy": nil] as [String: Any?])
      expectNil(without["toy"])
    }
    try expectEqual(names(file, "Toy"), ["ball", "ball", "ball"])
    try expectEqual(file.shown("Dog", "toy"), ["ball", "ball", "ball", "nil"])
  }

  @Test func `An object in memory that is assigned twice is one object`() throws {
    let file = try migrate { _, ada in
      let dog = V0.Dog(value: ["name": "Bello", "toy": nil] as [String: Any?])
      ada["dog"] = dog
      ada["dogs"] = [dog, dog]
      ada.dynamicList("dogs").append(ada["dog"] as! MigrationObject)
      ada["named"] = ["a": dog]
      expectEqual(ada.dynamicList("dogs")[0], ada["dog"] as? MigrationObject)
    }
    try expectEqual(names(file, "Dog"), ["Rex", "Max", "Bello"])
    try expectEqual(file.shown("Person", "dogs"), ["[Bello, Bello, Bello]"])
    try expectEqual(file.shown("Person", "named"), ["[a: Bello]"])
  }

  @Test func `An object in memory is copied by each create`() throws {
    let file = try migrate { migration, _ in
      let toy = V0.Toy(value: ["rope"])
      let dogs = ["A", "B"].map { migration.create("Dog", value: ["name": $0, "toy": toy]) }
      expectTrue(dogs[0]["toy"] as? MigrationObject != dogs[1]["toy"] as? MigrationObject)
      for dog in dogs { dog["toy"] = toy }
      expectEqual(dogs[0]["toy"] as? MigrationObject, dogs[1]["toy"] as? MigrationObject)
    }
    try expectEqual(names(file, "Toy").filter { $0 == "rope" }.count, 3)
  }

  @Test func `A list is replaced, and emptied by nil and by an empty array`() throws {
    let file = try migrate { migration, ada in
      ada["dogs"] = [migration.create("Dog", value: ["X"]), V0.Dog(value: ["Y"])] as [Any]
      expectEqual(shown(ada["dogs"]), "[X, Y]")
      ada["dogs"] = [ada.dynamicList("dogs")[1]]
      expectEqual(shown(ada["dogs"]), "[Y]")
      let list = ada["dogs"] as! List<MigrationObject>
      ada["dogs"] = nil
      expectTrue(list.isEmpty)
      ada["numbers"] = [1, 2]
      ada["numbers"] = [] as [Int]
      ada["friends"] = [ada]
      ada.friends = nil
      ada["named"] = ["a": ["Z"]]
      ada.setValue(nil, forKey: "named")
    }
    for property in ["dogs", "numbers", "friends", "named"] {
      try expectEqual(file.shown("Person", property), ["[]"], "\(property)")
    }
    try expectEqual(names(file, "Dog").sorted(), ["Max", "Rex", "X", "Y", "Z"])
  }

  @Test func `Embedded objects are made by assigning, and the one before is deleted`() throws {
    let file = try migrate { migration, ada in
      ada["home"] = ["Rome"]
      migration.delete(ada["home"] as! MigrationObject)
      ada["home"] = V0.Home(value: ["Oslo", ["north"]] as [Any])
      expectEqual(shown(ada["home"]), "Oslo")
      ada["home"] = ada["home"]
      expectEqual(shown((ada["home"] as? MigrationObject)?["geo"]), "north")
      ada["home"] = ["name": "Bergen", "geo": ["west"]]
      ada["past"] = [V0.Home(value: ["Rome"]), ["Paris"]] as [Any]
      let past = ada["past"] as! List<MigrationObject>
      past.remove(at: 0)
      past[0]["geo"] = V0.Geo(value: ["south"])
    }
    try expectEqual(names(file, "Home").sorted(), ["Bergen", "Paris"])
    try expectEqual(names(file, "Geo").sorted(), ["south", "west"])
    try file.open(V0.types, version: 1) { realm in
      let ada = try #require(realm.object(ofType: V0.Person.self, forPrimaryKey: "Ada"))
      expectEqual(ada.home?.geo?.name, "west")
      expectEqual(ada.past.map(\.geo?.name), ["south"])
    }
  }

  @Test func `An embedded object can't get a second parent`() throws {
    let file = try TestFile()
    try file.write(V0.types) { $0.create(V0.Person.self, value: ["home": ["Oslo"]]) }
    let assignments: [@Sendable (MigrationObject) -> Void] = [
      { $0["past"] = [$0["home"]] },
      { $0.dynamicList("past").append($0["home"] as! MigrationObject) },
    ]
    for assign in assignments {
      let error = try file.failure(V0.types, to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { _, new in assign(new!) }
      }
      expectEqual(error.message, "Cannot set a link to an existing managed embedded object.")
      try expectEqual(file.values("Home", "name"), ["Oslo"])
    }
  }

  @Test func `Embedded objects can't be created without a parent`() throws {
    let file = try TestFile()
    try file.migrate(V0.types, to: 0)
    let error = try file.failure(V0.types, to: 1) { migration, _ in
      migration.create("Home", value: ["Oslo"])
    }
    expectTrue(error.message.hasPrefix("Embedded objects cannot be created directly"))
  }

  @Test func `An object of the wrong class, or of the old side, is refused`() throws {
    let file = try TestFile()
    try file.write(V0.types) { realm in
      realm.create(V0.Person.self, value: ["Ada", ["Rex"], [["Max"]]] as [Any])
    }
    func message(
      _ body: @escaping @Sendable (Migration, MigrationObject, MigrationObject) -> Void
    ) throws -> String {
      try file.failure(V0.types, to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { body(migration, $0!, $1!) }
      }.message
    }
    let crossing =
      "Object is already managed by another Realm. Use create instead to copy it into this Realm."
    try expectEqual(message { $2["dog"] = $1["dog"] }, crossing)
    try expectEqual(message { $2["dogs"] = $1["dogs"] }, crossing)
    try expectEqual(
      message { $2.dynamicList("dogs").append($1["dog"] as! MigrationObject) }, crossing)
    try expectTrue(
      message { $2["dog"] = $0.create("Toy") }
        .contains("for '<Dog>?' property 'Person.dog'."))
    try expectTrue(
      message { $2["dogs"] = [$0.create("Toy")] }.contains("property 'Person.dogs'."))
    try expectTrue(message { $2["dogs"] = [nil as Any?] }.contains("property 'Person.dogs'."))
    try expectTrue(message { $2["numbers"] = ["x"] }.contains("property 'Person.numbers'."))
    try expectTrue(message { $2["numbers"] = 7 }.contains("property 'Person.numbers'."))
    for (name, value) in [("dogs", "[Max]"), ("dog", "Rex"), ("numbers", "[]")] {
      try expectEqual(file.shown("Person", name), [value])
    }
  }

  @Test func `create copies an object of the old side, and what it links to`() throws {
    let file = try TestFile()
    try file.write(V0.types) { realm in
      realm.create(
        V0.Person.self, value: ["name": "Ada", "dog": ["Rex"], "home": ["Oslo"], "numbers": [1]])
    }
    try file.migrate(V0.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Dog") { old, _ in
        migration.create("Dog", value: old!)
      }
    }
    try expectEqual(names(file, "Dog"), ["Rex", "Rex"])
  }
}
