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

/// `Person(value: …)` and `realm.create`: what a value may be, and what becomes of it.
@Suite("Objects of values") struct ObjectValuesTests {
  private typealias Person = V0.Person

  /// Expects an issue, and that a write which creates an object throws the same.
  private func expectIssue(_ text: String, _ value: Any) throws {
    TestKit.expectIssue(text) { _ = Person(value: value) }
    try inFile { realm in
      expectError(containing: text) { try realm.write { realm.create(Person.self, value: value) } }
      expectTrue(realm.isEmpty)
    }
  }

  private func inFile(_ body: (Realm) throws -> Void) throws {
    try TestFile().open(V0.types) { try body($0) }
  }

  /// Checks a person of a value in no realm, and one in a realm.
  private func check(_ value: Any, _ isRight: (Person) -> Bool) throws {
    expectTrue(isRight(Person(value: value)))
    try inFile { realm in
      try realm.write { expectTrue(isRight(realm.create(Person.self, value: value))) }
    }
  }

  @Test func `A dictionary sets what it names, and the rest keeps its defaults`() throws {
    try check(["name": "Ada", "age": 36] as [String: Any]) { person in
      person.name == "Ada" && person.age == 36 && person.email == "default"
        && person.height == 1.5 && person.kind == .dog && person.friends.isEmpty
    }
    try check([String: Any]()) { $0.name == "none" && $0.email == "default" }
  }

  @Test func `Keys that name no persisted property are ignored`() throws {
    try check(["name": "Ada", "nothing": 1, "plain": "set"] as [String: Any]) { person in
      person.name == "Ada" && person.plain == "plain"
    }
  }

  @Test func `An array gives values in the order of declaration, and may be shorter`() throws {
    try check(["Ada", 36] as [Any]) { $0.name == "Ada" && $0.age == 36 && $0.height == 1.5 }
    try check([Any]()) { $0.name == "none" }
    try check(["Ada", 36, nil] as [Any?]) { $0.email == nil }
    try check(["Ada", 36, NSNull()] as [Any]) { $0.email == nil }
    try expectIssue("Invalid array input: more values (14) than properties (13).", Array(0..<14))
  }

  @Test func `A nil clears an optional, and doesn't fit anything else`() throws {
    try check(["email": nil] as [String: Any?]) { $0.email == nil && $0.name == "none" }
    try check(["email": NSNull()]) { $0.email == nil }
    try check(["friend": nil] as [String: Any?]) { $0.friend == nil }
    try check(["friends": nil] as [String: Any?]) { $0.friends.isEmpty }
    try expectIssue(
      "Invalid value '(null)' of type '(null)' for 'int' property 'Person.age'.",
      ["age": nil] as [String: Any?])
    try expectIssue("Must provide a non-nil value.", NSNull())
  }

  @Test func `Numbers of other types are accepted where nothing is lost`() throws {
    let value: [String: Any] = [
      "age": Int8(5), "height": 2, "weight": 1.25, "level": 7,
      "born": Date(timeIntervalSince1970: 1),
    ]
    try check(value) { $0.age == 5 && $0.height == 2 && $0.weight == 1.25 && $0.level == 7 }
    try check(["height": Float(0.5)]) { $0.height == 0.5 }
    try expectIssue(
      "Invalid value '40000' of type 'Int' for 'int' property 'Person.level'.", ["level": 40_000])
    try expectIssue(
      "Invalid value '1.5' of type 'Double' for 'int' property 'Person.age'.", ["age": 1.5])
    try expectIssue(
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

  @Test func `Values of other types are refused`() throws {
    try expectIssue(
      "Invalid value '1' of type 'Int' for 'string' property 'Person.name'.", ["name": 1])
    try expectIssue(
      "Invalid value 'x' of type 'String' for 'int' property 'Person.age'.", ["age": "x"])
    try expectIssue("for 'date?' property 'Person.born'.", ["born": "1970-01-01"])
    try expectIssue("property 'Person.kind'.", ["kind": "horse"])
    try expectIssue("property 'Person.friend'.", ["friend": "Bob"])
    try expectIssue("property 'Person.friends'.", ["friends": [1]])
    try expectIssue("property 'Person.scores'.", ["scores": ["a": "b"]])
    try expectIssue(
      "to initialize object of type 'Person': give a dictionary, an array or an object.", 5)
  }

  @Test func `An enum is accepted as it is, and as its raw value`() throws {
    for value in [Kind.cat, "cat"] as [Any] {
      try check(["kind": value]) { $0.kind == .cat }
      let person = Person()
      person["kind"] = value
      expectTrue(person.kind == .cat && person["kind"] as? String == "cat")
    }
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

  @Test func `An object of another class must have each property`() throws {
    let person = Person(value: ["Ada", 36] as [Any])
    let short = V0.Short(value: person)
    expectTrue(short.name == "Ada" && short.age == 36)
    try expectIssue("missing key 'email'", short)
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
