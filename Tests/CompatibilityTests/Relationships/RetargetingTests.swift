import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Owner: Object {
    @Persisted var name = ""
    @Persisted var link: Pets.Dog?
    @Persisted var list: List<Pets.Dog>
    @Persisted var set: MutableSet<Pets.Dog>
    @Persisted var map: Map<String, Pets.Dog?>
  }
}

private enum LinkTo {
  class Owner: Object {
    @Persisted var name = ""
    @Persisted var link: Pets.Cat?
    @Persisted var list: List<Pets.Dog>
    @Persisted var set: MutableSet<Pets.Dog>
    @Persisted var map: Map<String, Pets.Dog?>
  }
}

private enum ListOf {
  class Owner: Object {
    @Persisted var name = ""
    @Persisted var link: Pets.Dog?
    @Persisted var list: List<Pets.Cat>
    @Persisted var set: MutableSet<Pets.Dog>
    @Persisted var map: Map<String, Pets.Dog?>
  }
}

private enum SetOf {
  class Owner: Object {
    @Persisted var name = ""
    @Persisted var link: Pets.Dog?
    @Persisted var list: List<Pets.Dog>
    @Persisted var set: MutableSet<Pets.Cat>
    @Persisted var map: Map<String, Pets.Dog?>
  }
}

private enum MapOf {
  class Owner: Object {
    @Persisted var name = ""
    @Persisted var link: Pets.Dog?
    @Persisted var list: List<Pets.Dog>
    @Persisted var set: MutableSet<Pets.Dog>
    @Persisted var map: Map<String, Pets.Cat?>
  }
}

/// One of the four properties leads to another class, and the block carries the names over.
struct Retargeting: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var type: ObjectBase.Type

  static let all = [
    Retargeting(testDescription: "link", type: LinkTo.Owner.self),
    Retargeting(testDescription: "list", type: ListOf.Owner.self),
    Retargeting(testDescription: "set", type: SetOf.Owner.self),
    Retargeting(testDescription: "map", type: MapOf.Owner.self),
  ]

  /// The expected values of the properties: only the changed one differs.
  func expected(_ changed: [String: String]) -> [String: String] {
    var all = ["link": "Rex", "list": "[Rex, Max]", "set": "[Rex, Max]", "map": "[a: Rex, b: nil]"]
    all[testDescription] = changed[testDescription]
    return all
  }
}

/// Links and collections whose objects are of another class.
@Suite("Other targets") struct RetargetingTests {
  private static let properties = ["link", "list", "set", "map"]

  private func filled() throws -> TestFile {
    let file = try TestFile()
    try file.write([V0.Owner.self] + Pets.types) { realm in
      let rex = realm.create(Pets.Dog.self, value: ["Rex"])
      let max = realm.create(Pets.Dog.self, value: ["Max"])
      realm.create(
        V0.Owner.self,
        value: ["Ada", rex, [rex, max], [rex, max], ["a": rex, "b": nil]] as [Any])
    }
    return file
  }

  private static func values(_ object: MigrationObject?) -> [String: String] {
    var values: [String: String] = [:]
    for name in properties { values[name] = shown(object?[name]) }
    return values
  }

  @Test(arguments: Retargeting.all)
  func `The old side keeps its links, and the new one is empty`(_ change: Retargeting) throws {
    let file = try filled()
    let empty = ["link": "nil", "list": "[]", "set": "[]", "map": "[]"]
    let calls = Box(0)
    try file.migrate([change.type] + Pets.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Owner") { old, new in
        calls.value += 1
        expectEqual(
          Self.values(old),
          change.expected([
            "link": "Rex", "list": "[Rex, Max]", "set": "[Rex, Max]", "map": "[a: Rex, b: nil]",
          ]))
        expectEqual(Self.values(new), change.expected(empty))
      }
    }
    expectEqual(calls.value, 1)
    let withoutBlock = try filled()
    try withoutBlock.migrate([change.type] + Pets.types, to: 1)
    for (name, value) in change.expected(empty) {
      try expectEqual(file.shown("Owner", name), [value], "\(name)")
      try expectEqual(withoutBlock.shown("Owner", name), [value], "\(name)")
    }
  }

  @Test(arguments: Retargeting.all)
  func `The block makes objects of the new class from the old ones`(_ change: Retargeting) throws {
    let file = try filled()
    try file.migrate([change.type] + Pets.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Owner") { old, new in
        func cat(_ dog: MigrationObject) -> MigrationObject {
          migration.create("Cat", value: [dog["name"]])
        }
        switch change.testDescription {
        case "link": new?["link"] = (old?["link"] as? MigrationObject).map(cat)
        case "list":
          for dog in old!.dynamicList("list") { new!.dynamicList("list").append(cat(dog)) }
        case "set":
          for dog in old!.dynamicMutableSet("set") {
            new!.dynamicMutableSet("set").insert(cat(dog))
          }
        default:
          for (key, dog) in old!.dynamicMap("map") {
            new!.dynamicMap("map")[key] = .some(dog.map(cat))
          }
        }
      }
    }
    for name in Self.properties {
      try expectEqual(file.shown("Owner", name), [change.expected([:])[name] ?? carried(name)])
    }
    try expectEqual(file.shown("Dog", "name"), ["Rex", "Max"])
    try expectFalse(file.shown("Cat", "name").isEmpty)
  }

  private func carried(_ name: String) -> String {
    ["link": "Rex", "map": "[a: Rex, b: nil]"][name] ?? "[Rex, Max]"
  }
}
