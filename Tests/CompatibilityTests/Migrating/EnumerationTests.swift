import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias V0 = Items.V1

private enum V1 {
  class Item: Object {
    @Persisted var number = 0
    @Persisted var text = ""
    @Persisted var note: String?
  }
}

/// The pairs of objects that `enumerateObjects` passes to its closure.
@Suite("Enumeration") struct EnumerationTests {
  private func filled(_ count: Int = 4) throws -> TestFile {
    let file = try TestFile()
    try file.write([V0.Item.self, V0.Gone.self]) { realm in
      for number in 0..<count { realm.add(V0.Item(value: [number, "t\(number)"])) }
      realm.add(V0.Gone(value: ["g0"]))
      realm.add(V0.Gone(value: ["g1"]))
    }
    return file
  }

  /// The numbers of the pairs of one pass; also checks that they belong together.
  private static func pass(_ migration: Migration) -> [Int] {
    var numbers: [Int] = []
    migration.enumerateObjects(ofType: "Item") { old, new in
      expectEqual(old?["number"] as? Int, new?["number"] as? Int)
      expectEqual(old?["text"] as? String, new?["text"] as? String)
      if let number = old?["number"] as? Int { numbers.append(number) }
    }
    return numbers
  }

  @Test
  func `A class without objects has no calls, and an unknown class is not a mistake`() throws {
    let file = try TestFile()
    try file.migrate([V0.Item.self], to: 0)
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      for name in ["Item", "NoSuchClass"] {
        migration.enumerateObjects(ofType: name) { _, _ in Issue.record("Nothing to call for.") }
      }
    }
    try expectEqual(file.version, 1)
  }

  @Test
  func `Objects come in the order in which they were added, however often they are enumerated`()
    throws
  {
    let file = try filled()
    let passes = Box<[[Int]]>([])
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      for _ in 0..<2 { passes.append(EnumerationTests.pass(migration)) }
    }
    expectEqual(passes.value, [[0, 1, 2, 3], [0, 1, 2, 3]])
  }

  @Test func `A later pass sees what an earlier one wrote, beside the old values`() throws {
    let file = try filled(2)
    let seen = Box<[String]>([])
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in new?["text"] = "new" }
      migration.enumerateObjects(ofType: "Item") { old, new in
        seen.append("\(text(old?["text"])) \(text(new?["text"]))")
      }
    }
    expectEqual(seen.value, ["t0 new", "t1 new"])
  }

  @Test(
    arguments: [[0], [1], [3], [0, 2], [0, 1, 2, 3]])
  func `Deleted objects don't come again, and the others stay paired`(numbers: [Int]) throws {
    let file = try filled()
    let passes = Box<[[Int]]>([])
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        if let new, let number = old?["number"] as? Int, numbers.contains(number) {
          migration.delete(new)
        }
      }
      passes.append(EnumerationTests.pass(migration))
    }
    let left = (0..<4).filter { !numbers.contains($0) }
    expectEqual(passes.value, [left])
    try expectEqual(file.values("Item", "number"), left.map(String.init))
  }

  @Test func `Created objects are not enumerated, and don't replace deleted ones`() throws {
    let file = try filled()
    let passes = Box<[[Int]]>([])
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        if let new, old?["number"] as? Int == 3 { migration.delete(new) }
      }
      migration.create("Item", value: ["number": 10])
      passes.append(EnumerationTests.pass(migration))
      migration.enumerateObjects(ofType: "Item") { _, new in
        if let new { migration.delete(new) }
      }
      migration.create("Item", value: ["number": 11])
      passes.append(EnumerationTests.pass(migration))
    }
    expectEqual(passes.value, [[0, 1, 2], []])
    try expectEqual(file.values("Item", "number"), ["10", "11"])
  }

  @Test func `Objects that are created inside of a loop don't lengthen it`() throws {
    let file = try filled(3)
    let calls = Box(0)
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { _, _ in
        calls.value += 1
        migration.create("Item", value: ["number": 100])
      }
    }
    expectEqual(calls.value, 3)
    try expectEqual(file.values("Item", "number").count, 6)
  }

  @Test func `After deleteData no objects come, also if objects were created since`() throws {
    let file = try filled()
    let passes = Box<[[Int]]>([])
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      expectTrue(migration.deleteData(forType: "Item"))
      passes.append(EnumerationTests.pass(migration))
      migration.create("Item", value: ["number": 10])
      passes.append(EnumerationTests.pass(migration))
    }
    expectEqual(passes.value, [[], []])
    try expectEqual(file.values("Item", "number"), ["10"])
  }

  @Test
  func `A class that the program lost comes with its old objects, even after deleteData`() throws {
    let file = try filled()
    let seen = Box<[String]>([])
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      for _ in 0..<2 {
        migration.enumerateObjects(ofType: "Gone") { old, new in
          expectNil(new)
          seen.append("\(text(old?["text"]))")
        }
        migration.deleteData(forType: "Gone")
      }
    }
    expectEqual(seen.value, ["g0", "g1", "g0", "g1"])
  }

  @Test
  func `A class that the program gained comes with the objects created before the loop`() throws {
    let file = try filled()
    let seen = Box<[String]>([])
    try file.migrate([V1.Item.self, V0.Fresh.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Fresh") { _, _ in Issue.record("None is there yet.") }
      migration.create("Fresh", value: ["a"])
      migration.create("Fresh", value: ["b"])
      migration.enumerateObjects(ofType: "Fresh") { old, new in
        expectNil(old)
        seen.append("\(text(new?["text"]))")
        migration.create("Fresh", value: ["c"])
      }
    }
    expectEqual(seen.value, ["a", "b"])
    try expectEqual(file.values("Fresh", "text"), ["a", "b", "c", "c"])
  }

  @Test func `Loops may be inside of loops, also over the same class`() throws {
    let file = try filled(3)
    let calls = Box<[String]>([])
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { outer, new in
        migration.enumerateObjects(ofType: "Item") { inner, _ in
          calls.append("\(text(outer?["number"]))\(text(inner?["number"]))")
        }
        new?["note"] = outer?["text"]
      }
    }
    expectEqual(calls.value, ["00", "01", "02", "10", "11", "12", "20", "21", "22"])
    try expectEqual(file.values("Item", "note"), ["t0", "t1", "t2"])
  }

  @Test func `An object that was kept from a loop can be used after it`() throws {
    let file = try filled(3)
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      var pairs: [(MigrationObject, MigrationObject)] = []
      migration.enumerateObjects(ofType: "Item") { old, new in
        if let old, let new { pairs.append((old, new)) }
      }
      for (old, new) in pairs.reversed() { new["note"] = "was \(text(old["text"]))" }
    }
    try expectEqual(file.values("Item", "note"), ["was t0", "was t1", "was t2"])
  }

  @Test
  func `What the closure throws ends the loop and the migration, and is thrown unchanged`() throws {
    let file = try filled(3)
    let calls = Box(0)
    #expect(throws: Deliberate(number: 7)) {
      try file.migrate([V1.Item.self], to: 1) { migration, _ in
        try migration.enumerateObjects(ofType: "Item") { _, new in
          new?["text"] = "changed"
          calls.value += 1
          if calls.value == 2 { throw Deliberate(number: 7) }
        }
      }
    }
    expectEqual(calls.value, 2)
    try expectEqual(file.values("Item", "text"), ["t0", "t1", "t2"])
  }
}
