import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Kind: String, PersistableEnum { case dog, cat }

private enum V0 {
  class Person: Object {
    @Persisted var name = "none"
    @Persisted var age = 1
    @Persisted var email: String? = "default"
    @Persisted var height: Double = 1.5
    @Persisted var weight: Float = 60
    @Persisted var level: Int16 = 3
    @Persisted var born: Date?
    @Persisted var kind = Kind.dog
    @Persisted var friend: Person?
    @Persisted var friends: List<Person>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var address: Address?
    var plain = "plain"
  }

  class Address: EmbeddedObject {
    @Persisted var city = "none"
    @Persisted var zip: Int?
  }

  class Flag: Object {
    @Persisted var isSet = true
  }

  /// Has some of the same properties.
  class Short: Object {
    @Persisted var name = ""
    @Persisted var age = 0
  }

  static let types: [ObjectBase.Type] = [Person.self, Address.self, Short.self]
}

/// `Person(value: …)`: what a value may be, and what becomes of it.
@Suite("Objects of values") struct ObjectValuesTests {
  private typealias Person = V0.Person

  private func expectIssue(_ text: String, _ value: Any) {
    TestKit.expectIssue(text) { _ = Person(value: value) }
  }

  @Test func `A dictionary sets what it names, and the rest keeps its defaults`() {
    let person = Person(value: ["name": "Ada", "age": 36] as [String: Any])
    expectTrue(person.name == "Ada" && person.age == 36)
    expectTrue(person.email == "default" && person.height == 1.5 && person.kind == .dog)
    expectEqual(Person(value: [String: Any]()).name, "none")
  }

  @Test func `Keys that name no persisted property are ignored`() {
    let person = Person(value: ["name": "Ada", "nothing": 1, "plain": "set"] as [String: Any])
    expectTrue(person.name == "Ada" && person.plain == "plain")
  }

  @Test func `An array gives values in the order of declaration, and may be shorter`() {
    let person = Person(value: ["Ada", 36] as [Any])
    expectTrue(person.name == "Ada" && person.age == 36 && person.height == 1.5)
    expectEqual(Person(value: [Any]()).name, "none")
    expectNil(Person(value: ["Ada", 36, nil] as [Any?]).email)
    expectIssue("Invalid array input: more values (14) than properties (13).", Array(0..<14))
  }

  @Test func `A nil clears an optional, and doesn't fit anything else`() {
    expectNil(Person(value: ["email": nil] as [String: Any?]).email)
    expectNil(Person(value: ["email": NSNull()]).email)
    expectNil(Person(value: ["friend": nil] as [String: Any?]).friend)
    expectTrue(Person(value: ["friends": nil] as [String: Any?]).friends.isEmpty)
    expectIssue(
      "Invalid value '(null)' of type '(null)' for 'int' property 'Person.age'.",
      ["age": nil] as [String: Any?])
    expectIssue("Must provide a non-nil value.", NSNull())
  }

  @Test func `Numbers of other types are accepted where nothing is lost`() {
    let person = Person(
      value: [
        "age": Int8(5), "height": 2, "weight": 1.25, "level": 7,
        "born": Date(timeIntervalSince1970: 1),
      ] as [String: Any])
    expectTrue(person.age == 5 && person.height == 2 && person.weight == 1.25 && person.level == 7)
    expectEqual(Person(value: ["height": Float(0.5)]).height, 0.5)
    expectIssue(
      "Invalid value '40000' of type 'Int' for 'int' property 'Person.level'.", ["level": 40_000])
    expectIssue(
      "Invalid value '1.5' of type 'Double' for 'int' property 'Person.age'.", ["age": 1.5])
    expectIssue(
      "Invalid value 'true' of type 'Bool' for 'int' property 'Person.age'.", ["age": true])
  }

  @Test func `0 and 1 stand for a Boolean, in memory and in a realm`() throws {
    for number in [1, UInt8(1), NSNumber(value: 1)] as [Any] {
      expectTrue(V0.Flag(value: [number]).isSet)
    }
    expectFalse(V0.Flag(value: ["isSet": 0]).isSet)
    for number in [2, -1, 1.0] as [Any] {
      let message = "Invalid value '\(number)' of type"
      TestKit.expectIssue(message) { _ = V0.Flag(value: [number]) }
    }
    let flag = V0.Flag()
    flag["isSet"] = 0
    expectFalse(flag.isSet)
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([V0.Flag.self]))
    try realm.write {
      realm.add(flag)
      flag.setValue(1, forKey: "isSet")
      realm.create(V0.Flag.self, value: ["isSet": 0])
    }
    expectEqual(realm.objects(V0.Flag.self).map(\.isSet), [true, false])
  }

  @Test func `Values of other types are refused`() {
    expectIssue("Invalid value '1' of type 'Int' for 'string' property 'Person.name'.", ["name": 1])
    expectIssue("Invalid value 'x' of type 'String' for 'int' property 'Person.age'.", ["age": "x"])
    expectIssue("for 'date?' property 'Person.born'.", ["born": "1970-01-01"])
    expectIssue("property 'Person.kind'.", ["kind": "horse"])
    expectIssue("property 'Person.friend'.", ["friend": "Bob"])
    expectIssue("property 'Person.friends'.", ["friends": [1]])
    expectIssue("property 'Person.scores'.", ["scores": ["a": "b"]])
    expectIssue(
      "to initialize object of type 'Person': give a dictionary, an array or an object.", 5)
  }

  @Test func `An enum is accepted as it is, and as its raw value`() {
    expectEqual(Person(value: ["kind": Kind.cat]).kind, .cat)
    expectEqual(Person(value: ["kind": "cat"]).kind, .cat)
  }

  @Test func `Dictionaries and arrays stand for objects and elements`() {
    let person = Person(
      value: [
        "friend": ["name": "Bob", "friend": ["Cid", 3]] as [String: Any],
        "friends": [["name": "Dan"], ["Eva", 5]] as [Any], "tags": ["a", "b", "a"],
        "scores": ["x": 1], "address": ["Oslo", 150],
      ] as [String: Any])
    expectTrue(person.friend?.name == "Bob" && person.friend?.friend?.age == 3)
    expectTrue(person.friends.map(\.name) == ["Dan", "Eva"] && person.friends.last?.age == 5)
    expectTrue(Set(person.tags) == ["a", "b"] && person.scores["x"] == 1)
    expectTrue(person.address?.city == "Oslo" && person.address?.zip == 150)
  }

  @Test func `Objects in a value are used, not copied, as long as nothing is in a realm`() {
    let bob = Person(value: ["Bob"])
    let address = V0.Address(value: ["Oslo"])
    let person = Person(
      value: ["friend": bob, "friends": [bob, bob], "address": address] as [String: Any])
    expectTrue(person.friend === bob && person.friends.allSatisfy { $0 === bob })
    expectTrue(person.address === address)
  }

  @Test func `Another object is copied, with collections of its own and the same links`() {
    let bob = Person(value: ["Bob"])
    let first = Person(value: ["name": "Ada", "friends": [bob], "tags": ["a"]] as [String: Any])
    let second = Person(value: first)
    expectTrue(second !== first && second.name == "Ada" && second.friends.first === bob)
    second.friends.removeAll()
    second.tags.insert("b")
    expectTrue(first.friends.count == 1 && first.tags.count == 1)
  }

  @Test func `An object of another class must have each property`() {
    let person = Person(value: ["Ada", 36] as [Any])
    let short = V0.Short(value: person)
    expectTrue(short.name == "Ada" && short.age == 36)
    expectIssue("missing key 'email'", short)
  }

  @Test func `An object of a realm is copied out of it`() throws {
    let file = try TestFile()
    try file.open(V0.types) { realm in
      let ada = try realm.write {
        realm.create(
          Person.self,
          value: ["name": "Ada", "tags": ["a"], "address": ["Oslo"], "scores": ["x": 1]]
            as [String: Any])
      }
      let copy = Person(value: ada)
      expectTrue(copy.realm == nil && copy.name == "Ada" && Array(copy.tags) == ["a"])
      copy.name = "Eva"
      copy.tags.insert("b")
      expectTrue(ada.name == "Ada" && ada.tags.count == 1 && copy.scores["x"] == 1)
    }
  }

  @Test func `A value that doesn't fit is what 'write' throws when the object is added`() throws {
    let file = try TestFile()
    try file.open(V0.types) { realm in
      var person = Person()
      withKnownIssue { person = Person(value: ["age": "x"]) }
      expectError("Invalid value 'x' of type 'String' for 'int' property 'Person.age'.") {
        try realm.write { realm.add(person) }
      }
      expectTrue(realm.objects(Person.self).isEmpty)
    }
  }
}
