import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Plain {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var name = ""
    @Persisted var code: String?
  }
}

private enum Keyed {
  class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var code: String?
  }
}

private enum ByName {
  class Item: Object {
    @Persisted var id = 0
    @Persisted(primaryKey: true) var name = ""
    @Persisted var code: String?
  }
}

private enum ByCode {
  class Item: Object {
    @Persisted var id = 0
    @Persisted var name = ""
    @Persisted(primaryKey: true) var code: String?
  }
}

private enum ByNumber {
  class Item: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var name = ""
  }
}

private enum Retyped {
  class Item: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var name = ""
    @Persisted var code: String?
  }
}

/// Primary keys that occur more than once when a migration ends.
@Suite("Duplicate primary keys") struct DuplicateKeysTests {
  private func filled(_ rows: [[Any?]]) throws -> TestFile {
    let file = try TestFile()
    try file.write([Plain.Item.self]) { realm in
      for row in rows { realm.create(Plain.Item.self, value: row) }
    }
    return file
  }

  private static let sentence =
    "Primary key property 'Item.id' has duplicate values after migration."

  @Test
  func `A new key refuses duplicates, and says which values, how often, and in which rows`() throws
  {
    let file = try filled([[1, "a"], [2, "b"], [1, "c"], [3, "d"], [2, "e"], [1, "f"]])
    let error = try file.failure([Keyed.Item.self], to: 1)
    expectEqual(error.code, .fail)
    expectEqual(
      error.message,
      """
      \(Self.sentence)
      - 1 occurs 3 times (_id 1, 3, 6)
      - 2 occurs 2 times (_id 2, 5)
      Delete objects, or give them other values, in the migration block; or leave one of each with \
      'migration.resolveDuplicates(ofType: "Item", keeping: .first)'.
      """)
  }

  @Test func `After the refusal everything is as before, and the old classes open it`() throws {
    let file = try filled([[1, "a"], [1, "b"]])
    let before = try file.storedSchema()
    _ = try file.failure([Keyed.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { _, new in new?["name"] = "changed" }
    }
    try expectEqual(file.version, 0)
    try expectEqual(file.storedSchema(), before)
    try file.open([Plain.Item.self]) { realm in
      expectEqual(realm.objects(Plain.Item.self).map(\.name), ["a", "b"])
    }
  }

  @Test func `A block that deletes duplicates makes the migration succeed`() throws {
    let file = try filled([[1, "a"], [1, "b"], [1, "c"]])
    try expectTrue(file.failure([Keyed.Item.self], to: 1).message.hasPrefix(Self.sentence))
    try file.migrate([Keyed.Item.self], to: 1) { migration, old in
      expectEqual(old, 0)
      var seen: Set<Int> = []
      migration.enumerateObjects(ofType: "Item") { _, new in
        if let new, let id = new["id"] as? Int, !seen.insert(id).inserted {
          migration.delete(new)
        }
      }
    }
    try expectEqual(file.values("Item", "name"), ["a"])
  }

  @Test func `An existing key is checked although the classes didn't change`() throws {
    let file = try TestFile()
    try file.write([Keyed.Item.self]) { realm in
      realm.add(Keyed.Item(value: [1, "a"]))
      realm.add(Keyed.Item(value: [2, "b"]))
    }
    let written = try file.failure([Keyed.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { _, new in new?["id"] = 1 }
    }
    expectTrue(written.message.hasPrefix(Self.sentence))
    let created = try file.failure([Keyed.Item.self], to: 1) { migration, _ in
      migration.create("Item", value: [2, "again"])
    }
    expectTrue(created.message.hasPrefix(Self.sentence))
    try expectEqual(file.values("Item", "id"), ["1", "2"])
  }

  @Test func `A key that exists may be created in the block if the other one is deleted`() throws {
    let file = try TestFile()
    try file.write([Keyed.Item.self]) { $0.add(Keyed.Item(value: [1, "old"])) }
    try file.migrate([Keyed.Item.self], to: 1) { migration, _ in
      migration.create("Item", value: [1, "new"])
      migration.enumerateObjects(ofType: "Item") { _, new in
        if let new { migration.delete(new) }
      }
    }
    try expectEqual(file.values("Item", "name"), ["new"])
  }

  @Test func `Setting keys to one value fails, and setting another one first doesn't`() throws {
    let file = try filled([[1, "a"]])
    try file.migrate([Keyed.Item.self], to: 1)
    let bad = try file.failure([Keyed.Item.self], to: 2) { migration, _ in
      migration.create("Item", value: [1, "b"])
    }
    expectTrue(bad.message.hasPrefix(Self.sentence))
    try expectEqual(file.values("Item", "name"), ["a"])
    try file.migrate([Keyed.Item.self], to: 2) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { _, new in new?["id"] = 2 }
      migration.create("Item", value: [1, "b"])
    }
    try expectEqual(file.values("Item", "id"), ["2", "1"])
  }

  @Test func `Several nils are duplicates of one value`() throws {
    let file = try filled([[1, "a"], [2, "b"], [3, "c", "x"]])
    let error = try file.failure([ByCode.Item.self], to: 1)
    expectTrue(
      error.message.hasPrefix(
        "Primary key property 'Item.code' has duplicate values after migration."))
    expectTrue(error.message.contains("- nil occurs 2 times (_id 1, 2)"))
    try file.migrate([ByCode.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        if old?["id"] as? Int == 1 { new?["code"] = "y" }
      }
    }
    try expectEqual(file.values("Item", "code"), ["y", "nil", "x"])
  }

  @Test func `Strings are compared byte by byte`() throws {
    let different = try filled([[1, "a"], [2, "A"], [3, "é"], [4, "e\u{301}"], [5, "a "]])
    try different.migrate([ByName.Item.self], to: 1)
    try expectEqual(different.values("Item", "id"), ["1", "2", "3", "4", "5"])
    let same = try filled([[1, "it's"], [2, "it's"]])
    let error = try same.failure([ByName.Item.self], to: 1)
    expectTrue(error.message.contains("'it's' occurs 2 times"))
  }

  @Test func `A key that is a new required property has the same value in all objects`() throws {
    let file = try filled([[1, "a"], [2, "b"]])
    let error = try file.failure([ByNumber.Item.self], to: 1)
    expectTrue(
      error.message.hasPrefix(
        "Primary key property 'Item.number' has duplicate values after migration.\n"
          + "- 0 occurs 2 times"))
    let one = try filled([[1, "a"]])
    try one.migrate([ByNumber.Item.self], to: 1)
    try expectEqual(one.values("Item", "number"), ["0"])
  }

  @Test func `A key of another type has the same value in all objects without a block`() throws {
    let file = try filled([[1, "a"], [2, "b"]])
    try file.migrate([Keyed.Item.self], to: 1)
    let error = try file.failure([Retyped.Item.self], to: 2)
    expectTrue(error.message.hasPrefix("\(Self.sentence)\n- '' occurs 2 times"))
    try expectEqual(file.values("Item", "id"), ["1", "2"])
  }
}
