import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var dog: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var tags: MutableSet<String>
    @Persisted var named: Map<String, Dog?>
    @Persisted var value: AnyRealmValue
    @Persisted var home: Home?
    override class func propertiesMapping() -> [String: String] {
      [
        "dog": "custom dog", "dogs": "custom_dogs", "tags": "custom_tags", "named": "custom_map",
        "value": "custom_value", "home": "custom_home",
      ]
    }
  }
  class Dog: Object {
    @Persisted var name = ""
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
    override class func propertiesMapping() -> [String: String] { ["name": "dog name"] }
  }
  class Home: EmbeddedObject {
    @Persisted var name = ""
    override class func propertiesMapping() -> [String: String] { ["name": "home name"] }
  }
  static let types: [ObjectBase.Type] = [Person.self, Dog.self, Home.self]
}

private enum V1 {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var dog: V0.Dog?
    @Persisted var dogs: List<V0.Dog>
    @Persisted var tags: MutableSet<String>
    @Persisted var named: Map<String, V0.Dog?>
    @Persisted var value: AnyRealmValue
    @Persisted var home: V0.Home?
    override class func propertiesMapping() -> [String: String] {
      [
        "dog": "dog 1", "dogs": "dogs_1", "tags": "tags_1", "named": "map_1", "value": "value_1",
        "home": "home_1",
      ]
    }
  }
  static let types: [ObjectBase.Type] = [Person.self, V0.Dog.self, V0.Home.self]
}

/// `propertiesMapping()` with links, collections and embedded objects.
@Suite("Column names of relationships") struct ColumnNamesOfLinksTests {
  private let file: TestFile

  private static let expected = [
    "dog": "Rex", "dogs": "[Rex, Max]", "tags": "[x, y]", "named": "[a: Rex, b: nil]",
    "value": "Max", "home": "Oslo",
  ]

  init() throws {
    file = try TestFile()
    try file.write(V0.types) { realm in
      let rex = realm.create(V0.Dog.self, value: ["Rex"])
      let max = realm.create(V0.Dog.self, value: ["Max"])
      realm.create(
        V0.Person.self,
        value: ["Ada", rex, [rex, max], ["y", "x"], ["a": rex, "b": nil], max, ["Oslo"]] as [Any])
    }
  }

  private func check(_ type: Object.Type, _ types: [ObjectBase.Type], in file: TestFile) throws {
    try file.open(types, version: 1) { realm in
      let ada: ObjectBase? =
        type == V0.Person.self
        ? realm.objects(V0.Person.self).first : realm.objects(V1.Person.self).first
      for (name, value) in Self.expected { expectEqual(shown(ada?[name]), value, "\(name)") }
      let rex = try #require(realm.objects(V0.Dog.self).first)
      expectEqual(rex.name, "Rex")
    }
  }

  @Test func `Old objects have the names of the file, and new ones those of the class`() throws {
    let calls = Box(0)
    try file.migrate(V0.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, new in
        calls.value += 1
        expectEqual((old?["custom dog"] as? MigrationObject)?["dog name"] as? String, "Rex")
        expectEqual((new?["dog"] as? MigrationObject)?["name"] as? String, "Rex")
        expectEqual(old?.dynamicList("custom_dogs").map { text($0["dog name"]) }, ["Rex", "Max"])
        expectEqual(shown(new?["dogs"]), "[Rex, Max]")
        expectTrue(shown(old?["custom_tags"]) == "[x, y]" && shown(new?["tags"]) == "[x, y]")
        expectEqual(old?.dynamicMap("custom_map").keys, ["a", "b"])
        expectEqual(shown(new?["named"]), "[a: Rex, b: nil]")
        expectEqual((old?["custom_value"] as? MigrationObject)?["dog name"] as? String, "Max")
        expectEqual(shown(new?["value"]), "Max")
        expectEqual((old?["custom_home"] as? MigrationObject)?["home name"] as? String, "Oslo")
        expectEqual(shown(new?["home"]), "Oslo")
        let rex = new?["dog"] as? MigrationObject
        expectEqual(shown(rex?["owners"]), "[Ada]")
      }
    }
    expectEqual(calls.value, 1)
    try check(V0.Person.self, V0.types, in: file)
  }

  @Test func `A higher version alone keeps everything`() throws {
    try file.migrate(V0.types, to: 1)
    try check(V0.Person.self, V0.types, in: file)
  }

  @Test(arguments: ["dog", "dogs", "tags", "named", "home"])
  func `The names of the other side are mistakes`(name: String) throws {
    let error = try file.failure(V0.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") { old, _ in _ = old?[name] }
    }
    expectTrue(error.message.hasPrefix("Invalid property name '\(name)' for class 'Person'."))
  }

  @Test func `Renames use the names of the file`() throws {
    let before = try file.failure(V1.types, to: 0)
    expectTrue(before.message.contains("Property 'Person.custom_dogs' has been removed."))
    expectTrue(before.message.contains("Property 'Person.dogs_1' has been added."))
    try file.migrate(V1.types, to: 1) { migration, _ in
      for (old, new) in [
        ("custom dog", "dog 1"), ("custom_dogs", "dogs_1"), ("custom_tags", "tags_1"),
        ("custom_map", "map_1"), ("custom_value", "value_1"), ("custom_home", "home_1"),
      ] {
        migration.renameProperty(onType: "Person", from: old, to: new)
      }
    }
    try check(V1.Person.self, V1.types, in: file)
    let names = try #require(try file.storedSchema()["Person"]?.names).sorted()
    expectEqual(names, ["dog 1", "dogs_1", "home_1", "map_1", "name", "tags_1", "value_1"])
  }
}
