import Strata
import StrataTestKit
import TestKit
import Testing

private enum Before {
  class Item: Object {
    @Persisted var number = 0
    @Persisted var tag: List<String>
    @Persisted var gone1 = ""
    @Persisted var gone2 = ""
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

/// Needs another table, which the first loop makes.
private enum After {
  class Item: Object {
    @Persisted var _id = 0.5
    @Persisted var number = 0
    @Persisted var tag: String?
  }

  class Named: Object {
    @Persisted var name: String?
    @Persisted var number = 0
  }

  class Linked: Object {
    @Persisted var number = 0
  }
}

/// Nested loops over the same class, and changes of a class during a loop.
@Suite struct LoopsInLoopsTests {
  private func makeItems() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.write([Before.Item.self]) { realm in
      for number in 1...3 {
        realm.create(Before.Item.self, value: ["number": number, "tag": ["x"]])
      }
    }
    return folder
  }

  @Test func `A value that the inner loop sets after the outer one stays`() throws {
    let folder = try makeItems()
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Item") { _, outer in
        outer!["number"] = 10
        migration.enumerateObjects(ofType: "Item") { old, inner in
          inner!["number"] = (old!["number"] as! Int) + 20
        }
        expectTrue(outer!["number"] as? Int != 10)
      }
    }
    try folder.open([Before.Item.self], version: 1, block) { realm in
      expectEqual(realm.objects(Before.Item.self).map(\.number), [21, 22, 23])
    }
  }

  @Test func `The last of two values that two loops set in one row stays`() throws {
    let folder = try makeItems()
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Item") { outerOld, outer in
        migration.enumerateObjects(ofType: "Item") { old, inner in
          guard old!["number"] as? Int == outerOld!["number"] as? Int else { return }
          outer!["number"] = 1
          inner!["number"] = 2
          inner!["gone1"] = "inner"
          outer!["gone1"] = "outer"
          expectEqual(outer!["number"] as? Int, 2)
          expectEqual(inner!["gone1"] as? String, "outer")
        }
        outer!["gone2"] = "end"
      }
    }
    try folder.open([Before.Item.self], version: 1, block) { realm in
      let items = realm.objects(Before.Item.self)
      expectEqual(items.map(\.number), [2, 2, 2])
      expectEqual(items.map(\.gone1), ["outer", "outer", "outer"])
      expectEqual(items.map(\.gone2), ["end", "end", "end"])
    }
  }

  @Test func `The inner loop sets rows while the outer one is rebuilding the table`() throws {
    let folder = try makeItems()
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Item") { outerOld, outer in
        outer!["tag"] = "outer"
        migration.enumerateObjects(ofType: "Item") { _, inner in
          inner!["tag"] = "inner \(outerOld!["number"]!)"
          inner!["_id"] = 1.5
        }
      }
    }
    try folder.open([After.Item.self], version: 1, block) { realm in
      let items = realm.objects(After.Item.self)
      expectEqual(items.map(\.tag), ["inner 3", "inner 3", "inner 3"])
      expectEqual(items.map(\._id), [1.5, 1.5, 1.5])
      expectEqual(items.map(\.number), [1, 2, 3])
    }
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
    try folder.open([After.Named.self, After.Item.self], version: 1, block) { realm in
      let objects = realm.objects(After.Named.self)
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
    try folder.open([After.Linked.self], version: 1, block) { realm in
      expectEqual(realm.objects(After.Linked.self).map(\.number), [10, 20, 30])
    }
  }
}
