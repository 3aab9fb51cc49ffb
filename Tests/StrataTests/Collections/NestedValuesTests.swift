import Foundation
import Strata
import TestKit
import Testing

/// `Person(value: …)` with nested values.
@Suite struct NestedValuesTests {
  typealias Person = Kennel.Person
  typealias Dog = Kennel.Dog
  typealias Address = Kennel.Address

  private var values: [String: Any] {
    [
      "name": "Ada",
      "friend": ["name": "Bob", "friend": ["name": "Cid"], "dogs": [["name": "Bo"]]],
      "address": ["city": "London", "lines": ["1", "2"]],
      "formerAddresses": [["city": "Paris"], ["Rome", ["3"]]],
      "dogs": [["name": "Rex", "age": 3], ["Bo", 4], Dog("Kim", age: 5)],
      "numbers": [1, Int8(2)],
      "optionals": [1, nil] as [Int?],
      "sizes": [1, Kennel.Size.large],
      "anything": "text",
      "anythings": [1, 1.5, true, nil, "a", Dog("Any")] as [Any?],
      "tags": ["a", "a", "b"] as Set<String>,
      "pack": [["name": "Wolf"]],
      "scores": ["chess": 3],
      "optionalScores": ["x": nil, "y": 1] as [String: Int?],
      "dogsByName": ["rex": ["name": "Rex"], "none": nil, "bo": Dog("Bo")] as [String: Any?],
      "homes": ["summer": ["city": "Nice"]],
    ]
  }

  @Test func `Dictionaries stand for objects and collections`() throws {
    check(Person(value: values))
    try Kennel.inFile { realm in
      let person = Person(value: values)
      realm.add(person)
      check(person)
      check(realm.create(Person.self, value: values))
      check(realm.create(Person.self, value: Person(value: values)))
    }
  }

  private func check(_ person: Person) {
    expectTrue(person.friend?.friend?.name == "Cid" && person.friend?.dogs.first?.name == "Bo")
    expectTrue(person.address?.city == "London" && person.address?.lines.last == "2")
    expectEqual(person.formerAddresses.map(\.city), ["Paris", "Rome"])
    expectEqual(person.formerAddresses[1].lines.first, "3")
    expectTrue(
      person.dogs.map(\.name) == ["Rex", "Bo", "Kim"] && person.dogs.map(\.age) == [3, 4, 5])
    expectTrue(Array(person.numbers) == [1, 2] && Array(person.optionals) == [1, nil])
    expectTrue(Array(person.sizes) == [.small, .large] && person.anything == .string("text"))
    let anythings: [AnyRealmValue] = [1, 1.5, true, nil, "a"]
    expectEqual(Array(person.anythings.dropLast()), anythings)
    expectEqual(person.anythings.last?.object(Dog.self)?.name, "Any")
    expectTrue(Set(person.tags) == ["a", "b"] && person.pack.first?.name == "Wolf")
    expectTrue(person.scores["chess"] == 3 && person.optionalScores.values == [nil, 1])
    expectEqual(person.dogsByName.values.map { $0?.name }, ["Bo", nil, "Rex"])
    expectEqual(person.homes["summer"]??.city, "Nice")
  }

  @Test func `Nil empties links and collections`() {
    let person = Person(value: ["dogs": [Dog("Rex")], "friend": ["name": "Bob"], "numbers": [1]])
    for name in ["dogs", "friend", "numbers", "anything", "scores"] { person[name] = nil }
    expectTrue(person.dogs.isEmpty && person.friend == nil && person.numbers.isEmpty)
    expectTrue(person.anything == .none && person.scores.isEmpty)
  }

  @Test func `Values that don't fit are reported`() {
    let misfits: [([String: Any], String)] = [
      (["dogs": ["Rex"]], "property 'Person.dogs'."),
      (["dogs": 1], "property 'Person.dogs'."),
      (["dogs": "Rex"], "property 'Person.dogs'."),
      (["dogs": [["name": 1]]], "property 'Dog.name'."),
      (["numbers": [1, "2"] as [Any]], "for 'array<int>' property 'Person.numbers'."),
      (["numbers": [1, nil]], "property 'Person.numbers'."),
      (["tags": [1]], "for 'set<string>' property 'Person.tags'."),
      (["scores": [1]], "for 'dictionary<string, int>' property 'Person.scores'."),
      (["scores": ["a": "b"]], "property 'Person.scores'."),
      (["friend": 1], "for '<Person>?' property 'Person.friend'."),
      (["friend": ["friend": "x"]], "property 'Person.friend'."),
      (["address": [1]], "for 'string' property 'Address.city'."),
      (["sizes": [3]], "for 'array<int>' property 'Person.sizes'."),
    ]
    for (value, message) in misfits {
      withKnownIssue {
        _ = Person(value: value)
      } matching: {
        "\($0)".contains("Invalid value") && "\($0)".contains(message)
      }
    }
  }

  @Test func `Objects of another class don't fit`() {
    for (name, value) in [
      ("friend", Dog("Rex") as Any), ("dogs", [Person()]), ("address", Dog("Rex")),
      ("dogsByName", ["x": Person()]), ("pack", [Address()]),
    ] {
      expectIssue("property 'Person.\(name)'.") { _ = Person(value: [name: value]) }
    }
  }

  @Test func `Linking objects can't be set`() {
    expectTrue(Dog(value: ["owners": [Person()]]).owners.isEmpty)
    expectIssue("property 'Dog.owners'.") { Dog("Rex")["owners"] = [Person()] }
    expectTrue(Dog("Rex").owners.isEmpty && Dog("Rex").owners.realm == nil)
    expectTrue(Dog("Rex").owners.sorted(byKeyPath: "name").isEmpty)
  }
}
