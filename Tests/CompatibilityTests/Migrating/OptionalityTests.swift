import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private let moment = Date(timeIntervalSince1970: 1_600_000_000.5)
private let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

private enum Required {
  class Item: Object {
    @Persisted var int: Int
    @Persisted var float: Float
    @Persisted var double: Double
    @Persisted var bool: Bool
    @Persisted var string: String
    @Persisted var data: Data
    @Persisted var date: Date
    @Persisted var uuid: UUID
  }
}

private enum Nullable {
  class Item: Object {
    @Persisted var int: Int?
    @Persisted var float: Float?
    @Persisted var double: Double?
    @Persisted var bool: Bool?
    @Persisted var string: String?
    @Persisted var data: Data?
    @Persisted var date: Date?
    @Persisted var uuid: UUID?
  }
}

private var values: [Any] {
  [5, Float(1.5), 2.25, true, "text", Data([1, 2]), moment, identifier]
}

/// Required properties that become optional, and the reverse.
@Suite("Optional and required") struct OptionalityTests {
  @Test(arguments: [false, true])
  func `A property that becomes optional keeps all values`(withBlock: Bool) throws {
    let file = try TestFile()
    try file.write([Required.Item.self]) { $0.add(Required.Item(value: values)) }
    try file.migrate([Nullable.Item.self], to: 1, withBlock ? idleBlock : nil)
    try file.open([Nullable.Item.self], version: 1) { realm in
      let item = try #require(realm.objects(Nullable.Item.self).first)
      expectEqual(item.int, 5)
      expectEqual(item.float, 1.5)
      expectEqual(item.double, 2.25)
      expectEqual(item.bool, true)
      expectEqual(item.string, "text")
      expectEqual(item.data, Data([1, 2]))
      expectEqual(item.date, moment)
      expectEqual(item.uuid, identifier)
      try realm.write { realm.add(Nullable.Item()) }
      expectNil(realm.objects(Nullable.Item.self).last?.int)
    }
  }

  @Test(arguments: [false, true])
  func `A property that becomes required keeps its values, and nil becomes zero`(withBlock: Bool)
    throws
  {
    let file = try TestFile()
    try file.write([Nullable.Item.self]) { realm in
      realm.add(Nullable.Item())
      realm.add(Nullable.Item(value: values))
    }
    try file.migrate([Required.Item.self], to: 1, withBlock ? idleBlock : nil)
    try file.open([Required.Item.self], version: 1) { realm in
      let items = realm.objects(Required.Item.self)
      expectEqual(items.map(\.int), [0, 5])
      expectEqual(items.map(\.float), [0, 1.5])
      expectEqual(items.map(\.double), [0, 2.25])
      expectEqual(items.map(\.bool), [false, true])
      expectEqual(items.map(\.string), ["", "text"])
      expectEqual(items.map(\.data), [Data(), Data([1, 2])])
      expectEqual(items.map(\.date), [Date(timeIntervalSince1970: 0), moment])
      let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      expectEqual(items.map(\.uuid), [zero, identifier])
    }
  }

  @Test func `The block sees kept values as optional ones, and may set nil`() throws {
    let file = try TestFile()
    try file.write([Required.Item.self]) { realm in
      realm.add(Required.Item(value: values))
      realm.add(Required.Item())
    }
    try file.migrate([Nullable.Item.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        expectEqual(old?["int"] as? Int, new?["int"] as? Int)
        if old?["string"] as? String == "" { new?["string"] = nil }
      }
    }
    try expectEqual(file.values("Item", "string"), ["text", "nil"])
    try expectEqual(file.values("Item", "int"), ["5", "0"])
  }
}
