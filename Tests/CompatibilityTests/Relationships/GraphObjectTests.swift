import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Person: Object {
    @Persisted var name = ""
    @Persisted var dog: Dog?
    @Persisted var dogs: List<Dog>
    @Persisted var pack: MutableSet<Dog>
    @Persisted var named: Map<String, Dog?>
    @Persisted var numbers: List<Int>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Double>
    @Persisted var home: Home?
  }
  class Dog: Object {
    @Persisted var name = ""
    @Persisted var friend: Dog?
    @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
    @Persisted(originProperty: "friend") var friends: LinkingObjects<Dog>
  }
  class Home: EmbeddedObject {
    @Persisted var name = ""
    @Persisted(originProperty: "home") var people: LinkingObjects<Person>
  }
  static let types: [ObjectBase.Type] = [Person.self, Dog.self, Home.self]
}

/// Migration objects with links and collections: reading, writing, following.
@Suite("Migration objects with relationships") struct GraphObjectTests {
  private let file: TestFile

  init() throws {
    file = try TestFile()
    try file.write(V0.types) { realm in
      let rex = realm.create(V0.Dog.self, value: ["Rex"])
      let max = realm.create(V0.Dog.self, value: ["Max", rex] as [Any])
      realm.create(
        V0.Person.self,
        value: [
          "Ada", rex, [rex, max], [max], ["a": rex, "b": nil], [3, 1, 2], ["x"], ["go": 0.5],
          ["Oslo"],
        ] as [Any])
    }
  }

  private func migrate(
    _ file: TestFile,
    _ body: @escaping @Sendable (Migration, MigrationObject, MigrationObject) -> Void
  ) throws {
    let calls = Box(0)
    try file.migrate(V0.types, to: file.version + 1) { migration, _ in
      migration.enumerateObjects(ofType: "Person") {
        calls.value += 1
        body(migration, $0!, $1!)
      }
    }
    expectEqual(calls.value, 1)
  }

  @Test func `Lists of both sides are read in each way, and only the new one changes`() throws {
    try migrate(file) { migration, old, new in
      let numbers = new["numbers"] as! List<Int>
      expectTrue(Array(numbers) == [3, 1, 2] && numbers.count == 3 && numbers[1] == 1)
      expectTrue(numbers.index(of: 2) == 2 && numbers.first == 3 && numbers.last == 2)
      numbers.append(9)
      numbers.insert(8, at: 0)
      numbers.remove(at: 1)
      numbers[0] = 7
      numbers.swapAt(0, 1)
      expectEqual(Array(numbers), [1, 7, 2, 9])
      expectEqual(Array(new["numbers"] as! List<Int>), [1, 7, 2, 9], "live")
      expectEqual(Array(old["numbers"] as! List<Int>), [3, 1, 2])
      let dogs = new.dynamicList("dogs")
      dogs.append(dogs[0])
      dogs.move(from: 1, to: 0)
      dogs[2] = migration.create("Dog", value: ["Bo"])
      expectEqual(shown(dogs), "[Max, Rex, Bo]")
      expectEqual(shown(old["dogs"]), "[Rex, Max]")
    }
    try expectEqual(file.shown("Person", "numbers"), ["[1, 7, 2, 9]"])
    try expectEqual(file.shown("Person", "dogs"), ["[Max, Rex, Bo]"])
  }

  @Test func `Sets and maps of both sides are read, and only the new ones change`() throws {
    try migrate(file) { migration, old, new in
      let tags = new["tags"] as! MutableSet<String>
      tags.insert("y")
      tags.insert("y")
      tags.remove("x")
      expectTrue(shown(tags) == "[y]" && shown(old["tags"]) == "[x]")
      let pack = new.dynamicMutableSet("pack")
      pack.insert(new["dog"] as! MigrationObject)
      pack.insert(new["dog"] as! MigrationObject)
      expectTrue(pack.count == 2 && old.dynamicMutableSet("pack").count == 1)
      let scores = new["scores"] as! Map<String, Double>
      scores["go"] = 1
      scores["chess"] = 2
      expectTrue(shown(scores) == "[chess: 2.0, go: 1.0]" && shown(old["scores"]) == "[go: 0.5]")
      let named = new.dynamicMap("named")
      named["c"] = migration.create("Dog", value: ["Bo"])
      named["a"] = .some(nil)
      named["d"] = .some(nil)
      named.removeObject(for: "b")
      expectEqual(shown(named), "[a: nil, c: Bo, d: nil]")
      expectEqual(shown(old["named"]), "[a: Rex, b: nil]")
    }
    try expectEqual(file.shown("Person", "tags"), ["[y]"])
    try expectEqual(file.shown("Person", "pack"), ["[Rex, Max]"])
    try expectEqual(file.shown("Person", "scores"), ["[chess: 2.0, go: 1.0]"])
    try expectEqual(file.shown("Person", "named"), ["[a: nil, c: Bo, d: nil]"])
  }

  @Test func `Collections of the old side can't be changed`() throws {
    let changes: [@Sendable (MigrationObject) -> Void] = [
      { ($0["numbers"] as! List<Int>).append(1) }, { ($0["numbers"] as! List<Int>).removeAll() },
      { $0["numbers"] = [1] }, { ($0["tags"] as! MutableSet<String>).insert("z") },
      { ($0["scores"] as! Map<String, Double>)["z"] = 1 }, { $0.dynamicMap("named")["a"] = nil },
      { ($0["dog"] as! MigrationObject)["name"] = "z" }, { $0["dog"] = nil },
    ]
    for change in changes {
      let error = try file.failure(V0.types, to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Person") { old, _ in change(old!) }
      }
      expectTrue(
        error.message.hasPrefix("Cannot modify managed objects outside of a write transaction."))
    }
    try expectEqual(file.shown("Person", "numbers"), ["[3, 1, 2]"])
  }

  @Test func `A deleted object leaves nil in links and maps, and leaves lists and sets`() throws {
    try migrate(file) { migration, old, new in
      let rex = new["dog"] as! MigrationObject
      migration.delete(rex)
      expectTrue(rex.isInvalidated)
      expectNil(new["dog"])
      expectEqual(shown(new["dogs"]), "[Max]")
      expectEqual(shown(new["named"]), "[a: nil, b: nil]")
      expectEqual(new.dynamicMap("named").keys, ["a", "b"])
      expectNil((new.dynamicList("dogs")[0])["friend"])
      migration.delete(new.dynamicMutableSet("pack").first!)
      expectTrue(shown(new["pack"]) == "[]" && shown(new["dogs"]) == "[]")
      migration.delete(new["home"] as! MigrationObject)
      expectNil(new["home"])
      expectTrue(shown(old["dog"]) == "Rex" && shown(old["dogs"]) == "[Rex, Max]")
      expectTrue(shown(old["named"]) == "[a: Rex, b: nil]" && shown(old["home"]) == "Oslo")
    }
    try expectEqual(file.shown("Person", "named"), ["[a: nil, b: nil]"])
    try expectTrue(file.shown("Dog", "name").isEmpty)
    try expectTrue(file.shown("Home", "name").isEmpty)
  }

  @Test func `Objects that link to one are followed on the new side, at every moment`() throws {
    try migrate(file) { migration, old, new in
      let rex = new["dog"] as! MigrationObject
      expectTrue(shown(rex["owners"]) == "[Ada]" && shown(rex["friends"]) == "[Max]")
      new["dogs"] = [migration.create("Dog", value: ["name": "Bo", "friend": rex])]
      expectTrue(shown(rex["owners"]) == "[]" && shown(rex["friends"]) == "[Max, Bo]")
      expectEqual(shown((new["home"] as! MigrationObject)["people"]), "[Ada]")
      expectTrue(old.objectSchema["dogs"] != nil)
      expectNil((old["dog"] as! MigrationObject).objectSchema["owners"])
    }
    let error = try file.failure(V0.types, to: 2) { migration, _ in
      migration.enumerateObjects(ofType: "Dog") { old, _ in _ = old?["owners"] }
    }
    expectTrue(error.message.hasPrefix("Invalid property name 'owners' for class 'Dog'."))
  }

  @Test func `The description has objects and collections in it, to a depth`() throws {
    try migrate(file) { _, old, new in
      // Only the addresses of the collections differ.
      func plain(_ object: MigrationObject) -> String {
        object.description.split(separator: "\n").map { line in
          guard let start = line.range(of: " <0x") else { return String(line) }
          return "\(line[..<start.lowerBound]) ("
        }
        .joined(separator: "\n")
      }
      expectEqual(plain(old), plain(new))
      let text = plain(old)
      expectTrue(text.hasPrefix("Person {\n\tname = Ada;\n\tdog = Dog {\n\t\tname = Rex;\n"))
      expectTrue(text.contains("\tdogs = List<DynamicObject> (\n\t\t[0] Dog {\n"))
      expectTrue(text.contains("\tnumbers = List<Int> (\n\t\t[0] 3,\n\t\t[1] 1,\n\t\t[2] 2\n\t);"))
      expectTrue(text.contains("\thome = Home {\n\t\tname = Oslo;\n\t};\n"))
      let loop = new["dog"] as! MigrationObject
      loop["friend"] = loop
      expectTrue(loop.description.contains("<Maximum depth exceeded>"))
    }
  }

  @Test func `A higher version alone keeps links, collections and what they hold`() throws {
    try file.migrate(V0.types, to: 1)
    try file.migrate(V0.types, to: 2, idleBlock)
    let expected = [
      "dog": "Rex", "dogs": "[Rex, Max]", "pack": "[Max]", "named": "[a: Rex, b: nil]",
      "numbers": "[3, 1, 2]", "tags": "[x]", "scores": "[go: 0.5]", "home": "Oslo",
    ]
    for (name, value) in expected { try expectEqual(file.shown("Person", name), [value]) }
  }
}
