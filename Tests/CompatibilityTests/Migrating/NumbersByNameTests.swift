import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private enum V0 {
  class Page: Object {
    @Persisted var index: Int16 = 7
    @Persisted var changes: Int8 = 3
    @Persisted var big = Int.max
    @Persisted var ratio: Float = 0.5
    @Persisted var weight = 2.25
    @Persisted var isRead = true
    @Persisted var maybe: Int32?
    @Persisted var any: AnyRealmValue = .int(9)
    @Persisted var counts: List<Int16>
    @Persisted var sizes: Map<String, Int16>
    @Persisted var title = "5"
  }
}

private enum V1 {
  class Page: Object {
    @Persisted var index: Int16 = 7
    @Persisted var kept = 0
    @Persisted var wide = 0.0
    @Persisted var narrow: Float = 0
    @Persisted var isKept = false
  }
}

/// Numbers that are read by name, which cast like RealmSwift's `NSNumber`s.
@Suite struct NumbersByNameTests {
  private static func check(_ read: (String) -> Any?) {
    expectEqual(read("index") as? Int16, 7)
    expectEqual(read("index") as? Int, 7)
    expectEqual(read("index") as? Int8, 7)
    expectEqual(read("index") as? Int64, 7)
    expectEqual(read("index") as? UInt, 7)
    expectEqual(read("index") as? Double, 7)
    expectEqual(read("index") as? Float, 7)
    expectEqual(read("index") as? NSNumber, 7)
    expectNil(read("index") as? Bool)
    expectNil(read("index") as? String)
    expectEqual(read("changes") as? Int32, 3)
    expectEqual(read("big") as? Int, .max)
    expectNil(read("big") as? Int16)
    expectEqual(read("ratio") as? Double, 0.5)
    expectEqual(read("ratio") as? Float, 0.5)
    expectNil(read("ratio") as? Int)
    expectEqual(read("weight") as? Float, 2.25)
    expectEqual(read("weight") as? Double, 2.25)
    expectEqual(read("isRead") as? Bool, true)
    expectEqual(read("isRead") as? Int, 1)
    expectNil(read("maybe"))
    expectNil(read("title") as? Int)
    expectEqual(read("title") as? String, "5")
  }

  @Test func `Of the objects of a collection, by a path as by a name`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([V0.Page.self]))
    try realm.write { for _ in 0..<2 { realm.add(V0.Page()) } }
    let pages = realm.objects(V0.Page.self)
    for values in [pages.value(forKey: "index"), pages.value(forKeyPath: "index")] {
      expectEqual(values as? [Int16], [7, 7])
      expectEqual(values as? [Int], [7, 7])
      expectEqual(values as? [Double], [7, 7])
    }
    // A property that may be nil.
    try realm.write { pages[0].maybe = 5 }
    expectEqual(pages.value(forKeyPath: "maybe") as? [Int32?], [5, nil])
    try realm.write { pages[1].maybe = 6 }
    expectEqual(pages.value(forKeyPath: "maybe") as? [Int8], [5, 6])
    expectEqual(pages[0].value(forKeyPath: "maybe") as? Int8, 5)
  }

  @Test func `In a migration, of both sides, and of each form of access`() throws {
    let file = try TestFile()
    try file.write([V0.Page.self]) { $0.add(V0.Page()) }
    let calls = Box(0)
    try file.migrate([V1.Page.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Page") { old, new in
        calls.value += 1
        Self.check { old?[$0] }
        Self.check { old?.value(forKey: $0) }
        Self.check { old?.value(forKeyPath: $0) }
        Self.check { old?[dynamicMember: $0] }
        expectEqual(old?["any"] as? Int16, 9)
        expectEqual(new?["index"] as? Int16, 7)
        expectEqual(new?["isKept"] as? Bool, false)
        // Values that were read can be set without a cast.
        new?["kept"] = old?["big"]
        new?["wide"] = old?["ratio"]
        new?["narrow"] = old?["weight"]
        new?["isKept"] = old?["isRead"]
        expectEqual(new?["kept"] as? Int, .max)
        expectEqual(new?["wide"] as? Double, 0.5)
      }
      // One that stays when the loop is over.
      let made = migration.create("Page", value: ["kept": 300])
      expectEqual(made["kept"] as? Int16, 300)
      expectNil(made["kept"] as? Int8)
    }
    expectEqual(calls.value, 1)
    try file.open([V1.Page.self], version: 1) { realm in
      let page = try #require(realm.objects(V1.Page.self).first)
      expectTrue(page.kept == .max && page.wide == 0.5 && page.narrow == 2.25 && page.isKept)
    }
  }

  @Test func `A typed read has no box, and refuses what isn't of its type`() throws {
    let file = try TestFile()
    try file.write([V0.Page.self]) { $0.add(V0.Page()) }
    try file.migrate([V0.Page.self], to: 1) { migration, _ in
      migration.enumerateObjects(ofType: "Page") { old, _ in
        let index: Int? = old?["index"]
        let small: Int8? = old?["index"]
        let ratio: Float? = old?["ratio"]
        expectTrue(index == 7 && small == 7 && ratio == 0.5)
      }
    }
  }

  @Test func `Of objects in a realm and in none, and of dynamic ones`() throws {
    Self.check { V0.Page()[$0] }
    Self.check { V0.Page().value(forKey: $0) }
    try TestFile().open([V0.Page.self]) { realm in
      try realm.write {
        let page = realm.create(V0.Page.self)
        page.counts.append(objectsIn: [1, 300])
        page.sizes["a"] = 12
        Self.check { page[$0] }
      }
      let page = try #require(realm.objects(V0.Page.self).first)
      let dynamic = try #require(realm.dynamicObjects("Page").first)
      Self.check { page[$0] }
      Self.check { page.value(forKey: $0) }
      Self.check { page.value(forKeyPath: $0) }
      Self.check { dynamic[$0] }
      Self.check { dynamic.value(forKey: $0) }
      Self.check { dynamic.value(forKeyPath: $0) }
      expectEqual(page.counts.value(forKey: "self") as? [Int], [1, 300])
      expectEqual(page.counts.value(forKeyPath: "@max.self") as? Int16, 300)
      expectEqual(page.value(forKeyPath: "counts.@sum.self") as? Double, 301)
      expectEqual(page.sizes.value(forKey: "a") as? Int, 12)
      let pages = realm.objects(V0.Page.self)
      expectEqual(pages.value(forKey: "index") as? [Int], [7])
      expectEqual(pages.value(forKeyPath: "@unionOfObjects.index") as? [Int], [7])
      expectEqual(pages.value(forKeyPath: "@avg.ratio") as? Float, 0.5)
    }
  }

  @Test func `Of what an observer hears`() throws {
    try TestFile().open([V0.Page.self]) { realm in
      let page = V0.Page()
      try realm.write { realm.add(page) }
      let heard = Box<[PropertyChange]>([])
      let token = page.observe { change in
        if case .change(_, let properties) = change { heard.value += properties }
      }
      try realm.write { page.index = 8 }
      realm.refresh()
      let change = try #require(heard.value.first)
      expectTrue(change.oldValue as? Int == 7 && change.oldValue as? Int16 == 7)
      expectTrue(change.newValue as? Int == 8 && change.newValue as? Int16 == 8)
      token.invalidate()
    }
  }

  @Test func `A description shows numbers and truth as they are`() {
    let page = V0.Page()
    expectTrue(
      page.description.contains("isRead = true;") && page.description.contains("index = 7;"))
  }
}
