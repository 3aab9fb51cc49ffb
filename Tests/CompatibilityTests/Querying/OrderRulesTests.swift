import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// The order of results, distinct values and limits.
@Suite struct OrderRulesTests {
  let file: TestFile

  /// 1 and 2 have the same name, 3 and 4 too; 1 links to 3, 2 to 4, 3 to nothing, 4 to 2.
  init() throws {
    file = try TestFile()
    try file.write(Queried.types) { realm in
      let rows: [(String, Int?, Double?)] = [
        ("b", 3, 1.5), ("b", 1, nil), ("a", 2, -1), ("a", nil, 9),
      ]
      let items = rows.enumerated().map { index, row in
        realm.create(
          QueriedItem.self,
          value: ["id": index + 1, "name": row.0, "int": row.1, "double": row.2] as [String: Any?])
      }
      items[0].link = items[2]
      items[1].link = items[3]
      items[3].link = items[1]
      items[0].numbers["x"] = 5
      items[1].numbers["x"] = 4
      items[0].mixed = "a"
      items[1].mixed = 2.5
      items[2].mixed = true
    }
  }

  private func withItems(_ body: (Results<QueriedItem>) throws -> Void) throws {
    try file.open(Queried.types) { try body($0.objects(QueriedItem.self)) }
  }

  @Test(
    arguments: [
      ("int", [4, 2, 3, 1]), ("double", [2, 3, 1, 4]), ("name", [3, 4, 1, 2]),
      // 3 has no link: last. 2 links to 4, whose value is nil: first.
      ("link.int", [2, 4, 1, 3]), ("link.name", [1, 2, 4, 3]), ("link.link.int", [4, 2, 1, 3]),
      ("numbers['x']", [3, 4, 2, 1]), ("mixed", [4, 3, 2, 1]), ("id", [1, 2, 3, 4]),
    ])
  func `Nil values come first, and nil links last`(_ path: String, _ ids: [Int]) throws {
    try withItems { items in
      expectEqual(items.sorted(byKeyPath: path).ids, ids)
      // Equal objects keep their order in both directions.
      let descending = items.sorted(byKeyPath: path, ascending: false).ids
      let ties = ["name", "link.name", "link.link.int", "numbers['x']"]
      if !ties.contains(path) { expectEqual(descending, ids.reversed()) }
      expectEqual(items.sorted(byKeyPath: path).last?.id, ids.last)
    }
  }

  @Test func `Equal objects keep the order of the call before`() throws {
    try withItems { items in
      let byInt = items.sorted(byKeyPath: "int")
      expectEqual(byInt.sorted(byKeyPath: "name").ids, [4, 3, 2, 1])
      expectEqual(byInt.sorted(byKeyPath: "name", ascending: false).ids, [2, 1, 4, 3])
      expectEqual(
        items.sorted(by: ["name", Strata.SortDescriptor(keyPath: "int", ascending: false)]).ids,
        [3, 4, 1, 2])
      expectEqual(items.sorted(by: [] as [Strata.SortDescriptor]).ids, [1, 2, 3, 4])
    }
  }

  @Test func `The first of those with the same values is kept`() throws {
    try withItems { items in
      expectEqual(items.distinct(by: ["name"]).ids, [1, 3])
      expectEqual(items.sorted(byKeyPath: "int").distinct(by: ["name"]).ids, [4, 2])
      expectEqual(items.distinct(by: ["name", "int"]).ids, [1, 2, 3, 4])
      // 3 has no link.
      expectEqual(items.distinct(by: ["link.name"]).ids, [1, 4].sorted())
      expectEqual(items.distinct(by: ["name"]).sorted(byKeyPath: "name").ids, [3, 1])
      // Conditions come first, wherever they are said.
      expectEqual(items.distinct(by: ["name"]).filter("id != 1").ids, [2, 3])
      expectEqual(items.distinct(by: [\QueriedItem.name]).count, 2)
    }
  }

  @Test func `A limit is of what was said before it`() throws {
    try withItems { items in
      expectEqual(items.limit(2).ids, [1, 2])
      expectEqual(items.limit(2, offset: 1).ids, [2, 3])
      expectEqual(items.sorted(byKeyPath: "int").limit(2).ids, [4, 2])
      expectEqual(items.limit(2).sorted(byKeyPath: "int").ids, [2, 1])
      expectTrue(items.limit(2).filter("name == 'a'").ids.isEmpty)
      expectEqual(items.filter("name == 'a'").limit(1).ids, [3])
      expectTrue(items.limit(3).count == 3 && items.limit(0).isEmpty && items.limit(9).count == 4)
      expectTrue(items.limit(-1).isEmpty && items.limit(3, offset: 3).count == 1)
      expectTrue(items.limit(2).first?.id == 1 && items.limit(2).last?.id == 2)
      expectTrue(items.limit(3, offset: 1)[2].id == 4 && items.limit(3).max(of: \.id) == 3)
      expectEqual(items.limit(3).sum(ofProperty: "id") as Int, 6)
    }
  }

  private static let refusals: [(String, String)] = [
    ("", "missing property name."),
    ("link.", "missing property name."),
    ("nme", "property 'QueriedItem.nme' does not exist."),
    ("link.nme", "property 'QueriedItem.nme' does not exist."),
    ("data", "property 'QueriedItem.data' is of unsupported type 'data'."),
    ("ints", "property 'QueriedItem.ints' is of unsupported type 'array<int>'."),
    ("items.name", "property 'QueriedItem.items' is of unsupported type 'array<QueriedItem>'."),
    (
      "link",
      "property 'QueriedItem.link' of type 'object' cannot be the final property in the key "
        + "path."
    ),
    ("items.@count", "KVC collection operators are not supported."),
  ]

  @Test(arguments: refusals.indices)
  func `What has no single value can't be sorted by, nor told apart by`(_ index: Int) throws {
    let (path, reason) = Self.refusals[index]
    try file.open(Queried.types) { realm in
      let items = realm.objects(QueriedItem.self)
      expectError(beginning: "Cannot sort on key path '\(path)': \(reason)") {
        try realm.write { realm.delete(items.sorted(byKeyPath: path)) }
      }
      expectError(beginning: "Cannot distinct on key path '\(path)': \(reason)") {
        try realm.write { realm.delete(items.distinct(by: [path])) }
      }
      expectEqual(items.count, 4)
    }
  }
}
