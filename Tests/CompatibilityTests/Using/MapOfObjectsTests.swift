import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Maps of objects, and access by name") struct MapOfObjectsTests {
  private static var articles: [String: Any?] {
    ["b": [1, "Tea", "x", 3] as [Any], "a": [2, "Cup", "y", 5] as [Any], "n": nil]
  }

  private func fill(_ body: (Realm, Shop.Shelf) throws -> Void) throws {
    try Shop.write { realm in
      try body(realm, realm.create(Shop.Shelf.self, value: ["articleMap": Self.articles]))
    }
  }

  @Test func `The objects of a map are sorted and added up`() throws {
    try Shop.inMemoryAndInFile { shelf in
      shelf["articleMap"] = Self.articles
      let map = shelf.articleMap
      expectTrue(map["b"]??.name == "Tea" && map["n"] == .some(nil) && map["x"] == nil)
      expectTrue(map.values.map { $0?.id } == [2, 1, nil] && map.compactMap(\.value).count == 2)
      expectEqual(map.sorted(byKeyPath: "stock").map { $0?.id }, [nil, 1, 2])
      expectEqual(map.sorted(byKeyPath: "stock", ascending: false).map { $0?.id }, [2, 1, nil])
      expectTrue(map.min(of: \.stock) == 3 && map.max(of: \.stock) == 5)
      expectTrue(map.sum(of: \.stock) == 8 && map.average(of: \.stock) == 4)
      expectTrue(map.sum(ofProperty: "stock") == 8 && map.average(ofProperty: "stock") == 4.0)
    }
  }

  @Test func `Deleting the objects of a map leaves it empty, and those keys of others with nil`()
    throws
  {
    try fill { realm, shelf in
      let other = realm.create(Shop.Shelf.self)
      other.articleMap["c"] = shelf.articleMap["a"] ?? nil
      realm.delete(shelf.articleMap)
      expectTrue(realm.objects(Shop.Article.self).isEmpty && shelf.articleMap.isEmpty)
      expectTrue(other.articleMap.keys == ["c"] && other.articleMap["c"] == .some(nil))
    }
  }

  @Test func `The map of another realm is refused`() throws {
    try fill { _, shelf in
      let file = try TestFile()
      try file.open(Shop.types) { other in
        expectError("Can only delete an object from the Realm it belongs to.") {
          try other.write { other.delete(shelf.articleMap) }
        }
      }
      expectEqual(shelf.articleMap.count, 3)
    }
  }

  @Test func `Values are read and set by names that are known later`() throws {
    try Shop.inMemoryAndInFile { shelf in
      let map = shelf.numberMap
      map.setValue(3, forKey: "a")
      map.setValue(4, forKey: "b")
      expectTrue(map.value(forKey: "a") as? Int == 3 && map.value(forKey: "z") == nil)
      map.setValue(nil, forKey: "a")
      expectEqual(map.keys, ["b"])
      shelf.optionalMap.setValue(nil, forKey: "x")
      expectTrue(shelf.optionalMap.isEmpty)
    }
    let error = try Shop.failure { realm in
      realm.create(Shop.Shelf.self).numberMap.setValue("many", forKey: "a")
    }
    expectEqual(
      error?.message, "Invalid value 'many' of type 'String' for a value of 'Map<String, Int>'.")
  }

  @Test func `Nothing in memory is invalidated, nor are results`() throws {
    let shelf = Shop.Shelf()
    expectTrue(
      !shelf.isInvalidated && !shelf.numbers.isInvalidated && !shelf.numberSet.isInvalidated)
    expectTrue(!shelf.numberMap.isInvalidated && shelf.numbers.realm == nil)
    expectFalse(Shop.Article().sales.isInvalidated)
    try Shop.write { realm in
      expectFalse(realm.objects(Shop.Article.self).isInvalidated)
    }
  }

  @Test func `A position out of range in results and sets ends the process`() async throws {
    let file = try TestFile()
    let results = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [folder = file.folder.path as String] in
      try Shop.write(in: TestFile(ofParent: folder)) { realm in
        _ = realm.objects(Shop.Article.self)[0]
      }
    }
    expectTrue(errors(results).contains("Index 0 is out of bounds (must be less than 0)."))
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = MutableSet<Int>()[1]
    }
    expectTrue(errors(set).contains("Index 1 is out of bounds (must be less than 0)."))
  }
}
