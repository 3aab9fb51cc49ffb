import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Number: Int, PersistableEnum {
  case one = 1
}

private enum Word: String, PersistableEnum {
  case one
}

private typealias Dog = Pets.Dog

/// A type of elements, and the type that a block casts collections of them to.
struct ElementCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// The classes with a list, a set, and a map of the elements.
  var classes: [ObjectBase.Type]
  var elements: @Sendable () -> [Any?]
  var expected: @Sendable (_ value: Any?, _ class: Int) -> Bool

  init<
    Element: RealmCollectionValue & SendableMetatype, Seen: RealmCollectionValue & SendableMetatype
  >(
    _: Element.Type, seen _: Seen.Type, _ value: Element
  ) {
    testDescription = "\(Element.self)"
    classes = [
      One<List<Element>>.Item.self, One<MutableSet<Element>>.Item.self,
      One<Map<String, Element>>.Item.self,
    ]
    nonisolated(unsafe) let value = value
    elements = { [value] }
    expected = { found, kind in
      switch kind {
      case 0: (found as? List<Seen>)?.count == 1
      case 1: (found as? MutableSet<Seen>)?.count == 1
      default: (found as? Map<String, Seen>)?.count == 1
      }
    }
  }

  init<Element: RealmCollectionValue & SendableMetatype>(_ value: Element) {
    self.init(Element.self, seen: Element.self, value)
  }

  static let date = Date(timeIntervalSince1970: 1)

  static let required = [
    ElementCase(true), ElementCase(1),
    ElementCase(Int8.self, seen: Int.self, 1), ElementCase(Int16.self, seen: Int.self, 1),
    ElementCase(Int32.self, seen: Int.self, 1), ElementCase(Int64.self, seen: Int.self, 1),
    ElementCase(Float(1)), ElementCase(1.5), ElementCase("a"), ElementCase(Data([1])),
    ElementCase(date), ElementCase(Decimal128(1)), ElementCase(ObjectId.generate()),
    ElementCase(UUID()), ElementCase(AnyRealmValue.int(1)),
    ElementCase(Number.self, seen: Int.self, .one),
    ElementCase(Word.self, seen: String.self, .one),
  ]

  static let optional = [
    ElementCase(true as Bool?), ElementCase(1 as Int?),
    ElementCase(Int8?.self, seen: Int?.self, 1), ElementCase(Int16?.self, seen: Int?.self, nil),
    ElementCase(Int32?.self, seen: Int?.self, 1), ElementCase(Int64?.self, seen: Int?.self, nil),
    ElementCase(nil as Float?), ElementCase(1.5 as Double?), ElementCase(nil as String?),
    ElementCase(Data([1]) as Data?), ElementCase(nil as Date?), ElementCase(nil as Decimal128?),
    ElementCase(ObjectId.generate() as ObjectId?), ElementCase(nil as UUID?),
    ElementCase(Number?.self, seen: Int?.self, .one),
    ElementCase(Word?.self, seen: String?.self, nil),
  ]
}

private enum Objects {
  class Item: Object {
    @Persisted var list: List<Dog>
    @Persisted var set: MutableSet<Dog>
    @Persisted var map: Map<String, Dog?>
    @Persisted var link: Dog?
  }
}

/// The exact types of collections of migration objects.
@Suite("Types of collections in a migration") struct CollectionAccessTests {
  @Test(arguments: ElementCase.required + ElementCase.optional)
  func `Collections of values of each type are read on both sides`(_ element: ElementCase) throws {
    for (kind, type) in element.classes.enumerated() {
      let file = try TestFile()
      try file.write([type, Dog.self]) { realm in
        let item = try #require(type as? Object.Type)
        let elements = element.elements()
        let value: Any = kind == 2 ? ["key": elements[0]] : elements
        realm.create(item, value: ["value": value])
      }
      let calls = Box(0)
      try file.migrate([type, Dog.self], to: 1) { migration, _ in
        migration.enumerateObjects(ofType: "Item") { old, new in
          calls.value += 1
          expectTrue(element.expected(old?["value"], kind), "\(Swift.type(of: old?["value"]))")
          expectTrue(element.expected(new?["value"], kind))
          expectTrue(element.expected(new?.value(forKey: "value"), kind))
        }
      }
      expectEqual(calls.value, 1)
    }
  }

  @Test func `Collections of objects have those of the same side, and so do links`() throws {
    let file = try TestFile()
    try file.write([Objects.Item.self, Dog.self]) { realm in
      let rex = realm.create(Dog.self, value: ["Rex"])
      realm.create(Objects.Item.self, value: [[rex], [rex], ["a": rex], rex] as [Any])
    }
    let calls = Box(0)
    try file.migrate([Objects.Item.self, Dog.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        calls.value += 1
        guard let old, let new else { return }
        for side in [old, new] {
          let list = side["list"] as! List<MigrationObject>
          let set = side["set"] as! MutableSet<DynamicObject>
          let map = side["map"] as! Map<String, DynamicObject?>
          let dog = side["link"] as! MigrationObject
          expectTrue(list.count == 1 && set.count == 1 && map.count == 1)
          expectTrue(list[0] == dog && set.first == dog && map["a"] == .some(dog))
          expectEqual(side.dynamicList("list")[0], dog)
          expectTrue(side.dynamicMutableSet("set").contains(dog))
          expectEqual(side.dynamicMap("map")["a"], .some(dog))
          expectTrue(dog["name"] as? String == "Rex" && dog.name as? String == "Rex")
          expectEqual(list.first?.objectSchema.className, "Dog")
        }
        expectTrue(old["link"] as? MigrationObject != new["link"] as? MigrationObject)
      }
    }
    expectEqual(calls.value, 1)
  }

  @Test(
    arguments: ["list", "set", "map", "link", "nothing"])
  func `dynamicList and similar functions need a collection of objects of their kind`(name: String)
    throws
  {
    let file = try TestFile()
    try file.write([Objects.Item.self, Dog.self]) { $0.create(Objects.Item.self) }
    func message(
      _ kind: String, _ read: @escaping @Sendable (MigrationObject) -> Int
    ) throws -> String? {
      do {
        try file.migrate([Objects.Item.self, Dog.self], to: file.version + 1) { migration, _ in
          migration.enumerateObjects(ofType: "Item") { old, _ in _ = read(old!) }
        }
        return nil
      } catch let error as Realm.Error {
        return error.message
      }
    }
    let results = [
      "list": try message("list") { $0.dynamicList(name).count },
      "set": try message("set") { $0.dynamicMutableSet(name).count },
      "map": try message("map") { $0.dynamicMap(name).count },
    ]
    for (kind, result) in results {
      if kind == name {
        expectNil(result)
      } else if name == "nothing" {
        expectEqual(result?.hasPrefix("Invalid property name 'nothing' for class 'Item'."), true)
      } else {
        expectEqual(result, "'Item.\(name)' is not a \(kind) of objects.")
      }
    }
  }
}
