import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataStorage

/// Properties of the types `ObjectId` and `Decimal128` in a file.
@Suite struct StoredIdsAndDecimalsTests {
  enum V0 {
    final class Item: Object {
      @Persisted var name = ""
    }
  }

  enum V1 {
    final class Item: Object {
      @Persisted(primaryKey: true) var id: ObjectId
      @Persisted var name = ""
      @Persisted var price: Decimal128
      @Persisted var rebate: Decimal128?
      @Persisted(indexed: true) var other: ObjectId?
      @Persisted var tax: Decimal128 = "0.19"
    }
  }

  enum Plain {
    final class Item: Object {
      @Persisted var name = ""
      @Persisted var owner: ObjectId
      @Persisted var batch = ObjectId.generate()
      @Persisted var price: Decimal128
      @Persisted var tax: Decimal128 = "0.190"
    }
  }

  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `Properties by name accept what converts, and nothing else`() throws {
    try folder.open([V1.Item.self]) { realm in
      try realm.write {
        let item = realm.create(V1.Item.self)
        let values: [(Any, String)] = [
          ("1.50", "1.50"), (3, "3"), (UInt8(4), "4"), (0.1, "0.1"), (Float(1.1), "1.1"),
          (Decimal(25) / 10, "2.5"), ("7E+2" as Decimal128, "7E+2"),
        ]
        for (value, text) in values {
          item["price"] = value
          expectEqual(item.price.exactText, text)
          expectEqual((item["price"] as? Decimal128)?.exactText, text)
        }
        item["other"] = ObjectId("0123456789abcdef01234567")
        expectEqual((item["other"] as? ObjectId)?.stringValue, "0123456789abcdef01234567")
      }
      try expectEqual(
        folder.text("SELECT price || ' ' || other FROM Item"), "7E+2 0123456789abcdef01234567")
      for (name, value) in [
        ("price", "abc" as Any), ("price", true), ("price", "1E+9999"), ("price", UInt128.max),
        ("price", Date()), ("other", "0123456789abcdef01234567"), ("other", 5),
      ] {
        expectError(containing: "property 'Item.\(name)'") {
          try realm.write { realm.objects(V1.Item.self).first?[name] = value }
        }
      }
    }
  }

  @Test func `A text that is not a value of the type is reported, and reads as zero`() throws {
    try folder.write([V1.Item.self]) { realm in _ = realm.create(V1.Item.self) }
    try folder.execute("UPDATE Item SET price = 'much', tax = '1e3', other = 'me'")
    try folder.open([V1.Item.self]) { realm in
      var item: V1.Item?
      withKnownIssue { item = realm.objects(V1.Item.self).first }
      expectTrue(item?.price == 0 && item?.tax == 1000 && item?.other == nil)
    }
  }

  @Test func `Decimals sort and add up as numbers`() throws {
    try folder.open([V1.Item.self]) { realm in
      try realm.write {
        for price in ["10", "9.5", "-1", "1E+2", "9.50", "0.1", "0.2"] {
          realm.create(V1.Item.self, value: ["price": price])
        }
      }
      let items = realm.objects(V1.Item.self)
      // SQLite itself would add up numbers of two.
      expectEqual(items.sum(of: \.price), "128.3")
      expectTrue(items.max(of: \.price) == "100" && items.min(of: \.price) == "-1")
      let none: Decimal128? = items.average(ofProperty: "rebate")
      expectNil(none)
      expectEqual(
        items.sorted(byKeyPath: "price").map(\.price.exactText),
        ["-1", "0.1", "0.2", "9.5", "9.50", "10", "1E+2"])
      try realm.write {
        expectEqual(items.sorted(byKeyPath: "price", ascending: false).first?.price, 100)
      }
    }
  }

  @Test func `Earlier objects have zeros, or the defaults of the model`() throws {
    try folder.write([V0.Item.self]) { realm in
      for name in ["a", "b"] { realm.create(V0.Item.self, value: [name]) }
    }
    try folder.open([Plain.Item.self], version: 1) { realm in
      let items = Array(realm.objects(Plain.Item.self))
      expectEqual(items.map(\.name), ["a", "b"])
      expectTrue(items.allSatisfy { $0.owner == ObjectId() && $0.price.stringValue == "0" })
      expectTrue(items.allSatisfy { $0.tax.exactText == "0.190" })
      expectEqual(Set(items.map(\.batch)).count, 2)
    }
  }

  @Test func `A migration reads and writes ids and decimals`() throws {
    try folder.write([Plain.Item.self]) { realm in
      realm.create(Plain.Item.self, value: ["name": "a", "price": "1.50"])
    }
    let owner = ObjectId.generate()
    try folder.open([V1.Item.self], version: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Item") { old, new in
        guard let old, let new else { return }
        let price: Decimal128? = old["price"]
        expectTrue(price?.exactText == "1.50" && old["tax"] is Decimal128)
        expectTrue(old["owner"] is ObjectId && old["batch"] is ObjectId)
        new["id"] = owner
        new["other"] = old["batch"]
        new["price"] = (price ?? 0) * 2
        new["rebate"] = "0.10"
      }
    } _: { realm in
      let item = try #require(realm.object(ofType: V1.Item.self, forPrimaryKey: owner))
      expectTrue(item.price.exactText == "3.00" && item.rebate?.exactText == "0.10")
      expectTrue(item.other != nil && item.tax.exactText == "0.190")
    }
    try expectTrue(folder.isSound())
  }
}
