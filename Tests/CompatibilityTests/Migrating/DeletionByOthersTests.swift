import Strata
import StrataTestKit
import TestKit
import Testing

private class Item: Object {
  @Persisted var number = 0
  @Persisted var twin: Item?
  @Persisted var part: Part?
  @Persisted var parts: List<Part>
  @Persisted var words: List<String>
}

private class Part: EmbeddedObject {
  @Persisted var text = ""
}

/// Objects of a migration whose rows are deleted through other instances.
@Suite("Deletion by way of others in migrations") struct DeletionByOthersTests {
  private let types: [ObjectBase.Type] = [Item.self, Part.self]

  private func filled() throws -> TestFile {
    let file = try TestFile()
    try file.write(types) { realm in
      for number in 0..<3 {
        realm.add(
          Item(value: ["number": number, "part": ["p\(number)"], "parts": [["q"], ["r"]]]))
      }
    }
    return file
  }

  /// Expects that a block fails because of a deleted object of a class, and changes nothing.
  private func expectRefusal(
    _ className: String = "Item", sourceLocation: SourceLocation = #_sourceLocation,
    _ block: @escaping MigrationBlock
  ) throws {
    let file = try filled()
    let error = try file.failure(types, to: 1, sourceLocation: sourceLocation, block)
    expectEqual(
      error.message, "Object has been deleted or invalidated. ('\(className)')",
      sourceLocation: sourceLocation)
    try expectEqual(
      file.values("Item", "number"), ["0", "1", "2"], sourceLocation: sourceLocation)
  }

  private static let deletions: [@Sendable (Migration, MigrationObject) -> Void] = [
    { migration, new in
      migration.enumerateObjects(ofType: "Item") { old, other in
        if let other, old?["number"] as? Int == 1 { migration.delete(other) }
      }
    },
    { migration, new in
      new["twin"] = new
      if let twin = new["twin"] as? MigrationObject { migration.delete(twin) }
    },
    { migration, _ in migration.deleteData(forType: "Item") },
    { migration, _ in migration.delete(ofType: "Item", where: "number == 1") },
  ]

  @Test(arguments: deletions.indices)
  func `The current object of a loop says so when it is set, read and given a list`(
    way: Int
  ) throws {
    let uses: [@Sendable (MigrationObject) -> Void] = [
      { $0["number"] = 100 },
      { expectNil($0["number"]) },
      { $0["words"] = ["a"] },
      { ($0["words"] as? List<String>)?.append("a") },
      { $0["twin"] = $0 },
    ]
    for use in uses {
      try expectRefusal { migration, _ in
        migration.enumerateObjects(ofType: "Item") { old, new in
          guard let new, old?["number"] as? Int == 1 else { return }
          new["number"] = 50
          Self.deletions[way](migration, new)
          expectTrue(new.isInvalidated)
          use(new)
        }
      }
    }
  }

  @Test func `What the loop sets in the other objects stays`() throws {
    let file = try filled()
    try file.migrate(types, to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        guard let number = old?["number"] as? Int else { return }
        new?["number"] = number + 10
        if number == 1, let new { Self.deletions[0](migration, new) }
      }
    }
    try expectEqual(file.values("Item", "number"), ["10", "12"])
  }

  @Test func `The current object of a typed loop says so`() throws {
    try expectRefusal { migration, _ in
      migration.enumerate(Item.self, Item.self) { old, new in
        guard old.number == 1 else { return }
        migration.enumerate(Item.self, Item.self) { old, new in
          if old.number == 1 { migration.delete(new) }
        }
        expectTrue(new.isInvalidated)
        new.number = 100
      }
    }
  }

  @Test func `A current embedded object whose parent is deleted says so`() throws {
    try expectRefusal("Part") { migration, _ in
      var items: [MigrationObject] = []
      migration.enumerateObjects(ofType: "Item") { _, new in if let new { items.append(new) } }
      migration.enumerateObjects(ofType: "Part") { old, new in
        guard let new, old?["text"] as? String == "p1" else { return }
        migration.delete(items[1])
        expectTrue(new.isInvalidated)
        new["text"] = "lost"
      }
    }
  }

  @Test func `A kept embedded object that is replaced or deleted with its parent says so`() throws {
    let ways: [@Sendable (Migration, MigrationObject) -> Void] = [
      { migration, item in migration.delete(item) },
      { _, item in item["part"] = ["text": "other"] },
    ]
    for way in ways {
      try expectRefusal("Part") { migration, _ in
        migration.enumerateObjects(ofType: "Item") { _, new in
          guard let new, let part = new["part"] as? MigrationObject else { return }
          way(migration, new)
          expectTrue(part.isInvalidated)
          part["text"] = "lost"
        }
      }
    }
  }

  @Test func `A list of a deleted object takes no elements`() throws {
    try expectRefusal { migration, _ in
      var lists: [List<String>] = []
      var items: [MigrationObject] = []
      migration.enumerateObjects(ofType: "Item") { _, new in
        guard let new, let words = new["words"] as? List<String> else { return }
        items.append(new)
        lists.append(words)
      }
      migration.enumerateObjects(ofType: "Item") { _, new in
        if let new { migration.delete(new) }
      }
      expectTrue(lists[0].isInvalidated)
      lists[0].append("lost")
    }
  }
}
