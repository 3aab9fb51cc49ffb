import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Item: Object {
    @Persisted var number = 0
  }
  class Keyed: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
  }
  class Gone: Object {
    @Persisted var text = ""
  }
}

private enum V1 {
  class Fresh: Object {
    @Persisted var text = ""
  }
}

/// Deletion in a migration.
@Suite("Deletion in migrations") struct DeletionTests {
  private let file: TestFile

  init() throws {
    file = try TestFile()
    try file.write([V0.Item.self, V0.Keyed.self, V0.Gone.self]) { realm in
      for number in 0..<4 {
        realm.add(V0.Item(value: [number]))
        realm.add(V0.Keyed(value: [number, "t\(number)"]))
      }
      realm.add(V0.Gone(value: ["g"]))
    }
  }

  private let types: [ObjectBase.Type] = [V0.Item.self, V0.Keyed.self]

  @Test func `Deletions of several passes add up`() throws {
    try file.migrate(types, to: 1) { migration, _ in
      for number in [0, 2] {
        migration.enumerateObjects(ofType: "Item") { old, new in
          if let new, old?["number"] as? Int == number { migration.delete(new) }
        }
      }
    }
    try expectEqual(file.values("Item", "number"), ["1", "3"])
  }

  @Test func `A deleted object says so, and its old one is still readable`() throws {
    try file.migrate(types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Keyed") { old, new in
        guard let old, let new else { return }
        expectFalse(new.isInvalidated)
        migration.delete(new)
        expectTrue(new.isInvalidated)
        expectFalse(old.isInvalidated)
        expectEqual((old["text"] as? String)?.hasPrefix("t"), true)
      }
    }
    try expectEqual(file.values("Keyed", "id"), [])
  }

  @Test func `All objects may be deleted and created again, with the same keys`() throws {
    try file.migrate(types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Keyed") { _, new in
        if let new { migration.delete(new) }
      }
      migration.create("Keyed", value: [1, "again"])
      migration.create("Keyed", value: [9, "new"])
    }
    try file.open(types, version: 1) { realm in
      expectEqual(realm.objects(V0.Keyed.self).map(\.id), [1, 9])
      expectEqual(realm.object(ofType: V0.Keyed.self, forPrimaryKey: 1)?.text, "again")
      expectNil(realm.object(ofType: V0.Keyed.self, forPrimaryKey: 0))
    }
  }

  @Test func `Objects created after deleteData stay, also with the same keys`() throws {
    try file.migrate(types, to: 1) { migration, _ in
      expectTrue(migration.deleteData(forType: "Keyed"))
      migration.create("Keyed", value: [1, "again"])
      expectTrue(migration.deleteData(forType: "Item"))
    }
    try file.open(types, version: 1) { realm in
      expectEqual(realm.objects(V0.Keyed.self).map(\.text), ["again"])
      expectEqual(realm.object(ofType: V0.Keyed.self, forPrimaryKey: 1)?.text, "again")
      expectTrue(realm.objects(V0.Item.self).isEmpty)
      try realm.write { realm.add(V0.Item(value: [5])) }
      expectEqual(realm.objects(V0.Item.self).count, 1)
    }
  }

  @Test func `Objects of a new class that are created after deleteData are enumerated`() throws {
    let seen = Box<[String]>([])
    try file.migrate(types + [V1.Fresh.self], to: 1) { migration, _ in
      migration.create("Fresh", value: ["before"])
      migration.deleteData(forType: "Fresh")
      migration.create("Fresh", value: ["after"])
      migration.enumerateObjects(ofType: "Fresh") { _, new in
        seen.value.append(new?["text"] as? String ?? "")
      }
    }
    expectEqual(seen.value, ["after"])
  }

  @Test func `deleteData returns whether there was a table`() throws {
    let results = Box<[String: Bool]>([:])
    try file.migrate(types + [V1.Fresh.self], to: 1) { migration, _ in
      migration.deleteData(forType: "Item")
      for name in ["Item", "Gone", "Fresh", "NoSuchClass", ""] {
        results.value[name] = migration.deleteData(forType: name)
      }
      results.value["Gone again"] = migration.deleteData(forType: "Gone")
    }
    expectEqual(
      results.value,
      [
        "Item": true, "Gone": true, "Fresh": true, "NoSuchClass": false, "": false,
        "Gone again": false,
      ])
  }

  @Test func `deleteData removes the table of a class that the program lost`() throws {
    try file.migrate(types, to: 1) { migration, _ in migration.deleteData(forType: "Gone") }
    try expectEqual(file.storedSchema().names, ["Item", "Keyed"])
    try file.open(types + [V0.Gone.self], version: 1) { realm in
      expectTrue(realm.objects(V0.Gone.self).isEmpty)
    }
  }
}
