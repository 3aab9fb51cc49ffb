import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Dog = Pets.Dog
private typealias Cat = Pets.Cat

private enum V0 {
  class Item: Object {
    @Persisted var link: Dog?
    @Persisted var list: List<Dog>
    @Persisted var set: MutableSet<Dog>
    @Persisted var map: Map<String, Dog?>
    @Persisted var numbers: List<Int>
    @Persisted var words: MutableSet<String>
    @Persisted var scores: Map<String, Double>
    @Persisted var any: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var decimal = Decimal128(1.5)
    @Persisted var id: ObjectId
    @Persisted var home: Home?
    @Persisted var homes: List<Home>
  }
  class Home: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var rooms: List<Room>
  }
  class Room: EmbeddedObject {
    @Persisted var name = ""
  }
}

private enum V1 {
  class Item: Object {
    @Persisted var newLink: Dog?
    @Persisted var newList: List<Dog>
    @Persisted var newSet: MutableSet<Dog>
    @Persisted var newMap: Map<String, Dog?>
    @Persisted var newNumbers: List<Int>
    @Persisted var newWords: MutableSet<String?>
    @Persisted var newScores: Map<String, Double?>
    @Persisted var newAny: AnyRealmValue
    @Persisted var newAnys: List<AnyRealmValue>
    @Persisted var newDecimal: Decimal128?
    @Persisted(indexed: true) var newId: ObjectId
    @Persisted var newHome: Home?
    @Persisted var newHomes: List<Home>
  }
  class Home: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var newRooms: List<Room>
  }
  class Room: EmbeddedObject {
    @Persisted var name = ""
  }
}

private enum Refused {
  class Item: Object {
    @Persisted var link: Cat?
    @Persisted var list: List<Cat>
    @Persisted var set: MutableSet<Cat>
    @Persisted var map: Map<String, Cat?>
    @Persisted var ints: MutableSet<Int>
    @Persisted var int = 0
    @Persisted var dogs: List<Dog>
    @Persisted var required: List<Int>
    @Persisted var text: String?
  }
}

private enum Before {
  class Item: Object {
    @Persisted var oldLink: Dog?
    @Persisted var oldList: List<Dog>
    @Persisted var oldSet: MutableSet<Dog>
    @Persisted var oldMap: Map<String, Dog?>
    @Persisted var oldNumbers: List<Int>
    @Persisted var oldMaybe: List<Int?>
    @Persisted var oldId: ObjectId?
    @Persisted var oldAny: AnyRealmValue
    @Persisted var oldDecimal: Decimal128?
  }
}

/// A rename to a property of another type, and how the error names the two.
struct RefusedRename: Sendable, CustomTestStringConvertible {
  var from: String
  var to: String
  var reason: String
  var testDescription: String { "\(from) -> \(to)" }

  init(_ from: String, _ to: String, _ types: String) {
    self.from = from
    self.to = to
    reason = types
  }

  static let all = [
    RefusedRename("oldLink", "link", "from type '<Dog>' to '<Cat>'"),
    RefusedRename("oldList", "list", "from type 'array<Dog>' to 'array<Cat>'"),
    RefusedRename("oldSet", "set", "from type 'set<Dog>' to 'set<Cat>'"),
    RefusedRename(
      "oldMap", "map", "from type 'dictionary<string, Dog>' to 'dictionary<string, Cat>'"),
    RefusedRename("oldNumbers", "int", "from type 'array<int>' to 'int'"),
    RefusedRename("oldNumbers", "ints", "from type 'array<int>' to 'set<int>'"),
    RefusedRename("oldLink", "dogs", "from type '<Dog>' to 'array<Dog>'"),
    RefusedRename("oldSet", "dogs", "from type 'set<Dog>' to 'array<Dog>'"),
    RefusedRename("oldMaybe", "required", "from optional to required"),
    RefusedRename("oldId", "text", "from type 'object id' to 'string'"),
    RefusedRename("oldAny", "text", "from type 'mixed' to 'string'"),
    RefusedRename("oldDecimal", "text", "from type 'decimal' to 'string'"),
  ]
}

/// `Migration.renameProperty` with links and collections.
@Suite("Renamed relationships") struct RenamedRelationshipsTests {
  private static let oldTypes: [ObjectBase.Type] =
    [
      V0.Item.self, V0.Home.self, V0.Room.self,
    ] + Pets.types
  private static let newTypes: [ObjectBase.Type] =
    [
      V1.Item.self, V1.Home.self, V1.Room.self,
    ] + Pets.types
  private static let id = ObjectId("0123456789abcdef01234567")

  private static let expected = [
    "link": "Rex", "list": "[Max, Rex, Max]", "set": "[Rex, Max]", "map": "[a: Rex, b: nil]",
    "numbers": "[3, 1]", "words": "[x, y]", "scores": "[go: 0.5]", "any": "Max",
    "anys": "[1, x, nil]", "decimal": "1.5", "id": "0123456789abcdef01234567", "home": "Oslo",
    "homes": "[Bergen, Oslo]",
  ]

  private static func newName(_ name: String) -> String {
    "new" + name.prefix(1).uppercased() + name.dropFirst()
  }

  private func filled() throws -> TestFile {
    let file = try TestFile()
    try file.write(Self.oldTypes) { realm in
      let rex = realm.create(Dog.self, value: ["Rex"])
      let max = realm.create(Dog.self, value: ["Max"])
      let values: [Any] = [
        rex, [max, rex, max], [rex, max], ["a": rex, "b": nil], [3, 1], ["x", "y"], ["go": 0.5],
        max, [1, "x", nil] as [Any?], Decimal128(1.5), Self.id, ["Oslo"],
        [["Bergen", [["attic"]]] as [Any], ["Oslo"]],
      ]
      realm.create(V0.Item.self, value: values)
    }
    return file
  }

  @Test(arguments: [true, false])
  func `Values of each type stay, whether enumerated in between or not`(enumerating: Bool) throws {
    let file = try filled()
    try file.migrate(Self.newTypes, to: 1) { migration, _ in
      for (name, value) in Self.expected.sorted(by: { $0.key < $1.key }) {
        let newName = Self.newName(name)
        func check(_ new: String) {
          migration.enumerateObjects(ofType: "Item") { old, object in
            expectEqual(shown(old?[name]), value)
            expectEqual(shown(object?[newName]), new)
          }
        }
        if enumerating {
          migration.enumerateObjects(ofType: "Item") { old, _ in
            expectEqual(shown(old?[name]), value)
          }
        }
        migration.renameProperty(onType: "Item", from: name, to: newName)
        if enumerating { check(value) }
      }
      migration.renameProperty(onType: "Home", from: "rooms", to: "newRooms")
    }
    for (name, value) in Self.expected {
      try expectEqual(file.shown("Item", Self.newName(name)), [value], "\(name)")
    }
    try expectEqual(file.values("Dog", "name"), ["Rex", "Max"], "no more and no fewer")
    try expectEqual(file.shown("Home", "name").count, 3)
    try expectEqual(file.shown("Home", "newRooms").sorted(), ["[]", "[]", "[attic]"])
    let schema = try #require(try file.storedSchema()["Item"])
    expectTrue(schema.names.allSatisfy { $0.hasPrefix("new") })
    expectEqual(schema["newId"]?.isIndexed, true)
    expectEqual(schema["newWords"]?.isOptional, true)
    expectEqual(schema["newDecimal"]?.isOptional, true)
  }

  @Test
  func `Renamed relationships still react to deletions, and embedded objects to their parent's`()
    throws
  {
    let file = try filled()
    try file.migrate(Self.newTypes, to: 1) { migration, _ in
      for name in Self.expected.keys.sorted() {
        migration.renameProperty(onType: "Item", from: name, to: Self.newName(name))
      }
      migration.renameProperty(onType: "Home", from: "rooms", to: "newRooms")
    }
    try file.open(Self.newTypes, version: 1) { realm in
      let item = try #require(realm.objects(V1.Item.self).first)
      try realm.write {
        realm.delete(realm.objects(Dog.self).filter { $0.name == "Max" })
        item.newHomes.remove(at: 0)
      }
      expectEqual(shown(item.newList), "[Rex]")
      expectEqual(shown(item.newSet), "[Rex]")
      expectEqual(item.newAny, .none)
      realm.beginWrite()
      realm.delete(realm.objects(Dog.self))
      expectTrue(item.newLink == nil && item.newList.isEmpty)
      realm.cancelWrite()
      try realm.write { realm.delete(item) }
    }
    try expectTrue(file.shown("Home", "name").isEmpty && file.shown("Room", "name").isEmpty)
    try expectEqual(file.values("Dog", "name"), ["Rex"])
  }

  @Test func `A chain of names may use a name again`() throws {
    let file = try filled()
    try file.migrate(Self.newTypes, to: 1) { migration, _ in
      migration.renameProperty(onType: "Item", from: "list", to: "between")
      migration.renameProperty(onType: "Item", from: "link", to: "list")
      migration.renameProperty(onType: "Item", from: "between", to: "newList")
      migration.renameProperty(onType: "Item", from: "list", to: "newLink")
    }
    try expectEqual(file.shown("Item", "newList"), ["[Max, Rex, Max]"])
    try expectEqual(file.shown("Item", "newLink"), ["Rex"])
    try expectEqual(file.shown("Item", "newSet"), ["[]"], "it was not renamed")
  }

  @Test(arguments: RefusedRename.all)
  func `A rename to another type is refused`(_ rename: RefusedRename) throws {
    let file = try TestFile()
    try file.write([Before.Item.self] + Pets.types) { realm in
      let rex = realm.create(Dog.self, value: ["Rex"])
      realm.create(Before.Item.self, value: ["oldLink": rex, "oldList": [rex]])
    }
    let before = try file.storedSchema()
    let error = try file.failure([Refused.Item.self] + Pets.types, to: 1) { migration, _ in
      migration.renameProperty(onType: "Item", from: rename.from, to: rename.to)
    }
    expectEqual(error.code, .fail)
    expectEqual(
      error.message,
      "Cannot rename property 'Item.\(rename.from)' to '\(rename.to)' because it "
        + "would change \(rename.reason).")
    try expectEqual(file.storedSchema(), before)
    try expectEqual(file.version, 0)
    try expectEqual(file.shown("Item", "oldLink"), ["Rex"])
    try expectEqual(file.shown("Item", "oldList"), ["[Rex]"])
  }
}
