import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Animal: Object {
    @Persisted var name = "nameless"
    @Persisted var legs: Int?
    var calls = 0
    func call() -> String { "?" }
  }

  class Dog: Animal {
    @Persisted var tricks: List<String>
    @Persisted var owner: Person?
    @Persisted var secret = "hidden"
    override func call() -> String { "woof" }
    override class func ignoredProperties() -> [String] { ["secret"] }
  }

  class Puppy: Dog {
    @Persisted var weeks = 8
  }

  class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var friend: Person?
    @Persisted var home: Home?
    @Persisted var picture = Data()
    @Persisted var anything: AnyRealmValue
  }

  class Home: EmbeddedObject { @Persisted var city = "Oslo" }

  static let types: [ObjectBase.Type] = [
    Animal.self, Dog.self, Puppy.self, Person.self, Home.self,
  ]
}

/// Access by name, descriptions, comparison and inheritance of objects.
@Suite("Access to objects") struct ObjectAccessTests {
  private func inFile(_ body: (Realm) throws -> Void) throws {
    try TestFile().open(V0.types) { realm in try body(realm) }
  }

  @Test func `Properties are read and set by name, in memory and in a realm`() throws {
    func check(_ person: V0.Person) {
      person["name"] = "Ada"
      person["friend"] = V0.Person(value: [9, "Bob"] as [Any])
      person["home"] = ["city": "Rome"]
      person["anything"] = 3
      expectTrue(person["name"] as? String == "Ada" && person.name == "Ada")
      expectEqual((person["friend"] as? V0.Person)?.name, "Bob")
      expectTrue(person.home?.city == "Rome" && person.anything == .int(3))
      person["friend"] = nil
      expectTrue(person["friend"] == nil && person.friend == nil)
      person.setValue("Eva", forKey: "name")
      expectEqual(person.value(forKey: "name") as? String, "Eva")
    }
    check(V0.Person())
    try inFile { realm in
      try realm.write { check(realm.create(V0.Person.self, value: [1])) }
    }
  }

  @Test func `Collections by name are the collections`() throws {
    let dog = V0.Dog()
    dog["tricks"] = ["sit", "roll"]
    expectEqual((dog["tricks"] as? List<String>).map(Array.init), ["sit", "roll"])
    (dog["tricks"] as? List<String>)?.append("jump")
    expectEqual(dog.tricks.count, 3)
    dog["tricks"] = nil
    expectTrue(dog.tricks.isEmpty)
  }

  @Test func `An unknown name, or one that isn't persisted, is reported and reads as nil`() {
    let dog = V0.Dog()
    for name in ["nothing", "calls", "secret", ""] {
      expectIssue("Invalid property name '\(name)' for class 'Dog'.") { expectNil(dog[name]) }
    }
    expectIssue("Invalid property name 'nothing' for class 'Dog'.") { dog["nothing"] = 1 }
  }

  @Test func `The description has the properties of superclasses first, and levels within`() {
    let person = V0.Person(value: [1, "Ada", [2, "Bob"], ["Rome"], Data([1, 2])] as [Any])
    expectEqual(
      person.description,
      """
      Person {
      \tid = 1;
      \tname = Ada;
      \tfriend = Person {
      \t\tid = 2;
      \t\tname = Bob;
      \t\tfriend = (null);
      \t\thome = (null);
      \t\tpicture = <0 bytes>;
      \t\tanything = (null);
      \t};
      \thome = Home {
      \t\tcity = Rome;
      \t};
      \tpicture = <2 bytes>;
      \tanything = (null);
      }
      """)
    person.friend = person
    expectTrue(person.description.contains("friend = <Maximum depth exceeded>;"))
    expectEqual(person.description.components(separatedBy: "Person {").count, 6)
    expectTrue(V0.Puppy().description.hasPrefix("Puppy {\n\tname = nameless;\n\tlegs = (null);\n"))
  }

  private final class Robot: Object {
    @Persisted var parts: List<Robot>
    @Persisted var byName: Map<String, Robot?>

    override class func _realmObjectName() -> String { "Machine" }
  }

  @Test func `Descriptions have the name of the class in the program`() throws {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [Robot.self]))
    let robot = Robot()
    for _ in 0..<2 {
      expectTrue(robot.description.hasPrefix("Robot {\n\tparts = List<Robot> <0x"))
      expectTrue(robot.byName.description.hasPrefix("Map<string, Robot> <0x"))
      if robot.realm == nil { try realm.write { realm.add(robot) } }
    }
    expectTrue(realm.objects(Robot.self).description.hasPrefix("Results<Robot> ("))
    expectTrue(robot.objectSchema.className == "Machine" && Robot.className() == "Machine")
  }

  @Test func `A deleted object describes itself as invalid`() throws {
    try inFile { realm in
      let person = try realm.write { realm.create(V0.Person.self, value: [1]) }
      expectTrue(!person.isInvalidated && !V0.Person().isInvalidated)
      try realm.write { realm.delete(person) }
      expectTrue(person.isInvalidated && person.realm == nil)
      expectEqual(person.description, "[invalid object]")
    }
  }

  @Test func `Objects in memory equal themselves, and those of a realm equal their row`() throws {
    let (first, second) = (
      V0.Person(value: [1, "a"] as [Any]), V0.Person(value: [1, "a"] as [Any])
    )
    expectTrue(first != second && first == first && first.isSameObject(as: first))
    expectTrue(!first.isSameObject(as: second) && !first.isSameObject(as: nil))
    try inFile { realm in
      try realm.write { realm.add(first) }
      let read = try #require(realm.object(ofType: V0.Person.self, forPrimaryKey: 1))
      expectTrue(read == first && read !== first && read.isSameObject(as: first))
      expectTrue(read.hashValue == first.hashValue && Set([read, first]).count == 1)
      expectTrue(read != second)
    }
  }

  @Test func `Objects of different classes and files are never equal`() throws {
    try inFile { realm in
      try inFile { other in
        let dog = try realm.write { realm.create(V0.Dog.self) }
        let person = try realm.write { realm.create(V0.Person.self, value: [1]) }
        let foreign = try other.write { other.create(V0.Dog.self) }
        expectTrue((dog as ObjectBase) != (person as ObjectBase) && dog != foreign)
      }
    }
  }

  @Test func `Subclasses have the members of their superclass, in tables of their own`() throws {
    try inFile { realm in
      try realm.write {
        realm.create(V0.Animal.self, value: ["name": "A"])
        realm.create(V0.Dog.self, value: ["name": "D", "tricks": ["sit"]] as [String: Any])
        realm.create(V0.Puppy.self, value: ["name": "P", "weeks": 3] as [String: Any])
      }
      expectEqual(realm.objects(V0.Animal.self).map(\.name), ["A"])
      expectEqual(realm.objects(V0.Dog.self).map(\.name), ["D"])
      let puppy = try #require(realm.objects(V0.Puppy.self).first)
      expectTrue(puppy.name == "P" && puppy.weeks == 3 && puppy.call() == "woof")
      expectEqual(puppy.objectSchema.names, ["name", "legs", "tricks", "owner", "weeks"])
    }
  }

  @Test func `Plain and ignored properties are not kept, and each instance has its own`() throws {
    try inFile { realm in
      let dog = V0.Dog(value: ["name": "Rex"])
      dog.secret = "told"
      dog.calls = 3
      try realm.write { realm.add(dog) }
      expectTrue(dog.secret == "told" && dog.calls == 3)
      let read = try #require(realm.objects(V0.Dog.self).first)
      expectTrue(read.secret == "hidden" && read.calls == 0 && read.name == "Rex")
      read.calls = 5
      expectTrue(read.calls == 5 && dog.calls == 3)
    }
  }

  @Test func `The primary key of an object in a realm stays`() throws {
    try inFile { realm in
      let person = V0.Person(value: [1])
      person.id = 2
      try realm.write { realm.add(person) }
      expectError("Primary key can't be changed after an object is inserted. ('Person.id')") {
        try realm.write { person.id = 3 }
      }
      expectEqual(person.id, 2)
    }
  }

  @Test func `A class has a name, a schema, and a realm only when it is in one`() throws {
    expectEqual(V0.Animal(value: V0.Puppy(value: ["name": "Rex"])).name, "Rex")
    expectTrue(V0.Puppy.className() == "Puppy" && V0.Puppy().objectSchema.className == "Puppy")
    expectNil(V0.Puppy().realm)
    try inFile { realm in
      let puppy = try realm.write { realm.create(V0.Puppy.self) }
      expectTrue(puppy.realm == realm && puppy.realm?.configuration.fileURL != nil)
    }
  }
}
