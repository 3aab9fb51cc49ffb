import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("The contents of sets and maps") struct SetAndMapContentsTests {
  private func check<Value>(
    _ property: KeyPath<Shop.Shelf, MutableSet<Value>>, _ one: Value, _ other: Value
  ) throws {
    try Shop.inMemoryAndInFile { shelf in
      let set = shelf[keyPath: property]
      set.insert(one)
      set.insert(one)
      set.insert(objectsIn: [other, one])
      expectTrue(set.count == 2 && set.contains(one) && set.contains(other))
      expectEqual(Set(set), [one, other])
      set.remove(one)
      set.remove(one)
      expectTrue(Array(set) == [other] && !set.contains(one))
      set.removeAll()
      expectTrue(set.isEmpty && set.first == nil && !set.contains(other))
    }
  }

  @Test func `A set of each type has each value once`() throws {
    try check(\.numberSet, 1, 2)
    try check(\.sizeSet, .small, .large)
    try check(\.dataSet, Data(), Data([1, 2]))
    try check(\.daySet, Date(timeIntervalSince1970: 0), .distantFuture)
    try check(\.idSet, ObjectId(), ObjectId.generate())
    try check(\.uuidSet, UUID(), UUID())
    try check(\.boolSet, true, false)
    try check(\.doubleSet, nil, 1.5)
    try check(\.anySet, .int(1), .string("1"))
    try check(\.anySet, .none, .bool(true))
  }

  @Test func `A set of objects has each object once`() throws {
    try Shop.write { realm in
      let shelf = realm.create(Shop.Shelf.self)
      let tea = Shop.Article(value: [1, "Tea"])
      shelf.articleSet.insert(tea)
      shelf.articleSet.insert(try #require(realm.objects(Shop.Article.self).first))
      shelf.articleSet.insert(Shop.Article(value: [2, "Cup"]))
      expectTrue(shelf.articleSet.count == 2 && shelf.articleSet.contains(tea))
      shelf.articleSet.remove(tea)
      expectTrue(
        shelf.articleSet.first?.name == "Cup" && realm.objects(Shop.Article.self).count == 2)
      realm.deleteAll()
      expectTrue(shelf.isInvalidated)
    }
  }

  @Test func `Sets with objects of another realm, and frozen ones, are refused`() throws {
    let file = try TestFile()
    try file.open(Shop.types) { realm in
      try Shop.write { other in
        func fill(_ realm: Realm) -> Shop.Shelf {
          let shelf = realm.create(Shop.Shelf.self)
          let tea = realm.create(Shop.Article.self, value: [1, "Tea"])
          shelf.articleSet.insert(tea)
          shelf.anySet.insert(.object(tea))
          return shelf
        }
        let foreign = fill(other)
        let shelf = try realm.write { fill(realm) }
        let frozen = shelf.freeze()
        for change in [MutableSet<Shop.Article>.formIntersection, MutableSet.subtract] {
          for set in [foreign.articleSet, frozen.articleSet] {
            expectError(beginning: "Object is already managed by another Realm.") {
              try realm.write { change(shelf.articleSet)(set) }
            }
          }
        }
        for set in [foreign.anySet, frozen.anySet] {
          #expect(throws: Realm.Error.self) {
            try realm.write { shelf.anySet.formIntersection(set) }
          }
        }
        expectTrue(shelf.articleSet.count == 1 && shelf.anySet.count == 1)
      }
    }
  }

  @Test func `Sets are united, intersected and compared`() throws {
    try Shop.inMemoryAndInFile { shelf in
      let set = shelf.numberSet
      func other(_ numbers: Int...) -> MutableSet<Int> {
        let other = MutableSet<Int>()
        other.insert(objectsIn: numbers)
        return other
      }
      set.formUnion(other(1, 2, 3))
      set.formIntersection(other(2, 3, 4))
      expectTrue(Set(set) == [2, 3] && set.intersects(other(3, 9)) && !set.intersects(other(9)))
      expectTrue(set.isSubset(of: other(1, 2, 3)) && !other(1, 2).isSubset(of: set))
      expectTrue(other().isSubset(of: set) && !set.intersects(other()))
      expectFalse(set.isSubset(of: other(2)))
      set.formUnion(other(3, 4))
      expectEqual(Set(set), [2, 3, 4])
      set.subtract(other(3, 4, 7))
      expectTrue(Array(set) == [2] && set[0] == 2)
      expectTrue(set.index(of: 2) == 0 && set.index(of: 3) == nil)
      set.formUnion(set)
      expectEqual(set.count, 1)
      set.subtract(set)
      expectTrue(set.isEmpty && set.isSubset(of: other()))
    }
  }

  @Test func `A map has a value for each key`() throws {
    try Shop.inMemoryAndInFile { shelf in
      let map = shelf.numberMap
      expectTrue(map.isEmpty && map["a"] == nil && map["a", default: 7] == 7)
      map["a"] = 1
      map["b"] = 2
      map["b", default: 0] += 3
      map["c", default: 0] += 4
      map.updateValue(9, forKey: "a")
      expectTrue(map.count == 3 && map["a"] == 9 && map["b"] == 5 && map["c"] == 4)
      expectTrue(map.keys == ["a", "b", "c"] && map.values == [9, 5, 4])
      expectEqual(map.map { "\($0.key)\($0.value)" }, ["a9", "b5", "c4"])
      for (key, value) in map { map[key] = value * 2 }
      expectEqual(map.values, [18, 10, 8])
      map["a"] = nil
      map.removeObject(for: "b")
      map.removeObject(for: "nowhere")
      map["nowhere"] = nil
      expectTrue(map.keys == ["c"] && map["c", default: 7] == 8)
      map.merge([("c", 1), ("d", 2)].map { (key: $0, value: $1) }, uniquingKeysWith: +)
      expectTrue(map["c"] == 9 && map["d"] == 2)
      let other = Map<String, Int>()
      other["c"] = 1
      map.merge(other) { _, second in second }
      map.merge(["c": 5, "e": 6]) { first, _ in first }
      expectTrue(map.keys == ["c", "d", "e"] && map.values == [1, 2, 6])
      map.removeAll()
      expectTrue(map.isEmpty && map.keys.isEmpty && map.values.isEmpty)
    }
  }

  @Test func `Keys are any text, with dots, dollars and nothing in it, in the order of bytes`()
    throws
  {
    try Shop.inMemoryAndInFile { shelf in
      let map = shelf.numberMap
      let keys = ["", "$a", "B", "SELECT 'x'", "a", "a.b", "ä\u{0}ö", "é", "🐕", "👩‍👩‍👧"]
      for (value, key) in keys.enumerated().reversed() { map[key] = value }
      for (value, key) in keys.enumerated() { expectEqual(map[key], value) }
      expectTrue(map.keys == keys && map.values == Array(keys.indices))
      var read: [String] = []
      for (key, value) in map where value >= 0 { read.append(key) }
      expectEqual(read, keys)
      read = []
      for entry in map where entry.value >= 0 { read.append(entry.key) }
      expectTrue(read == keys && map.map(\.key) == keys)
      expectEqual(map.asKeyValueSequence().map(\.value), map.values)
      expectEqual(map.filter { $0.value > 7 }.map(\.key), ["🐕", "👩‍👩‍👧"])
      expectTrue(map.contains { $0.key == "é" })
    }
  }

  @Test func `A map of optionals has two kinds of nil`() throws {
    try Shop.inMemoryAndInFile { shelf in
      let map = shelf.optionalMap
      map["none"] = .some(nil)
      map["one"] = 1
      expectTrue(map.count == 2 && map["none"] == .some(nil) && map["nowhere"] == nil)
      expectTrue(map.keys == ["none", "one"] && map.values == [nil, 1])
      map["one"] = nil
      expectEqual(map.keys, ["none"])
      map["none"] = 1
      map.updateValue(nil, forKey: "none")
      expectTrue(map.keys == ["none"] && map["none"] == .some(nil))
      map["none"] = nil
      expectTrue(map.isEmpty)
    }
  }

  @Test func `Objects in a map stay in the realm, and leave nil when they are deleted`() throws {
    try Shop.write { realm in
      let shelf = realm.create(
        Shop.Shelf.self, value: ["articleMap": ["t": [1, "Tea"], "n": nil] as [String: Any?]])
      let tea = try #require(shelf.articleMap["t"] ?? nil)
      expectTrue(tea.name == "Tea" && shelf.articleMap["n"] == .some(nil))
      shelf.articleMap["again"] = tea
      shelf.articleMap["t"] = nil
      expectEqual(realm.objects(Shop.Article.self).count, 1)
      realm.delete(tea)
      expectTrue(
        shelf.articleMap.keys == ["again", "n"] && shelf.articleMap["again"] == .some(nil))
    }
  }

  @Test func `Custom types, enums and values of any type are elements of a map`() throws {
    try Shop.inMemoryAndInFile { shelf in
      shelf.priceMap["tea"] = Shop.Price(250)
      shelf.sizeMap["tea"] = .large
      shelf.anyMap["tea"] = .string("hot")
      shelf.anyMap["none"] = AnyRealmValue.none
      expectTrue(shelf.priceMap["tea"]?.cents == 250 && shelf.sizeMap["tea"] == .large)
      expectTrue(
        shelf.anyMap["tea"] == .string("hot") && shelf.anyMap["none"] == AnyRealmValue.none)
    }
  }

  @Test func `Assigning a map or a set copies what is in it`() throws {
    try Shop.inMemoryAndInFile { shelf in
      let map = Map<String, Int>()
      map["a"] = 1
      shelf.numberMap = map
      shelf.numberMap = shelf.numberMap
      shelf.numberMap["b"] = 2
      expectTrue(shelf.numberMap.count == 2 && map.count <= 2)
      shelf["numberMap"] = ["x": 5]
      shelf["numberSet"] = [3, 3, 4]
      expectTrue(shelf.numberMap.keys == ["x"] && Set(shelf.numberSet) == [3, 4])
      shelf.numberSet = shelf.numberSet
      expectEqual(Set(shelf.numberSet), [3, 4])
      shelf["numberSet"] = [5] as Set<Int>
      expectEqual(Array(shelf.numberSet), [5])
      expectTrue(shelf.numberMap == shelf.numberMap && shelf.numberMap != Map<String, Int>())
      let tea = Shop.Article(value: [1, "Tea"])
      shelf["anyMap"] = ["i": 1, "s": "text", "n": nil, "o": tea] as [String: Any?]
      expectTrue(shelf.anyMap["i"] == .int(1) && shelf.anyMap["s"]?.stringValue == "text")
      expectTrue(shelf.anyMap["n"] == AnyRealmValue.none && shelf.anyMap.count == 4)
      expectEqual(shelf.anyMap["o"]?.object(Shop.Article.self)?.name, "Tea")
    }
  }
}
