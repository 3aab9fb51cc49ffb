import Strata
import StrataTestKit
import TestKit
import Testing

private enum Before {
  class Item: Object {
    @Persisted var number = 0
    @Persisted var name = "a"
    @Persisted var size = 5
    @Persisted var _id = 7
  }

  class Shelf: Object {
    @Persisted var items: List<Item>
    @Persisted var names: List<String>
    @Persisted var count = 3
  }

  class Owner: Object {
    @Persisted var part: Part?
  }

  class Other: Object {
    @Persisted var part: Part?
  }

  class Part: EmbeddedObject {
    @Persisted var name = ""
  }

  class Named: Object {
    @Persisted var _id: String?
    @Persisted var other: Item?
    @Persisted var number = 0
  }

  class Linked: Object {
    @Persisted var _id: Item?
    @Persisted var number = 0
  }
}

private enum WithoutIdentities {
  class Named: Object {
    @Persisted var name: String?
    @Persisted var number = 0
  }

  class Linked: Object {
    @Persisted var number = 0
  }
}

private enum ToIdentity {
  class Item: Object {
    @Persisted var name = "a"
    @Persisted var size = 5
    @Persisted var _id = 0
  }
}

private enum WithoutIdentity {
  class Item: Object {
    @Persisted var number = 0
    @Persisted var name = "a"
    @Persisted var size = 5
  }
}

private enum FromIdentity {
  class Item: Object {
    @Persisted var number = ""
    @Persisted var name = "a"
    @Persisted var size = 5
    @Persisted var code = 0
  }
}

private enum Swapped {
  class Shelf: Object {
    @Persisted var names = 0
  }
}

private enum Later {
  class Shelf: Object {
    @Persisted var names: List<String>
  }
}

private enum WithoutOwner {
  class Other: Object {
    @Persisted var part: Before.Part?
  }
}

/// Failures that random blocks found.
@Suite struct NamesInTheWayTests {
  @Test func `A property is renamed to _id`() throws {
    let folder = try TestFolder()
    try folder.write([WithoutIdentity.Item.self]) { realm in
      realm.create(WithoutIdentity.Item.self, value: ["number": 1])
    }
    let block: MigrationBlock = { migration, _ in
      migration.renameProperty(onType: "Item", from: "number", to: "_id")
    }
    try folder.open([ToIdentity.Item.self], version: 1, block) { realm in
      expectEqual(realm.objects(ToIdentity.Item.self).map(\._id), [1])
    }
  }

  @Test func `A property _id is renamed after a loop that rebuilds the table`() throws {
    let folder = try TestFolder()
    try folder.write([Before.Item.self]) { realm in realm.create(Before.Item.self) }
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        new!["number"] = "\(old!["number"]!)"
      }
      migration.renameProperty(onType: "Item", from: "_id", to: "code")
    }
    try folder.open([FromIdentity.Item.self], version: 1, block) { realm in
      expectEqual(realm.objects(FromIdentity.Item.self).map(\.code), [7])
    }
  }

  @Test func `A rename takes the place of a value where a collection had the name`() throws {
    let folder = try TestFolder()
    try folder.write([Before.Shelf.self, Before.Item.self]) { realm in
      realm.create(Before.Shelf.self)
    }
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Shelf") { _, _ in }
      migration.renameProperty(onType: "Shelf", from: "count", to: "names")
    }
    try folder.open([Swapped.Shelf.self], version: 1, block) { realm in
      expectEqual(realm.objects(Swapped.Shelf.self).map(\.names), [3])
    }
    // The name is free for another collection.
    try folder.open([Later.Shelf.self], version: 2) { realm in
      expectEqual(realm.objects(Later.Shelf.self).map { Array($0.names) }, [[]])
    }
  }

  @Test func `Objects that were deleted with a removed class don't come in a loop`() throws {
    let folder = try TestFolder()
    try folder.write([Before.Owner.self, Before.Other.self, Before.Part.self]) { realm in
      realm.create(Before.Owner.self, value: ["part": ["name": "goes"]])
      realm.create(Before.Other.self, value: ["part": ["name": "stays"]])
    }
    let block: MigrationBlock = { migration, _ in
      migration.deleteData(forType: "Owner")
      var names: [String] = []
      migration.enumerateObjects(ofType: "Part") { old, _ in names.append(old!["name"] as! String) }
      expectEqual(names, ["stays"])
    }
    try folder.open([WithoutOwner.Other.self, Before.Part.self], version: 1, block) { _ in }
  }

  @Test func `A loop continues when its class renames its property _id`() throws {
    let folder = try TestFolder()
    try folder.write([Before.Named.self, Before.Item.self]) { realm in
      for name in ["a", "b", "c"] { realm.create(Before.Named.self, value: ["_id": name]) }
    }
    let block: MigrationBlock = { migration, _ in
      var kept: MigrationObject?
      migration.enumerateObjects(ofType: "Named") { old, new in
        new!["number"] = 1
        if kept == nil {
          kept = new
          migration.renameProperty(onType: "Named", from: "_id", to: "name")
        }
        expectEqual(new!["name"] as? String, old!["_id"] as? String)
        new!["number"] = (new!["number"] as? Int ?? 0) + 1
      }
      expectEqual(kept?["name"] as? String, "a")
      kept?["number"] = 5
    }
    let types: [Object.Type] = [WithoutIdentities.Named.self, Before.Item.self]
    try folder.open(types, version: 1, block) { realm in
      let objects = realm.objects(WithoutIdentities.Named.self)
      expectEqual(objects.map(\.name), ["a", "b", "c"])
      expectEqual(objects.map(\.number), [5, 2, 2])
    }
  }

  @Test func `A loop continues when the class that its property _id links to is removed`() throws {
    let folder = try TestFolder()
    try folder.write([Before.Linked.self, Before.Item.self]) { realm in
      for number in 1...3 {
        realm.create(Before.Linked.self, value: ["_id": ["number": 1], "number": number])
      }
    }
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Linked") { old, new in
        new!["number"] = 0
        migration.deleteData(forType: "Item")
        new!["number"] = (new!["number"] as? Int ?? 0) + (old!["number"] as? Int ?? 0) * 10
      }
    }
    try folder.open([WithoutIdentities.Linked.self], version: 1, block) { realm in
      expectEqual(realm.objects(WithoutIdentities.Linked.self).map(\.number), [10, 20, 30])
    }
  }
}
