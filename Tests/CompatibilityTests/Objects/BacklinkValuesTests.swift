import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var dogs: List<Dog>
  }

  /// The linking objects stand between two properties.
  class Dog: Object, Codable {
    @Persisted var name = ""
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
    @Persisted var age = 1

    private enum CodingKeys: String, CodingKey { case name, age }
  }

  static let types: [ObjectBase.Type] = [Person.self, Dog.self]
}

/// Linking objects, which are not part of the values that objects are created from.
@Suite("Values of a class with linking objects") struct BacklinkValuesTests {
  @Test func `An array has no values for linking objects`() {
    let dog = V0.Dog(value: ["Rex", 3] as [Any])
    expectTrue(dog.name == "Rex" && dog.age == 3 && dog.owners.isEmpty)
  }

  @Test func `A dictionary may name linking objects, without effect`() {
    let dog = V0.Dog(value: ["name": "Rex", "age": 3, "owners": [V0.Person()]] as [String: Any])
    expectTrue(dog.name == "Rex" && dog.age == 3 && dog.owners.isEmpty)
  }

  @Test func `Another object gives all values except linking objects`() throws {
    let file = try TestFile()
    try file.open(V0.types) { realm in
      try realm.write {
        realm.create(V0.Person.self, value: ["Ada", [["Rex", 3]]] as [Any])
      }
      let rex = try #require(realm.objects(V0.Dog.self).first)
      expectTrue(rex.owners.count == 1 && rex.age == 3)
      let copy = V0.Dog(value: rex)
      expectTrue(copy.name == "Rex" && copy.age == 3 && copy.owners.isEmpty)
      let created = try realm.write { realm.create(V0.Dog.self, value: rex) }
      expectTrue(created.age == 3 && created.owners.isEmpty)
    }
  }

  @Test func `More values than properties are too many, linking objects not counted`() {
    expectIssue("Invalid array input: more values (3) than properties (2).") {
      _ = V0.Dog(value: ["Rex", 3, 4] as [Any])
    }
  }

  @Test func `JSON leaves linking objects out`() throws {
    let dog = try JSONDecoder().decode(V0.Dog.self, from: Data(#"{"name":"Rex","age":3}"#.utf8))
    expectTrue(dog.name == "Rex" && dog.age == 3)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    expectEqual(
      String(decoding: try encoder.encode(dog), as: UTF8.self), #"{"age":3,"name":"Rex"}"#)
  }

  @Test func `A migration makes objects without values for linking objects`() throws {
    let file = try TestFile()
    try file.write(V0.types) { realm in
      realm.create(V0.Person.self, value: ["Ada", [["Rex", 3]]] as [Any])
    }
    try file.migrate(V0.types, to: 1) { migration, _ in
      migration.create("Dog", value: ["Max", 4] as [Any])
      var rex: MigrationObject?
      migration.enumerateObjects(ofType: "Dog") { old, _ in rex = old }
      if let rex { migration.create("Dog", value: rex) }
    }
    try expectEqual(file.values("Dog", "name"), ["Rex", "Max", "Rex"])
    try expectEqual(file.values("Dog", "age"), ["3", "4", "3"])
  }

  @Test func `The schema keeps linking objects apart, and finds them by name`() throws {
    let schema = V0.Dog().objectSchema
    expectEqual(schema.names, ["name", "age"])
    expectEqual(schema["owners"]?.type, .linkingObjects)
    expectEqual(schema["owners"]?.objectClassName, "Person")
    let file = try TestFile()
    try file.open(V0.types) { expectEqual($0.schema["Dog"]?.names, ["name", "age"]) }
    try expectEqual(file.storedSchema()["Dog"]?.names, ["name", "age"])
  }
}
