import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataQuery
@testable import StrataSchema

/// Filtered results that are deleted, and whose objects change meanwhile.
@Suite struct FilteredResultsTests {
  private let folder: TestFolder
  private let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Queried.types))
    try realm.write {
      for id in 0..<10 {
        realm.add(
          Queried.Whole(value: ["id": id, "int": id % 5, "string": "w\(id)"] as [String: Any]))
      }
    }
  }

  private var wholes: Results<Queried.Whole> { realm.objects(Queried.Whole.self) }

  private func ids(_ results: Results<Queried.Whole>) -> [Int] { results.map(\.id) }

  @Test func `Deleting filtered results deletes only those`() throws {
    try realm.write { realm.delete(wholes.filter("int == 3")) }
    expectEqual(ids(wholes), [0, 1, 2, 4, 5, 6, 7, 9])
    try realm.write { realm.delete(wholes.limit(2)) }
    expectEqual(ids(wholes), [2, 4, 5, 6, 7, 9])
    try realm.write { realm.delete(wholes.distinct(by: ["int"])) }
    expectEqual(ids(wholes), [7, 9])
    try realm.write { realm.delete(wholes.sorted(byKeyPath: "int")) }
    expectTrue(wholes.isEmpty)
  }

  @Test func `Results inside of write follow each change`() throws {
    let low = wholes.filter("int < 2")
    expectEqual(low.count, 4)
    try realm.write {
      wholes[0].int = 7
      expectTrue(low.count == 3 && low.first?.id == 1 && low.last?.id == 6)
      expectTrue(low[0].id == 1 && low.index(of: wholes[5]) == 1)
      realm.add(Queried.Whole(value: ["id": 10, "int": 0]))
      expectTrue(ids(low) == [1, 5, 6, 10] && low[3].id == 10)
      realm.delete(low[0])
      expectTrue(low[0].id == 5 && low.max(of: \.int) == 1)
    }
    expectTrue(ids(low) == [5, 6, 10] && low[0].id == 5)
    try folder.execute(#"UPDATE "Whole" SET "int" = 9 WHERE "id" = 5"#)
    realm.refresh()
    expectTrue(low.count == 2 && low[0].id == 6)
  }

  @Test func `Positions follow changes of linked objects and of collections`() throws {
    try realm.write {
      let part = realm.create(Queried.Part.self, value: ["name": "a"])
      wholes[0].part = part
      wholes[1].parts.append(part)
    }
    let linked = wholes.filter("part.name == 'a'")
    let listed = wholes.filter("ANY parts.name == 'a'")
    expectTrue(linked[0].id == 0 && listed[0].id == 1)
    try realm.write {
      expectTrue(linked[0].id == 0 && listed[0].id == 1)
      wholes[2].part = wholes[0].part
      wholes[2].parts.append(realm.objects(Queried.Part.self)[0])
      expectTrue(linked[1].id == 2 && listed[1].id == 2)
      wholes[0].part = nil
      expectEqual(linked[0].id, 2)
      wholes[1].parts.removeAll()
      expectEqual(listed[0].id, 2)
      realm.objects(Queried.Part.self)[0].name = "b"
      expectTrue(linked.isEmpty && listed.isEmpty && linked.index(of: wholes[2]) == nil)
    }
  }

  @Test func `Changing other properties by position does not read the positions again`() throws {
    func statements(_ change: (Queried.Whole) -> Void) throws -> Int {
      var count = 0
      try realm.write {
        let low = wholes.filter("int < 2")
        _ = low[0]
        try realm.session.query { db in
          db.trace { event in
            if case .statement(let statement) = event, statement.sql.contains("WHERE t.\"int\"") {
              count += 1
            }
          }
        }
        for index in 0..<4 { change(low[index]) }
        try realm.session.query { db in db.trace() }
      }
      return count
    }
    try expectEqual(statements { $0.string += "!" }, 0)
    try expectTrue(statements { $0.int = $0.int } >= 3)
  }

  @Test func `Constants that a statement has no place for don't matter`() throws {
    try realm.write { wholes[0].intMap["a"] = 1 }
    let byKey = wholes.sorted(byKeyPath: "intMap['a']", ascending: false)
    expectTrue(byKey.count == 10 && byKey.first?.id == 0 && byKey.last?.id == 9)
    let value = QueryOperand.path(QueryPath([.property("intMap"), .key("a")]))
    let none = wholes._filter(.comparison(QueryComparison(value, .less, .value(.null))))
    expectTrue(none.isEmpty && none.count == 0 && ids(none).isEmpty)
  }
}
