import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Item: Object {
    @Persisted var bool = false
    @Persisted var int = 0
    @Persisted var small: Int8 = 0
    @Persisted var float: Float = 0
    @Persisted var double = 0.0
    @Persisted var string = ""
    @Persisted var data = Data()
    @Persisted var date = Date(timeIntervalSince1970: 0)
    @Persisted var uuid = UUID()
    @Persisted var maybe: Int?
    @Persisted var other = ""
  }
}

private enum V1 {
  class Item: Object {
    @Persisted var newBool = false
    @Persisted var newInt = 0
    @Persisted var newSmall: Int8 = 0
    @Persisted var newFloat: Float = 0
    @Persisted var newDouble = 0.0
    @Persisted var newString = ""
    @Persisted var newData = Data()
    @Persisted var newDate = Date(timeIntervalSince1970: 0)
    @Persisted var newUuid = UUID()
    @Persisted var newMaybe: Int?
    @Persisted var other = ""
  }
}

private enum Short {
  class Item: Object {
    @Persisted var a = 0
    @Persisted var other = ""
  }
}

private enum Middle {
  class Item: Object {
    @Persisted var b = 0
    @Persisted var other = ""
  }
}

private enum Long {
  class Item: Object {
    @Persisted var c = 0
    @Persisted var other = ""
  }
}

private enum Swapped {
  class Item: Object {
    @Persisted var other: Int
    @Persisted var a: String
  }
}

/// Successful uses of `Migration.renameProperty`.
@Suite("Renaming") struct RenameTests {
  private let file: TestFile

  init() throws {
    file = try TestFile()
    try file.write([Short.Item.self]) { realm in
      for number in 1...3 { realm.add(Short.Item(value: [number, "o\(number)"])) }
    }
  }

  @Test func `Properties of every type keep their values under the new name`() throws {
    let file = try TestFile()
    let uuid = UUID()
    let date = Date(timeIntervalSince1970: 1_234_567_890.125)
    try file.write([V0.Item.self]) { realm in
      realm.add(
        V0.Item(
          value: [true, 2, 3, 4.5 as Float, 5.5, "six", Data([7]), date, uuid, nil, "o"] as [Any?]))
      realm.add(V0.Item(value: ["maybe": 10]))
    }
    let names = try #require(try file.storedSchema()["Item"]?.names)
    try file.migrate([V1.Item.self], to: 1) { migration, _ in
      for name in names where name != "other" {
        let first = name.prefix(1).uppercased()
        migration.renameProperty(
          onType: "Item", from: name, to: "new\(first)\(name.dropFirst())")
      }
    }
    try file.open([V1.Item.self], version: 1) { realm in
      let item = try #require(realm.objects(V1.Item.self).first)
      expectTrue(item.newBool)
      expectEqual(item.newInt, 2)
      expectEqual(item.newSmall, 3)
      expectEqual(item.newFloat, 4.5)
      expectEqual(item.newDouble, 5.5)
      expectEqual(item.newString, "six")
      expectEqual(item.newData, Data([7]))
      expectEqual(item.newDate, date)
      expectEqual(item.newUuid, uuid)
      expectNil(item.newMaybe)
      expectEqual(item.other, "o")
      expectEqual(realm.objects(V1.Item.self).map(\.newMaybe), [nil, 10])
    }
    try expectEqual(file.storedSchema()["Item"]?.properties.count, 11)
  }

  @Test func `The new object has a zero before a rename, and the value after it`() throws {
    let seen = Box<[String]>([])
    try file.migrate([Middle.Item.self], to: 1) { migration, _ in
      func pass() {
        migration.enumerateObjects(ofType: "Item") { old, new in
          seen.append("\(text(old?["a"])) \(text(new?["b"]))")
        }
      }
      pass()
      migration.renameProperty(onType: "Item", from: "a", to: "b")
      pass()
    }
    expectEqual(seen.value, ["1 0", "2 0", "3 0", "1 1", "2 2", "3 3"])
    try expectEqual(file.values("Item", "other"), ["o1", "o2", "o3"])
  }

  @Test
  func `Values that the block wrote under the new name before the rename are overwritten`() throws {
    try file.migrate([Middle.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { _, new in new?["b"] = 100 }
      migration.renameProperty(onType: "Item", from: "a", to: "b")
    }
    try expectEqual(file.values("Item", "b"), ["1", "2", "3"])
  }

  @Test func `Values that the block writes after the rename count`() throws {
    try file.migrate([Middle.Item.self], to: 1) { migration, _ in
      migration.renameProperty(onType: "Item", from: "a", to: "b")
      migration.enumerateObjects(ofType: "Item") { old, new in
        if old?["a"] as? Int == 2 { new?["b"] = 20 }
      }
      migration.create("Item", value: [4, "o4"])
    }
    try expectEqual(file.values("Item", "b"), ["1", "20", "3", "4"])
  }

  @Test func `One block makes a chain of renames through names that no version keeps`() throws {
    try file.migrate([Long.Item.self], to: 2) { migration, old in
      if old < 1 { migration.renameProperty(onType: "Item", from: "a", to: "b") }
      if old < 2 { migration.renameProperty(onType: "Item", from: "b", to: "c") }
    }
    try expectEqual(file.values("Item", "c"), ["1", "2", "3"])
    try expectEqual(file.storedSchema()["Item"]?.names.sorted(), ["c", "other"])
  }

  @Test func `The same chain works one version after the other`() throws {
    let block: MigrationBlock = { migration, old in
      if old < 1 { migration.renameProperty(onType: "Item", from: "a", to: "b") }
      if old >= 1, old < 2 { migration.renameProperty(onType: "Item", from: "b", to: "c") }
    }
    try file.migrate([Middle.Item.self], to: 1, block)
    try expectEqual(file.values("Item", "b"), ["1", "2", "3"])
    try file.migrate([Long.Item.self], to: 2, block)
    try expectEqual(file.values("Item", "c"), ["1", "2", "3"])
  }

  @Test func `An intermediate name can't be read`() throws {
    let error = try file.failure([Long.Item.self], to: 1) { migration, _ in
      migration.renameProperty(onType: "Item", from: "a", to: "b")
      migration.enumerateObjects(ofType: "Item") { _, new in _ = new?["b"] }
    }
    expectTrue(error.message.hasPrefix("Invalid property name 'b' for class 'Item'."))
    try expectEqual(file.values("Item", "a"), ["1", "2", "3"])
  }

  @Test func `Without a rename the values are lost, and with it nothing else is needed`() throws {
    try file.migrate([Middle.Item.self], to: 1) { _, _ in }
    try expectEqual(file.values("Item", "b"), ["0", "0", "0"])
  }

  @Test func `A class without objects is renamed as well`() throws {
    let file = try TestFile()
    try file.migrate([Short.Item.self], to: 0)
    try file.migrate([Middle.Item.self], to: 1) { migration, _ in
      migration.renameProperty(onType: "Item", from: "a", to: "b")
    }
    try expectEqual(file.storedSchema()["Item"]?.names.sorted(), ["b", "other"])
    try file.write([Middle.Item.self], version: 1) { $0.add(Middle.Item(value: [1])) }
  }

  @Test func `Two properties that swap names and types are copied, not renamed`() throws {
    try file.migrate([Swapped.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        new?["other"] = old?["a"]
        new?["a"] = old?["other"]
      }
    }
    try expectEqual(file.values("Item", "a"), ["o1", "o2", "o3"])
    try expectEqual(file.values("Item", "other"), ["1", "2", "3"])
  }
}
