import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum Level: Int, PersistableEnum {
  case low = 1
  case high
}

private enum V0 {
  class Item: Object {
    @Persisted var name = ""
    @Persisted var bonus: Int?
    @Persisted var label: String?
  }
}

private enum V1 {
  class Item: Object {
    @Persisted var name = ""
    @Persisted var bonus: Int?
    @Persisted var label: String?
    @Persisted var count = 42
    @Persisted var ratio = 1.0 / 3
    @Persisted var isActive = true
    @Persisted var text = "it's \"new\""
    @Persisted var bytes = Data([1, 0, 255])
    @Persisted var since = Date(timeIntervalSince1970: 1_000_000_000.25)
    @Persisted var level = Level.high
    @Persisted var optional: Int? = 7
  }
}

private enum Plain {
  class Item: Object {
    @Persisted var name = ""
    @Persisted var bonus: Int?
    @Persisted var label: String?
    @Persisted var count: Int
    @Persisted var small: Int8
    @Persisted var ratio: Double
    @Persisted var single: Float
    @Persisted var isActive: Bool
    @Persisted var text: String
    @Persisted var bytes: Data
    @Persisted var since: Date
    @Persisted var id: UUID
    @Persisted var level: Level
    @Persisted var maybe: Date?
  }
}

private enum PerRow {
  class Item: Object {
    @Persisted var name = ""
    @Persisted var bonus: Int?
    @Persisted var label: String?
    @Persisted var id = UUID()
    @Persisted var since = Date()
  }
}

private enum Required {
  class Item: Object {
    @Persisted var name = ""
    @Persisted var bonus = 3
    @Persisted var label: String
  }
}

/// Values that were never stored: Realm uses zeros, this library uses the defaults of the class.
@Suite("Defaults of added properties") struct DefaultsTests {
  private let file: TestFile

  init() throws {
    file = try TestFile()
    try file.write([V0.Item.self]) { realm in
      realm.add(V0.Item(value: ["a", 10, "x"]))
      realm.add(V0.Item(value: ["b"]))
      realm.add(V0.Item(value: ["c", 30]))
    }
  }

  @Test(arguments: [false, true])
  func `An added required property has the default of the class`(withBlock: Bool) throws {
    try file.migrate([V1.Item.self], to: 1, withBlock ? idleBlock : nil)
    try file.open([V1.Item.self], version: 1) { realm in
      let items = realm.objects(V1.Item.self)
      expectEqual(items.map(\.name), ["a", "b", "c"])
      for item in items {
        expectEqual(item.count, 42)
        expectEqual(item.ratio, 1.0 / 3)
        expectTrue(item.isActive)
        expectEqual(item.text, "it's \"new\"")
        expectEqual(item.bytes, Data([1, 0, 255]))
        expectEqual(item.since, Date(timeIntervalSince1970: 1_000_000_000.25))
        expectEqual(item.level, .high)
        expectNil(item.optional, "an added optional is nil")
      }
    }
  }

  @Test func `The block sees the defaults, and what it writes counts`() throws {
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        expectEqual(new?["count"] as? Int, 42)
        expectEqual(new?["level"] as? Int, 2)
        if old?["name"] as? String == "b" { new?["count"] = 1 }
      }
    }
    try expectEqual(file.values("Item", "count"), ["42", "1", "42"])
  }

  @Test func `A property without a default has the zero of its type`() throws {
    try file.migrate([Plain.Item.self], to: 1)
    try file.open([Plain.Item.self], version: 1) { realm in
      for item in realm.objects(Plain.Item.self) {
        expectEqual(item.count, 0)
        expectEqual(item.small, 0)
        expectEqual(item.ratio, 0)
        expectEqual(item.single, 0)
        expectFalse(item.isActive)
        expectEqual(item.text, "")
        expectTrue(item.bytes.isEmpty)
        expectEqual(item.since, Date(timeIntervalSince1970: 0))
        expectEqual(item.id, UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        expectEqual(item.level, .low)
        expectNil(item.maybe)
      }
    }
  }

  @Test(arguments: [false, true])
  func `A default that differs from object to object is made for each`(withBlock: Bool) throws {
    let block: MigrationBlock = { migration, _ in
      var ids: Set<UUID> = []
      migration.enumerateObjects(ofType: "Item") { _, new in ids.insert(new!["id"] as! UUID) }
      expectEqual(ids.count, 3)
    }
    try file.migrate([PerRow.Item.self], to: 1, withBlock ? block : nil)
    try file.open([PerRow.Item.self], version: 1) { realm in
      let items = realm.objects(PerRow.Item.self)
      expectEqual(Set(items.map(\.id)).count, 3)
      expectTrue(Set(items.map(\.since)).count > 1)
    }
    let first = try file.values("Item", "id")
    try file.migrate([PerRow.Item.self], to: 2)
    try expectEqual(file.values("Item", "id"), first, "once, and then they stay")
  }

  @Test(arguments: [false, true])
  func `A property that becomes required keeps values, and nil becomes the default`(
    withBlock: Bool
  ) throws {
    let block: MigrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        expectEqual(new!["bonus"] as? Int, old!["bonus"] as? Int ?? 3)
      }
    }
    try file.migrate([Required.Item.self], to: 1, withBlock ? block : nil)
    try expectEqual(file.values("Item", "bonus"), ["10", "3", "30"])
    try expectEqual(file.values("Item", "label"), ["x", "", ""])
  }

  @Test func `Objects that the block creates have the defaults as well`() throws {
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      migration.create("Item", value: ["d"])
    }
    try expectEqual(file.values("Item", "optional"), ["nil", "nil", "nil", "7"])
    try expectEqual(file.values("Item", "count"), ["42", "42", "42", "42"])
  }
}
