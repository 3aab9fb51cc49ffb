import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Computed {
  class Item: Object {
    @Persisted var note = "note"
    @Persisted(originProperty: "item") var value: LinkingObjects<Owner>
  }
  class Owner: Object {
    @Persisted var item: Item?
    @Persisted var items: List<Item>
  }
  static let types: [ObjectBase.Type] = [Item.self, Owner.self]
}

private enum Persistent {
  class Item: Object {
    @Persisted var note = "note"
    @Persisted var value: Owner?
  }
  class Owner: Object {
    @Persisted var item: Item?
    @Persisted var items: List<Item>
  }
  static let types: [ObjectBase.Type] = [Item.self, Owner.self]
}

private enum Elsewhere {
  class Item: Object {
    @Persisted var note = "note"
    @Persisted(originProperty: "items") var value: LinkingObjects<Owner>
  }
  class Owner: Object {
    @Persisted var item: Item?
    @Persisted var items: List<Item>
  }
  static let types: [ObjectBase.Type] = [Item.self, Owner.self]
}

private enum Without {
  class Item: Object {
    @Persisted var note = "note"
  }
  class Owner: Object {
    @Persisted var item: Item?
    @Persisted var items: List<Item>
  }
  static let types: [ObjectBase.Type] = [Item.self, Owner.self]
}

/// Changes of links, collections, ids, decimals and values of any type.
@Suite("Changes of relationships") struct RelationshipChangesTests {
  private func filled(_ change: RelationshipChange) throws -> TestFile {
    let file = try TestFile()
    try file.write(change.oldTypes) { realm in
      let item = try #require(change.old as? Object.Type)
      let value = ["note": "kept", "value": change.value(), "others": [["name": "Max"]]]
      realm.create(item, value: value)
    }
    return file
  }

  @Test(arguments: RelationshipChange.all)
  func `A changed relationship without a higher version is an error`(_ change: RelationshipChange)
    throws
  {
    let file = try filled(change)
    let before = try file.storedSchema()
    let error = try file.failure(change.newTypes, to: 0) { _, _ in
      Issue.record("The block must not be called.")
    }
    expectEqual(error.code, .schemaMismatch)
    expectEqual(
      error.message,
      """
      Migration is required due to the following errors:
      - Property 'Item.value' has been \(change.line)
      """)
    try expectEqual(file.storedSchema(), before)
    try expectEqual(file.shown("Item", "value"), [change.before])
  }

  @Test(
    arguments: RelationshipChange.all)
  func `With a higher version and no block, only this property changes`(
    _ change: RelationshipChange
  ) throws {
    let file = try filled(change)
    try file.migrate(change.newTypes, to: 1)
    try expectEqual(file.shown("Item", "value"), [change.after])
    try expectEqual(file.shown("Item", "note"), ["kept"])
    try expectEqual(file.shown("Item", "others"), ["[Max]"])
    try expectTrue(file.shown("Dog", "name").contains("Max"))
    try expectSchema(of: change.new, in: file)
  }

  @Test(arguments: RelationshipChange.all)
  func `A block sees the old value and the new one`(_ change: RelationshipChange) throws {
    let file = try filled(change)
    let before = try file.storedSchema()
    let declared = change.new.init().objectSchema
    let calls = Box(0)
    try file.migrate(change.newTypes, to: 1) { migration, _ in
      expectEqual(migration.oldSchema, before)
      expectEqual(migration.newSchema["Item"]?.properties, declared.properties)
      migration.enumerateObjects(ofType: "Item") { old, new in
        calls.value += 1
        expectEqual(shown(old?["value"]), change.before)
        expectEqual(shown(new?["value"]), change.after)
        expectEqual(shown(old?["others"]), "[Max]")
        expectEqual(shown(new?["others"]), "[Max]")
        expectEqual(new?["note"] as? String, "kept")
      }
    }
    expectEqual(calls.value, 1)
    try expectEqual(file.shown("Item", "value"), [change.after])
    try expectSchema(of: change.new, in: file)
  }

  /// Compares what the file says of its columns with the class; their order is free.
  private func expectSchema(of type: ObjectBase.Type, in file: TestFile) throws {
    let stored = try #require(try file.storedSchema()["Item"])
    expectEqual(Set(stored.properties), Set(type.init().objectSchema.properties))
  }

  @Test func `A property that becomes a computed one is removed`() throws {
    let file = try TestFile()
    try file.write(Persistent.types) { realm in
      realm.create(Persistent.Owner.self, value: ["item": ["value": [:] as [String: Any]]])
    }
    let error = try file.failure(Computed.types, to: 0)
    expectEqual(
      error.message,
      """
      Migration is required due to the following errors:
      - Property 'Item.value' has been removed.
      """)
    try file.migrate(Computed.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        expectTrue(old?["value"] is MigrationObject)
        expectEqual((new?["value"] as? [MigrationObject])?.count, 1)
      }
    }
    try file.open(Computed.types, version: 1) { realm in
      let item = try #require(realm.objects(Computed.Item.self).first)
      expectEqual(item.value.count, 1)
      expectEqual(item.value.first?.item, item)
    }
    try expectEqual(file.storedSchema()["Item"]?.names, ["note"])
  }

  @Test func `A computed property needs no higher version, whatever it becomes`() throws {
    let file = try TestFile()
    try file.write(Without.types) { realm in
      realm.create(Without.Owner.self, value: ["item": ["note": "a"]])
    }
    try file.open(Computed.types) { realm in
      expectEqual(realm.objects(Computed.Item.self).first?.value.count, 1)
    }
    try file.open(Elsewhere.types) { realm in
      expectEqual(realm.objects(Elsewhere.Item.self).first?.value.count, 0)
    }
    try file.open(Without.types) { realm in
      expectEqual(realm.objects(Without.Item.self).first?.note, "a")
    }
  }

  @Test func `The class that a link leads to may be new as well`() throws {
    let file = try TestFile()
    try file.write([One<Int>.Item.self, Pets.Dog.self]) { $0.create(One<Int>.Item.self) }
    try file.migrate([One<List<Pets.Cat>>.Item.self] + Pets.types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { _, new in
        new?.dynamicList("value").append(migration.create("Cat", value: ["Tom"]))
      }
    }
    try expectEqual(file.shown("Item", "value"), ["[Tom]"])
    try expectEqual(file.storedSchema()["Cat"]?.names, ["name"])
  }
}
