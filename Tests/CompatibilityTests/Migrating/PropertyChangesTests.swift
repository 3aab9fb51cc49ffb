import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Item: Object {
    @Persisted var first = 0
    @Persisted var second = ""
  }
}

private enum AtEnd {
  class Item: Object {
    @Persisted var first = 0
    @Persisted var second = ""
    @Persisted var third = 0
  }
}

private enum AtBeginning {
  class Item: Object {
    @Persisted var third: Int
    @Persisted var first = 0
    @Persisted var second = ""
  }
}

private enum Removed {
  class Item: Object {
    @Persisted var second = ""
  }
}

private enum Replaced {
  class Item: Object {
    @Persisted var second = ""
    @Persisted var third: Int
  }
}

private enum Retyped {
  class Item: Object {
    @Persisted var first: String
    @Persisted var second = ""
  }
}

private enum Everything {
  class Item: Object {
    @Persisted var first: Double?
    @Persisted var second: Data
    @Persisted var third: Bool
  }
  class Fresh: Object {
    @Persisted var value = 0
  }
}

/// Properties that are added, removed and retyped, with a block and without.
@Suite("Changed properties") struct PropertyChangesTests {
  private let file: TestFile

  init() throws {
    file = try TestFile()
    try add(1...3)
  }

  private func add(_ numbers: ClosedRange<Int>) throws {
    try file.write([V0.Item.self]) { realm in
      for number in numbers { realm.add(V0.Item(value: [number, "t\(number)"])) }
    }
  }

  @Test
  func `The old object lacks a property that is added at the end, and the new one has it`() throws {
    try file.migrate([AtEnd.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        expectNil(old?.objectSchema["third"])
        expectEqual(new?["third"] as? Int, 0)
        new?["third"] = (old?["first"] as? Int).map { $0 * 10 }
      }
    }
    try file.open([AtEnd.Item.self], version: 1) { realm in
      let items = realm.objects(AtEnd.Item.self)
      expectEqual(items.map(\.third), [10, 20, 30])
      expectEqual(items.map(\.first), [1, 2, 3])
      expectEqual(items.map(\.second), ["t1", "t2", "t3"])
    }
  }

  @Test
  func `A property at the beginning leaves the values of the others where they belong`() throws {
    try file.migrate([AtBeginning.Item.self], to: 1)
    try file.write([AtBeginning.Item.self], version: 1) { realm in
      realm.create(AtBeginning.Item.self, value: [9, 4, "t4"])
    }
    try file.open([AtBeginning.Item.self], version: 1) { realm in
      let items = realm.objects(AtBeginning.Item.self)
      expectEqual(items.map(\.third), [0, 0, 0, 9])
      expectEqual(items.map(\.first), [1, 2, 3, 4])
      expectEqual(items.map(\.second), ["t1", "t2", "t3", "t4"])
    }
  }

  @Test
  func `A removed property is on the old object, not on the new, and then removed from the file`()
    throws
  {
    let seen = Box<[Int]>([])
    try file.migrate([Removed.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        if let first = old?["first"] as? Int { seen.append(first) }
        expectNil(new?.objectSchema["first"])
      }
    }
    expectEqual(seen.value, [1, 2, 3])
    try expectEqual(file.storedSchema()["Item"]?.names, ["second"])
    try expectEqual(file.values("Item", "second"), ["t1", "t2", "t3"])
  }

  @Test func `A property that comes back after it was removed is empty`() throws {
    try file.migrate([Removed.Item.self], to: 1)
    try file.migrate([V0.Item.self], to: 2)
    try expectEqual(file.values("Item", "first"), ["0", "0", "0"])
  }

  @Test(arguments: [false, true])
  func `A removed and an added property are not a rename`(withBlock: Bool) throws {
    try file.migrate([Replaced.Item.self], to: 1, withBlock ? idleBlock : nil)
    try expectEqual(file.storedSchema()["Item"]?.names, ["second", "third"])
    try expectEqual(file.values("Item", "third"), ["0", "0", "0"])
    try expectEqual(file.values("Item", "second"), ["t1", "t2", "t3"])
  }

  @Test
  func `A retyped property has the old type on one side and the new type on the other`() throws {
    try file.migrate([Retyped.Item.self], to: 1) { migration, _ in
      expectEqual(migration.oldSchema["Item"]?["first"]?.type, .int)
      expectEqual(migration.newSchema["Item"]?["first"]?.type, .string)
      migration.enumerateObjects(ofType: "Item") { old, new in
        expectTrue(old?["first"] is Int)
        expectEqual(new?["first"] as? String, "")
        new?["first"] = "\(text(old?["first"]))"
      }
    }
    try file.open([Retyped.Item.self], version: 1) { realm in
      expectEqual(realm.objects(Retyped.Item.self).map(\.first), ["1", "2", "3"])
    }
  }

  @Test func `A retyped property without a block starts empty, and no value is converted`() throws {
    try file.migrate([Retyped.Item.self], to: 1)
    try expectEqual(file.values("Item", "first"), ["", "", ""])
    try expectEqual(file.values("Item", "second"), ["t1", "t2", "t3"])
  }

  @Test func `All properties of a class may change at once without losing an object`() throws {
    try add(4...10)
    try file.migrate([Everything.Item.self, Everything.Fresh.self], to: 1)
    try file.open([Everything.Item.self, Everything.Fresh.self], version: 1) { realm in
      let items = realm.objects(Everything.Item.self)
      expectEqual(items.count, 10)
      expectTrue(items.allSatisfy { $0.first == nil && $0.second.isEmpty && !$0.third })
    }
    let schema = try file.storedSchema()
    expectEqual(schema["Item"]?.names.sorted(), ["first", "second", "third"])
    expectEqual(schema["Fresh"]?.names, ["value"], "a new class has each column once")
  }
}
