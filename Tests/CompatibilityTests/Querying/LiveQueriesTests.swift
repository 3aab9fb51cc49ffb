import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Results of conditions while objects and links change, and with other names of columns.
@Suite struct LiveQueriesTests {
  private func withItems(_ body: (Realm, Results<QueriedItem>) throws -> Void) throws {
    try TestFile().open(Queried.types) { realm in
      try realm.write {
        for id in 1...3 { realm.create(QueriedItem.self, value: ["id": id, "age": 10 * id]) }
      }
      try body(realm, realm.objects(QueriedItem.self))
    }
  }

  @Test func `A condition behind a link follows the link and what it leads to`() throws {
    try withItems { realm, items in
      let found = items.filter("link.age > 15")
      expectTrue(found.isEmpty)
      try realm.write {
        items[0].link = items[1]
        expectEqual(found.ids, [1])
        items[2].link = realm.create(QueriedItem.self, value: ["id": 4, "age": 40])
      }
      expectEqual(found.ids, [1, 3])
      try realm.write {
        items[1].age = 0
        expectEqual(found.ids, [3])
        realm.delete(items[3])
        expectTrue(found.isEmpty)
      }
      expectTrue(found.isEmpty && items.count == 3)
    }
  }

  @Test func `A transaction that is taken back leaves what was found before`() throws {
    try withItems { realm, items in
      let found = items.filter("age >= 20")
      realm.beginWrite()
      items[0].age = 100
      realm.delete(items[2])
      expectTrue(found.ids == [1, 2] && found[1].id == 2)
      realm.cancelWrite()
      expectTrue(found.ids == [2, 3] && found[1].id == 3)
    }
  }

  @Test func `Conditions on a list follow its elements, and end with its owner`() throws {
    try withItems { realm, items in
      let owner = items[0]
      try realm.write { owner.items.append(objectsIn: [items[2], items[1], items[0]]) }
      let found = owner.items.filter("age >= 20")
      let sorted = owner.items.sorted(byKeyPath: "age").filter("age >= 20")
      expectTrue(found.ids == [3, 2] && sorted.ids == [2, 3])
      expectTrue(owner.items.limit(2, offset: 1).ids == [2, 1])
      expectTrue(owner.items.distinct(by: ["name"]).ids == [3])
      try realm.write { realm.delete(items[2]) }
      expectTrue(found.ids == [2] && sorted.ids == [2])
      try realm.write { realm.delete(owner) }
      expectTrue(found.isEmpty && sorted.isEmpty && items.ids == [2])
    }
  }

  @Test func `Conditions add up, before and after an order`() throws {
    try withItems { _, items in
      let sorted = items.sorted(byKeyPath: "age", ascending: false)
      expectEqual(sorted.filter("age > 5").filter("age < 25").ids, [2, 1])
      expectEqual(items.filter("age > 5").sorted(byKeyPath: "id").filter("id != 2").ids, [1, 3])
      expectTrue(items.filter("age > 5").filter("age > 100").filter("age > 0").ids.isEmpty)
    }
  }

  @Test func `Objects of a condition are changed and deleted in a loop, each once`() throws {
    try withItems { realm, items in
      var seen = 0
      try realm.write {
        for item in items.filter("age < 100") {
          item.age = item.id == 2 ? 5 : 200
          seen += 1
        }
      }
      expectTrue(seen == 3 && items.filter("age < 100").ids == [2])
      try realm.write {
        for item in items.filter("age == 200") { realm.delete(item) }
      }
      expectEqual(items.ids, [2])
    }
  }

  private class Renamed: Object {
    @Persisted var title = ""
    @Persisted var next: Renamed?
    @Persisted var others: List<Renamed>
    @Persisted(originProperty: "next") var previous: LinkingObjects<Renamed>
    override class func propertiesMapping() -> [String: String] {
      ["title": "name", "next": "link", "others": "list"]
    }
  }

  @Test(
    arguments: [
      ("title == 'a'", ["a"]), ("name == 'a'", ["a"]), ("next.title == 'b'", ["a"]),
      ("link.name == 'b'", ["a"]), ("ANY others.title == 'b'", ["a"]),
      ("ANY list.name == 'b'", ["a"]),
      ("ANY previous.title == 'a'", ["b"]), ("ANY previous.name == 'a'", ["b"]),
      ("SUBQUERY(list, $x, $x.title == 'b').@count == 1", ["a"]),
    ])
  func `Properties are called by their names and by those of their columns`(
    _ format: String, _ found: [String]
  ) throws {
    try TestFile().open([Renamed.self]) { realm in
      try realm.write {
        let second = realm.create(Renamed.self, value: ["title": "b"])
        let first = realm.create(Renamed.self, value: ["title": "a"])
        first.next = second
        first.others.append(second)
      }
      let all = realm.objects(Renamed.self)
      expectEqual(all.filter(format).map(\.title), found)
      expectEqual(all.sorted(byKeyPath: "title").map(\.title), ["a", "b"])
      expectEqual(all.sorted(byKeyPath: "next.title").map(\.title), ["a", "b"])
    }
  }
}
