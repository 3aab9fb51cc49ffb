import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Item: Object {
    @Persisted var number = 0
    @Persisted var old = ""
    @Persisted var maybe: Int?
  }
}

private enum V1 {
  class Item: Object {
    @Persisted var number = 0
    @Persisted var fresh = ""
    @Persisted var maybe: Int?
    @Persisted var ratio = 0.0
    @Persisted var flag = false
  }
}

private class Copy: Object {
  @Persisted var number = 0
  @Persisted var added = ""
}

private class Linked: Object {
  @Persisted var link: Linked?
  @Persisted var words: List<String>
}

/// Mistakes in the block: they end Realm's process, and are errors here, with Realm's messages.
@Suite("Mistakes in the block") struct MistakesTests {
  private func message(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (MigrationObject, MigrationObject) -> Void
  ) throws -> String {
    let file = try TestFile()
    try file.write([V0.Item.self]) { realm in
      realm.add(V0.Item(value: [1, "a"]))
      realm.add(V0.Item(value: [2, "b"]))
    }
    let calls = Box(0)
    let error = try file.failure(
      [V1.Item.self], to: 1, sourceLocation: sourceLocation
    ) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        guard let old, let new else { return }
        calls.value += 1
        new["number"] = 100
        body(old, new)
      }
    }
    expectEqual(calls.value, 1, "nothing is done after the mistake", sourceLocation: sourceLocation)
    expectEqual(error.code, .fail, sourceLocation: sourceLocation)
    try expectEqual(file.version, 0, sourceLocation: sourceLocation)
    try expectEqual(file.values("Item", "number"), ["1", "2"], sourceLocation: sourceLocation)
    return error.message
  }

  @Test
  func `Creating from an old object that lacks a property names both classes and the property`()
    throws
  {
    let file = try TestFile()
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: [1, "a"])) }
    let error = try file.failure([V1.Item.self, Copy.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, _ in
        guard let old else { return }
        migration.create("Copy", value: old)
      }
    }
    expectEqual(
      error.message,
      "Invalid value 'Item' to initialize object of type 'Copy': missing key "
        + "'added'. Give a dictionary with the values that exist.")
  }

  @Test func `An unknown name is a mistake in each of the ways to read and write`() throws {
    let ways: [@Sendable (MigrationObject) -> Void] = [
      { $0["typo"] = 1 },
      { $0["typo"] = nil },
      { $0.typo = 1 },
      { $0.setValue(1, forKey: "typo") },
      { expectNil($0.typo) },
      { expectNil($0.value(forKey: "typo")) },
    ]
    for way in ways {
      let message = try message { _, new in way(new) }
      expectTrue(message.hasPrefix("Invalid property name 'typo' for class 'Item'."))
    }
  }

  @Test func `A value of the wrong type is a mistake`() throws {
    let number = try message { _, new in new["number"] = "many" }
    expectEqual(number, "Invalid value 'many' of type 'String' for 'int' property 'Item.number'.")
    let maybe = try message { _, new in new["maybe"] = "many" }
    expectEqual(maybe, "Invalid value 'many' of type 'String' for 'int?' property 'Item.maybe'.")
    let flag = try message { _, new in new["flag"] = "yes" }
    expectEqual(flag, "Invalid value 'yes' of type 'String' for 'bool' property 'Item.flag'.")
  }

  @Test func `Opening the file that is being migrated is a mistake`() throws {
    let file = try TestFile()
    try file.write([V0.Item.self]) { $0.add(V0.Item(value: [1])) }
    let configuration = file.configuration([V1.Item.self], version: 1)
    let inner = Box<Realm.Error.Code?>(nil)
    try file.migrate([V1.Item.self], to: 1) { _, _ in
      do {
        _ = try Realm(configuration: configuration)
      } catch let error as Realm.Error {
        inner.value = error.code
      }
    }
    expectEqual(inner.value, .alreadyOpen)
    try expectEqual(file.version, 1)
  }

  @Test func `What a block kept of an earlier migration is refused as a value`() throws {
    let file = try TestFile()
    try file.write([Linked.self]) { $0.add(Linked(value: ["words": ["a"]])) }
    let kept = Box<[Any]>([])
    try file.migrate([Linked.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Linked") { old, new in
        kept.value = [old, new, old?["words"], new?["words"]].compactMap { $0 }
      }
    }
    let uses: [@Sendable (Migration, Int) -> Void] = [
      { migration, index in
        migration.enumerateObjects(ofType: "Linked") { _, new in
          new?[index < 2 ? "link" : "words"] = kept.value[index]
        }
      },
      { migration, index in
        migration.create(
          "Linked", value: [index < 2 ? "link" : "words": kept.value[index]] as [String: Any])
      },
      { migration, index in
        if index < 2 {
          migration.create("Linked", value: kept.value[index])
        } else {
          migration.create("Linked", value: [nil, kept.value[index]] as [Any?])
        }
      },
    ]
    for index in 0..<4 {
      for use in uses {
        let error = try file.failure([Linked.self], to: 2) { migration, _ in use(migration, index) }
        let what = index < 2 ? "An object of 'Linked'" : "A 'List<String>'"
        expectEqual(
          error.message,
          "\(what) belongs to an earlier migration, and has no values any more. Keep the values of "
            + "objects for a later migration instead of the objects.")
      }
    }
    try expectEqual(file.shown("Linked", "words").count, 1)
  }

  @Test func `The first mistake is the one that is reported`() throws {
    let message = try message { old, new in
      new["number"] = "first"
      new["typo"] = "second"
      expectEqual(old["number"] as? Int, 1, "a closure can read old objects to its end")
      expectNil(new["number"], "nothing else works any more")
    }
    expectTrue(message.contains("'first'"))
    expectFalse(message.contains("typo"))
  }
}
