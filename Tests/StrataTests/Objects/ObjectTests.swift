import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Objects in no file")
struct ObjectTests {
  class Animal: Object {
    @Persisted var name = "nameless"
    @Persisted var born: Date?
  }

  final class Dog: Animal {
    @Persisted(indexed: true) var breed = ""
    @Persisted var tricks: Int8 = 3
    @Persisted var secret = ""
    var barks = 0
    lazy var loud = "LOUD"

    convenience init(name: String, breed: String) {
      self.init()
      self.name = name
      self.breed = breed
    }

    override static func primaryKey() -> String? { "name" }
    override static func indexedProperties() -> [String] { ["tricks"] }
    override static func ignoredProperties() -> [String] { ["secret"] }
    override static func propertiesMapping() -> [String: String] { ["breed": "dog_breed"] }
  }

  enum Nested {
    final class Deep: Object { @Persisted var x = 0 }
  }

  @Test func `The properties of a superclass come first, in the order of declaration`() {
    let schema = Dog().objectSchema
    expectEqual(schema.properties.map(\.name), ["name", "born", "breed", "tricks"])
    expectEqual(schema.properties.map(\.columnName), ["name", "born", "dog_breed", "tricks"])
    expectEqual(schema.primaryKeyProperty?.name, "name")
    expectTrue(schema["breed"]?.isIndexed == true && schema["tricks"]?.isIndexed == true)
    expectTrue(schema["born"]?.isOptional == true && schema["born"]?.type == .date)
    expectEqual(schema["tricks"]?.type, .int)
    expectTrue(Dog.className() == "Dog" && Nested.Deep.className() == "Deep")
  }

  @Test func `Objects are made from a dictionary, an array or another object`() {
    let fromDictionary = Dog(value: ["name": "Rex", "tricks": 5, "unknown": 1] as [String: Any])
    expectTrue(
      fromDictionary.name == "Rex" && fromDictionary.tricks == 5 && fromDictionary.breed == "")
    let fromArray = Dog(value: ["Rex", nil, "terrier"] as [Any?])
    expectTrue(fromArray.breed == "terrier" && fromArray.tricks == 3)
    let copy = Dog(value: fromDictionary)
    expectTrue(copy.name == "Rex" && copy.tricks == 5 && copy != fromDictionary)
    expectEqual(Animal(value: fromDictionary).name, "Rex")
    expectEqual(Dog(name: "Bo", breed: "pug").breed, "pug")
    expectNil(Dog(value: ["born": NSNull()]).born)
  }

  @Test func `Properties are read and written by name`() {
    let dog = Dog()
    dog["name"] = "Rex"
    dog["tricks"] = 9
    dog["born"] = Date(timeIntervalSince1970: 1)
    expectTrue(dog.name == "Rex" && dog.tricks == 9 && dog.born != nil)
    expectEqual(dog["tricks"] as? Int, 9)
    dog["born"] = nil
    expectTrue(dog["born"] as? Date == nil && dog.value(forKey: "name") as? String == "Rex")
    let all = V0.Everything()
    all["kind"] = "dog"
    all["level"] = V0.Level.high
    expectTrue(all.kind == .dog && all["level"] as? Int == 7)
  }

  @Test(
    arguments: [
      (
        ["tricks": 1_000] as [String: any Sendable],
        "Invalid value '1000' of type 'Int' for 'int' property 'Dog.tricks'."
      ),
      (["name": 1], "Invalid value '1' of type 'Int' for 'string' property 'Dog.name'."),
    ])
  func `A value that doesn't fit is reported, and its object can't be added`(
    _ value: [String: any Sendable], _ message: String
  ) throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([Dog.self]))
    var dog = Dog()
    expectIssue(message) { dog = Dog(value: value) }
    let error = #expect(throws: Realm.Error.self) { try realm.write { realm.add(dog) } }
    expectEqual(error?.message, message)
    expectIssue("Invalid property name 'nothing' for class 'Dog'.") { dog["nothing"] = 1 }
  }

  @Test func `Objects equal themselves only, and rows equal rows`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([Dog.self]))
    let rex = Dog(name: "Rex", breed: "pug")
    expectTrue(rex != Dog(name: "Rex", breed: "pug") && rex == rex && rex.realm == nil)
    try realm.write { realm.add(rex) }
    let same = try #require(realm.objects(Dog.self).first)
    expectTrue(rex == same && rex.isSameObject(as: same) && rex.hashValue == same.hashValue)
    expectTrue(rex.realm == realm && !rex.isInvalidated)
    expectEqual(Set([rex, same]).count, 1)
  }

  @Test func `Objects have an identity for views, which the realm knows`() throws {
    final class Row: Object, ObjectKeyIdentifiable { @Persisted var name = "" }
    func identify<Value: Identifiable>(_ value: Value) -> Value.ID { value.id }
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([Row.self]))
    let (first, second) = (Row(), Row())
    expectTrue(first.id == first.id && first.id != second.id)
    try realm.write { realm.add([first, second]) }
    expectEqual(realm.objects(Row.self).map { identify($0) }, [first.id, second.id])
    expectTrue(first.id != second.id)
  }

  @Test func `Objects describe themselves as in RealmSwift`() {
    expectEqual(
      Dog(name: "Rex", breed: "pug").description,
      "Dog {\n\tname = Rex;\n\tborn = (null);\n\tbreed = pug;\n\ttricks = 3;\n}")
  }

  @Test func `Defaults don't get in the way of what is read from a file`() throws {
    final class Counted: Object {
      nonisolated(unsafe) static var evaluations = 0
      @Persisted(primaryKey: true) var id = Counted.next()
      @Persisted(indexed: true) var indexed = Counted.next()
      @Persisted var stamp = Counted.next()
      static func next() -> Int {
        evaluations += 1
        return evaluations
      }
    }
    let folder = try TestFolder()
    try folder.open([Counted.self]) { realm in
      try realm.write { for _ in 0..<10 { realm.create(Counted.self) } }
      let before = Counted.evaluations
      expectEqual(Set(realm.objects(Counted.self).map(\.stamp)).count, 10)
      // Defaults of keys and of indexed properties are not evaluated.
      expectEqual(Counted.evaluations, before + 10)
      expectTrue(realm.objects(Counted.self).allSatisfy { $0.stamp <= before && $0.id <= before })
    }
  }
}
