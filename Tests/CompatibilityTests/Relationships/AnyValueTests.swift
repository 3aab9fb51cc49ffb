import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Holder: Object {
    @Persisted var value: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var set: MutableSet<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
  }
}

/// `AnyRealmValue` in a migration, which appears as its wrapped value.
@Suite("Values of any type in a migration") struct AnyValueTests {
  private let file: TestFile

  init() throws { file = try TestFile() }

  private static let id = ObjectId("0123456789abcdef01234567")
  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  private static let date = Date(timeIntervalSince1970: 1.5)

  static var values: [AnyRealmValue] {
    [
      .none, .int(7), .bool(true), .float(1.5), .double(2.5), .string("text"), .data(Data([1])),
      .date(date), .objectId(id), .decimal128(1.5), .uuid(uuid),
    ]
  }

  private static let types: [ObjectBase.Type] = [V0.Holder.self] + Pets.types

  /// Converts a value that was read by name. A number is in a box.
  private static func asRead(_ value: Any?) -> AnyRealmValue? {
    switch value {
    case nil: AnyRealmValue.none
    case let value as String: .string(value)
    case let value as Data: .data(value)
    case let value as Date: .date(value)
    case let value as ObjectId: .objectId(value)
    case let value as Decimal128: .decimal128(value)
    case let value as UUID: .uuid(value)
    case let number as NSNumber:
      switch String(cString: number.objCType) {
      case "c", "B": .bool(number.boolValue)
      case "f": .float(number.floatValue)
      case "d": .double(number.doubleValue)
      default: .int(number.intValue)
      }
    default: nil
    }
  }

  @Test(arguments: values.indices)
  func `A value of any type is read as the value itself`(index: Int) throws {
    try file.write(Self.types) { realm in
      let value = Self.values[index]
      let holder = realm.create(V0.Holder.self)
      holder.value = value
      holder.list.append(value)
      holder.set.insert(value)
      holder.map["a"] = value
    }
    let calls = Box(0)
    try file.migrate(Self.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Holder") { old, new in
        calls.value += 1
        let value = Self.values[index]
        for side in [old!, new!] {
          let found = side["value"]
          expectEqual(Self.asRead(found), value)
          expectEqual((side["list"] as! List<AnyRealmValue>).first, value)
          expectTrue((side["set"] as! MutableSet<AnyRealmValue>).contains(value))
          expectEqual((side["map"] as! Map<String, AnyRealmValue>)["a"], value)
        }
      }
    }
    expectEqual(calls.value, 1)
  }

  @Test(arguments: values.indices)
  func `A value of any type is written as the value itself, and as an AnyRealmValue`(index: Int)
    throws
  {
    try file.write(Self.types) { realm in
      for _ in 0..<2 { realm.create(V0.Holder.self, value: ["value": "before"]) }
    }
    try file.migrate(Self.types, to: 1) { migration, _ in
      var isFirst = true
      migration.enumerateObjects(ofType: "Holder") { _, new in
        let value = Self.values[index]
        new!["value"] = isFirst ? value.rawValue : value
        new!["list"] = [isFirst ? value.rawValue : value]
        (new!["set"] as! MutableSet<AnyRealmValue>).insert(value)
        new!["map"] = ["a": isFirst ? value.rawValue : value]
        expectEqual(Self.asRead(new!["value"]), value)
        new!["value"] = new!["value"]
        isFirst = false
      }
    }
    try file.open(Self.types, version: 1) { realm in
      let value = Self.values[index]
      for holder in realm.objects(V0.Holder.self) {
        expectEqual(holder.value, value)
        expectEqual(Array(holder.list), [value])
        expectEqual(Array(holder.set), [value])
        expectEqual(holder.map["a"], value)
      }
    }
  }

  @Test
  func `Objects are those of the same side, can be replaced, and become nil when deleted`() throws {
    try file.write(Self.types) { realm in
      let rex = realm.create(Pets.Dog.self, value: ["Rex"])
      let max = realm.create(Pets.Dog.self, value: ["Max"])
      realm.create(
        V0.Holder.self, value: [rex, [rex, max, 1] as [Any], [max], ["a": rex]] as [Any])
    }
    let calls = Box(0)
    try file.migrate(Self.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Holder") { old, new in
        calls.value += 1
        let before = old!["value"] as! MigrationObject
        let after = new!["value"] as! MigrationObject
        expectTrue(before["name"] as? String == "Rex" && after["name"] as? String == "Rex")
        expectTrue(before.objectSchema.className == "Dog" && before != after)
        new!["value"] = migration.create("Cat", value: ["Tom"])
        expectEqual((new!["value"] as? MigrationObject)?.objectSchema.className, "Cat")
        migration.delete(after)
        expectEqual((old!["value"] as? MigrationObject)?["name"] as? String, "Rex")
      }
    }
    expectEqual(calls.value, 1)
    try file.open(Self.types, version: 1) { realm in
      let holder = try #require(realm.objects(V0.Holder.self).first)
      expectEqual(holder.value.object(Pets.Cat.self)?.name, "Tom")
      expectEqual(shown(holder.list), "[nil, Max, 1]")
      expectEqual(shown(holder.set), "[Max]")
      expectEqual(shown(holder.map), "[a: nil]")
    }
  }

  @Test func `Objects in collections are read, found and carried over, too`() throws {
    try file.write(Self.types) { realm in
      let rex = realm.create(Pets.Dog.self, value: ["Rex"])
      realm.create(V0.Holder.self, value: [1, [rex, 1] as [Any], [rex], ["a": rex]] as [Any])
    }
    try file.migrate(Self.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Holder") { old, new in
        expectEqual(shown(old!["list"]), "[Rex, 1]")
        let list = new!["list"] as! List<AnyRealmValue>
        expectEqual(list[0].dynamicObject?["name"] as? String, "Rex")
        expectNil(list[1].dynamicObject)
        expectEqual(list.index(of: list[0]), 0)
        expectTrue((new!["set"] as! MutableSet<AnyRealmValue>).contains(list[0]))
        expectTrue((old!["map"] as! Map<String, AnyRealmValue>)["a"]?.rawValue is MigrationObject)
        list.append(list[0])
        new!["map"] = ["b": list[0], "c": list[0].dynamicObject as Any]
        new!["list"] = Array(list.reversed())
        migration.create("Holder", value: ["value": list[0], "set": [list[0], 2]])
      }
    }
    try expectEqual(file.shown("Holder", "list"), ["[Rex, 1, Rex]", "[]"])
    try expectEqual(file.shown("Holder", "map"), ["[b: Rex, c: Rex]", "[]"])
    try expectEqual(file.shown("Holder", "value"), ["1", "Rex"])
    try expectEqual(file.shown("Holder", "set"), ["[Rex]", "[Rex, 2]"])
    try expectEqual(file.values("Dog", "name"), ["Rex"])
  }

  @Test func `Objects of the old side are refused where they are assigned`() throws {
    try file.write(Self.types) { realm in
      let rex = realm.create(Pets.Dog.self, value: ["Rex"])
      realm.create(V0.Holder.self, value: [rex, [rex] as [Any]] as [Any])
    }
    for name in ["value", "list"] {
      let error = try file.failure(Self.types, to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Holder") { old, new in new![name] = old![name] }
      }
      expectTrue(error.message.hasPrefix("Object is already managed by another Realm."))
    }
  }
}
