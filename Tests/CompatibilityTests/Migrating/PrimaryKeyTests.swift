import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Plain {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var name = ""
  }
}

private enum Keyed {
  class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
  }
}

private enum ByName {
  class Item: Object {
    @Persisted var id = 0
    @Persisted(primaryKey: true) var name = ""
  }
}

private enum Text {
  class Item: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name = ""
  }
}

private enum Unique {
  class Item: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var name = ""
  }
}

private enum OptionalKey {
  class Item: Object {
    @Persisted(primaryKey: true) var id: Int?
    @Persisted var name = ""
  }
}

private enum OptionalName {
  class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name: String?
  }
}

private enum Function {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var name = ""
    override static func primaryKey() -> String? { "id" }
  }
}

private enum NoKeys {
  class Item: Object {
    @Persisted var name = ""
  }
}

/// Primary keys that are added, removed and changed in migrations.
@Suite("Primary keys") struct PrimaryKeyTests {
  private func filled(_ type: Object.Type, _ count: Int = 3) throws -> TestFile {
    let file = try TestFile()
    try file.write([type]) { realm in
      for number in 0..<count {
        realm.create(type, value: ["id": number, "name": "n\(number)"])
      }
    }
    return file
  }

  @Test func `A key is added to unique values by a higher version alone`() throws {
    let file = try filled(Plain.Item.self)
    try file.migrate([Keyed.Item.self], to: 1)
    try file.open([Keyed.Item.self], version: 1) { realm in
      expectEqual(realm.objects(Keyed.Item.self).map(\.id), [0, 1, 2])
      expectEqual(realm.object(ofType: Keyed.Item.self, forPrimaryKey: 1)?.name, "n1")
    }
  }

  @Test func `A key is removed, and values may be the same then`() throws {
    let file = try filled(Keyed.Item.self)
    try file.migrate([Plain.Item.self], to: 1)
    try file.write([Plain.Item.self], version: 1) { $0.add(Plain.Item(value: [1, "twin"])) }
    try expectEqual(file.values("Item", "id"), ["0", "1", "2", "1"])
    let schema = try #require(try file.storedSchema()["Item"])
    expectNil(schema.primaryKeyProperty)
    expectEqual(schema["id"]?.isIndexed, false)
  }

  @Test func `Another property becomes the key`() throws {
    let file = try filled(Keyed.Item.self)
    try file.migrate([ByName.Item.self], to: 1)
    try file.open([ByName.Item.self], version: 1) { realm in
      expectEqual(realm.object(ofType: ByName.Item.self, forPrimaryKey: "n2")?.id, 2)
      try realm.write { realm.add(ByName.Item(value: [2, "n3"])) }
    }
  }

  @Test func `Another property becomes the key with values that the block writes`() throws {
    let file = try TestFile()
    try file.write([Keyed.Item.self]) { realm in
      for number in 0..<3 { realm.add(Keyed.Item(value: [number, "same"])) }
    }
    try file.migrate([ByName.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        new?["name"] = "key \(text(old?["id"]))"
      }
    }
    try file.open([ByName.Item.self], version: 1) { realm in
      expectEqual(realm.object(ofType: ByName.Item.self, forPrimaryKey: "key 1")?.id, 1)
      expectEqual(realm.objects(ByName.Item.self).map(\.id), [0, 1, 2])
    }
  }

  @Test func `The key moves to a property that was optional, in one stage`() throws {
    let file = try TestFile()
    try file.write([OptionalName.Item.self]) { realm in
      realm.add(OptionalName.Item(value: [1]))
      realm.add(OptionalName.Item(value: [2, "b"]))
    }
    try file.migrate([ByName.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        new?["name"] = old?["name"] as? String ?? "was nil"
      }
    }
    try file.open([ByName.Item.self], version: 1) { realm in
      expectEqual(realm.object(ofType: ByName.Item.self, forPrimaryKey: "was nil")?.id, 1)
      expectEqual(realm.object(ofType: ByName.Item.self, forPrimaryKey: "b")?.id, 2)
    }
  }

  @Test func `A key of another type gets what the block writes`() throws {
    let file = try filled(Keyed.Item.self)
    try file.migrate([Text.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        new?["id"] = (old?["id"] as? Int).map { "#\($0)" }
      }
    }
    try file.open([Text.Item.self], version: 1) { realm in
      expectEqual(realm.object(ofType: Text.Item.self, forPrimaryKey: "#2")?.name, "n2")
      expectEqual(realm.objects(Text.Item.self).map(\.id), ["#0", "#1", "#2"])
    }
  }

  @Test(arguments: [0, 1])
  func `A key of another type needs no block while there is at most one object`(count: Int) throws {
    let file = try filled(Keyed.Item.self, count)
    try file.migrate([Unique.Item.self], to: 1)
    try file.open([Unique.Item.self], version: 1) { realm in
      expectEqual(realm.objects(Unique.Item.self).count, count)
      let id = UUID()
      try realm.write { realm.add(Unique.Item(value: [id, "new"])) }
      expectEqual(realm.object(ofType: Unique.Item.self, forPrimaryKey: id)?.name, "new")
    }
  }

  @Test func `A required key becomes optional, and nil is one value of it`() throws {
    let file = try filled(Keyed.Item.self)
    try file.migrate([OptionalKey.Item.self], to: 1)
    try file.open([OptionalKey.Item.self], version: 1) { realm in
      expectEqual(realm.objects(OptionalKey.Item.self).map(\.id), [0, 1, 2])
      try realm.write { realm.add(OptionalKey.Item(value: [nil, "none"] as [Any?])) }
      #expect(throws: Realm.Error.self) {
        try realm.write { realm.add(OptionalKey.Item(value: [nil, "again"] as [Any?])) }
      }
      expectEqual(realm.objects(OptionalKey.Item.self).count, 4)
    }
  }

  @Test(arguments: [false, true])
  func `An optional key becomes required and keeps its values`(withBlock: Bool) throws {
    let file = try filled(OptionalKey.Item.self)
    try file.migrate([Keyed.Item.self], to: 1, withBlock ? idleBlock : nil)
    try file.open([Keyed.Item.self], version: 1) { realm in
      expectEqual(realm.objects(Keyed.Item.self).map(\.id), [0, 1, 2])
      expectEqual(realm.object(ofType: Keyed.Item.self, forPrimaryKey: 2)?.name, "n2")
    }
    try expectEqual(file.storedSchema()["Item"]?.primaryKeyProperty?.name, "id")
  }

  @Test func `Each key can be moved by one, with equal values between two rows`() throws {
    let file = try filled(Keyed.Item.self, 10)
    try file.migrate([Keyed.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        new?["id"] = (old?["id"] as? Int).map { $0 + 1 }
      }
    }
    try file.open([Keyed.Item.self], version: 1) { realm in
      expectEqual(realm.objects(Keyed.Item.self).map(\.id), Array(1...10))
      expectEqual(realm.object(ofType: Keyed.Item.self, forPrimaryKey: 10)?.name, "n9")
      expectNil(realm.object(ofType: Keyed.Item.self, forPrimaryKey: 0))
    }
  }

  @Test func `String keys can be shifted as well`() throws {
    let file = try filled(Text.Item.self, 0)
    try file.write([Text.Item.self]) { realm in
      for number in 0..<10 { realm.add(Text.Item(value: ["\(number)", "n\(number)"])) }
    }
    try file.migrate([Text.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        let number = (old?["id"] as? String).flatMap { Int($0) }
        new?["id"] = number.map { "\($0 + 1)" }
      }
    }
    try file.open([Text.Item.self], version: 1) { realm in
      expectEqual(realm.object(ofType: Text.Item.self, forPrimaryKey: "10")?.name, "n9")
      expectNil(realm.object(ofType: Text.Item.self, forPrimaryKey: "0"))
    }
  }

  @Test func `Objects are created with one key, and get their own afterwards`() throws {
    for type in [Keyed.Item.self, Text.Item.self] as [Object.Type] {
      let file = try TestFile()
      try file.migrate([type], to: 0)
      let isText = type == Text.Item.self
      try file.migrate([type], to: 1) { migration, _ in
        let created = (0..<10).map { _ in migration.create("Item") }
        for (number, object) in created.enumerated() {
          object["id"] = isText ? "\(number)" : number
        }
      }
      try expectEqual(file.values("Item", "id"), (0..<10).map(String.init))
    }
  }

  @Test func `Objects can be created in the version that adds the key`() throws {
    let file = try filled(Plain.Item.self)
    try file.migrate([Keyed.Item.self], to: 1) { migration, _ in
      migration.create("Item", value: [7, "seven"])
    }
    try file.open([Keyed.Item.self], version: 1) { realm in
      expectEqual(realm.object(ofType: Keyed.Item.self, forPrimaryKey: 7)?.name, "seven")
    }
  }

  @Test func `A key that is a new required property can be filled by the block`() throws {
    let file = try TestFile()
    try file.write([NoKeys.Item.self]) { realm in
      for name in ["a", "b"] { realm.add(NoKeys.Item(value: [name])) }
    }
    let number = Box(0)
    try file.migrate([Keyed.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { _, new in
        number.value += 1
        new?["id"] = number.value
      }
    }
    try file.open([Keyed.Item.self], version: 1) { realm in
      expectEqual(realm.object(ofType: Keyed.Item.self, forPrimaryKey: 2)?.name, "b")
    }
  }

  @Test func `primaryKey() is the same key as the attribute`() throws {
    let file = try filled(Keyed.Item.self)
    try file.open([Function.Item.self]) { realm in
      expectEqual(realm.object(ofType: Function.Item.self, forPrimaryKey: 1)?.name, "n1")
    }
  }
}
