import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Address: EmbeddedObject {
    @Persisted var street = ""
  }
  class Person: Object {
    @Persisted var name = ""
    @Persisted var friend: Person?
    @Persisted var home: Address?
    @Persisted var friends: List<Person>
    @Persisted var addresses: List<Address>
  }
}

private enum V1 {
  class Employee: Object {
    @Persisted var name = ""
    @Persisted var friend: V0.Person?
    @Persisted var home: V0.Address?
  }
  class Pair: Object {
    @Persisted var person: V0.Person?
    @Persisted var employee: Employee?
    @Persisted var first: V0.Address?
    @Persisted var second: V0.Address?
    @Persisted var all: List<V0.Address>
  }
}

/// Objects that occur more than once in a value of `Migration.create`.
@Suite("Copies in migrations") struct CopyingTests {
  private static let types: [ObjectBase.Type] = [
    V0.Address.self, V0.Person.self, V1.Employee.self, V1.Pair.self,
  ]

  /// A file with a person who is a friend of their own.
  private func file() throws -> TestFile {
    let file = try TestFile()
    try file.write([V0.Address.self, V0.Person.self]) { realm in
      let ann = V0.Person(value: ["name": "Ann", "home": ["Elm"], "addresses": [["Oak"], ["Ash"]]])
      realm.add(ann)
      ann.friend = ann
      ann.friends.append(ann)
      for number in 0..<3 { realm.add(V0.Person(value: ["name": "\(number)"])) }
    }
    return file
  }

  private func migrate(
    _ file: TestFile,
    _ body: @escaping @Sendable (Migration, _ old: MigrationObject, _ new: MigrationObject) -> Void
  ) throws {
    try file.migrate(Self.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        guard let old, let new, old["name"] as? String == "Ann" else { return }
        body(migration, old, new)
      }
    }
    try expectEqual(Realm.problems(for: file.configuration(Self.types, version: 1)), [])
  }

  @Test func `An object in places of two classes becomes an object of each`() throws {
    let file = try file()
    try migrate(file) { migration, old, _ in
      migration.create("Pair", value: ["employee": old, "person": old])
    }
    try file.open(Self.types, version: 1) { realm in
      let pair = try #require(realm.objects(V1.Pair.self).first)
      expectEqual(pair.employee?.name, "Ann")
      expectEqual(pair.person?.name, "Ann")
      expectEqual(pair.person?.friend, pair.person)
      expectEqual(pair.employee?.friend, pair.person)
      expectEqual(realm.objects(V0.Person.self).count, 5)
    }
  }

  @Test func `An object that leads to itself is copied as its own class behind another`() throws {
    let file = try file()
    try migrate(file) { migration, old, _ in
      migration.create("Employee", value: old)
      let person = V0.Person(value: ["name": "Bob"])
      person.friend = person
      migration.create("Employee", value: person)
    }
    try file.open(Self.types, version: 1) { realm in
      for employee in realm.objects(V1.Employee.self) {
        let friend = try #require(employee.friend)
        expectEqual(friend.name, employee.name)
        expectEqual(friend.friend, friend)
        expectEqual(friend.home?.street, employee.home?.street)
      }
      expectEqual(realm.objects(V1.Employee.self).map(\.name), ["Ann", "Bob"])
    }
  }

  @Test func `An embedded object in several places becomes an object of each place`() throws {
    let file = try file()
    try migrate(file) { migration, old, new in
      for side in [old, new] {
        let home = try! #require(side["home"] as? MigrationObject)
        let addresses = side.dynamicList("addresses")
        migration.create(
          "Pair",
          value: ["first": home, "second": home, "all": [home, addresses[0], addresses[0], home]])
      }
    }
    try file.open(Self.types, version: 1) { realm in
      expectEqual(realm.objects(V1.Pair.self).count, 2)
      for pair in realm.objects(V1.Pair.self) {
        expectEqual(pair.first?.street, "Elm")
        expectEqual(pair.second?.street, "Elm")
        expectEqual(pair.all.map(\.street), ["Elm", "Oak", "Oak", "Elm"])
      }
      expectEqual(realm.objects(V0.Person.self).first?.home?.street, "Elm")
    }
  }

  @Test func `An object of either side is copied with what is embedded in it`() throws {
    let file = try file()
    try migrate(file) { migration, old, new in
      migration.create("Person", value: old)
      migration.create("Person", value: new)
      migration.create("Person", value: ["addresses": old["addresses"], "home": new["home"]])
      migration.create("Person", value: ["friends": old["friends"], "addresses": old["addresses"]])
    }
    try file.open(Self.types, version: 1) { realm in
      let people = realm.objects(V0.Person.self)
      expectEqual(people.map(\.name), ["Ann", "0", "1", "2", "Ann", "Ann", "", "", "Ann"])
      expectEqual(
        people.map { $0.addresses.map(\.street).joined(separator: " ") },
        ["Oak Ash", "", "", "", "Oak Ash", "Oak Ash", "Oak Ash", "Oak Ash", "Oak Ash"])
      expectEqual(people[4].friend, people[4])
      expectEqual(people[5].friend, people[0])
      expectEqual(people[6].home?.street, "Elm")
    }
  }

  @Test func `An object in memory can't be embedded in two places`() throws {
    expectError(
      "The value has the same object in several places of embedded objects of class 'Address': "
        + "give each place an object or a dictionary of its own."
    ) {
      try migrate(file()) { migration, _, _ in
        let home = V0.Address(value: ["Elm"])
        migration.create("Pair", value: ["first": home, "second": home])
      }
    }
    expectError("Cannot set a link to an existing managed embedded object.") {
      try migrate(file()) { migration, _, _ in
        let home = V0.Address(value: ["Elm"])
        let pair = migration.create("Pair")
        pair["first"] = home
        pair["second"] = home
      }
    }
  }
}
