import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataQuery
@testable import StrataSchema

/// Filtered results inside of `write`, while others write, and after deletions.
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

  private func int(_ operator: QueryOperator, _ value: Int64) -> QueryPredicate {
    .comparison(
      QueryComparison(.path(QueryPath([.property("int")])), `operator`, .value(.int(value))))
  }

  private var unknown: QueryPredicate {
    .comparison(QueryComparison(.path(QueryPath([.property("itn")])), .equal, .value(.int(1))))
  }

  private func ids(_ results: Results<Queried.Whole>) -> [Int] { results.map(\.id) }

  // MARK: Deleting

  @Test func `Deleting filtered results deletes only those`() throws {
    try realm.write { realm.delete(wholes._filter(int(.equal, 3))) }
    expectEqual(ids(wholes), [0, 1, 2, 4, 5, 6, 7, 9])
    try realm.write { realm.delete(wholes.limit(2)) }
    expectEqual(ids(wholes), [2, 4, 5, 6, 7, 9])
    try realm.write { realm.delete(wholes.distinct(by: ["int"])) }
    expectEqual(ids(wholes), [7, 9])
    try realm.write { realm.delete(wholes.sorted(byKeyPath: "int")) }
    expectTrue(wholes.isEmpty)
  }

  @Test func `Deleting results of an unknown condition deletes nothing and throws`() throws {
    let error = #expect(throws: Realm.Error.self) {
      try realm.write { realm.delete(wholes._filter(unknown)) }
    }
    expectEqual(
      error?.message.hasPrefix(
        "Invalid keypath 'itn': Property 'itn' not found in object of type 'Whole'."), true)
    expectEqual(error?.message.hasSuffix("Did you mean 'int'?"), true)
    expectEqual(wholes.count, 10)
  }

  @Test func `An unknown condition is reported, and finds nothing`() {
    expectIssue("Invalid keypath 'itn'") { expectTrue(wholes._filter(unknown).isEmpty) }
  }

  @Test func `A loop that deletes what it goes through ends`() throws {
    try realm.write {
      for whole in wholes._filter(int(.greater, 1)) { realm.delete(whole) }
    }
    expectEqual(ids(wholes), [0, 1, 5, 6])
  }

  // MARK: Changing what the condition reads

  @Test func `A loop that changes what it filters by visits each object once`() throws {
    try realm.write {
      var visited: [Int] = []
      for whole in wholes._filter(int(.less, 3)) {
        visited.append(whole.id)
        whole.int += 1
      }
      expectEqual(visited, [0, 1, 2, 5, 6, 7])
      expectEqual(ids(wholes._filter(int(.less, 3))), [0, 1, 5, 6])
    }
  }

  @Test func `Results inside of write follow each change`() throws {
    let low = wholes._filter(int(.less, 2))
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
    expectEqual(ids(low), [5, 6, 10])
  }

  @Test func `What is rolled back is found as before`() throws {
    let low = wholes._filter(int(.less, 2))
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try realm.write {
        for whole in low { whole.int = 9 }
        expectTrue(low.isEmpty)
        throw Stop()
      }
    }
    expectTrue(ids(low) == [0, 1, 5, 6] && low[3].id == 6)
  }

  @Test func `Positions follow changes of linked objects and of collections`() throws {
    try realm.write {
      let part = realm.create(Queried.Part.self, value: ["name": "a"])
      wholes[0].part = part
      wholes[1].parts.append(part)
    }
    let linked = wholes._filter(named(["part", "name"], "a"))
    let listed = wholes._filter(
      .comparison(
        QueryComparison(
          .path(QueryPath([.property("parts"), .property("name")])), .equal, .value(.string("a")),
          quantifier: .any)))
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

  private func named(_ names: [String], _ value: String) -> QueryPredicate {
    .comparison(
      QueryComparison(.path(QueryPath(names.map { .property($0) })), .equal, .value(.string(value)))
    )
  }

  @Test func `Changing other properties by position does not read the positions again`() throws {
    func statements(_ change: (Queried.Whole) -> Void) throws -> Int {
      var count = 0
      try realm.write {
        let low = wholes._filter(int(.less, 2))
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

  // MARK: Other processes

  @Test func `Another connection's changes are found`() throws {
    let low = wholes._filter(int(.less, 2))
    expectTrue(low.count == 4 && low[0].id == 0)
    let other = try DatabaseQueue.otherProgram(at: folder.file)
    try other.write { try $0.execute(sql: #"UPDATE "Whole" SET "int" = 9 WHERE "id" = 0"#) }
    realm.refresh()
    expectTrue(low.count == 3 && low[0].id == 1)
    try other.close()
  }

  // MARK: Orders and limits

  @Test func `A limit is of what was there before it, and what follows sees only that`() {
    let limited = wholes.sorted(byKeyPath: "id", ascending: false).limit(4, offset: 1)
    expectTrue(ids(limited) == [8, 7, 6, 5] && limited.count == 4)
    expectTrue(limited.first?.id == 8 && limited.last?.id == 5 && limited[2].id == 6)
    expectEqual(ids(limited._filter(int(.less, 3))), [7, 6, 5])
    expectEqual(ids(limited.sorted(byKeyPath: "int")), [5, 6, 7, 8])
    expectTrue(ids(limited.limit(2)) == [8, 7] && limited.limit(2).last?.id == 7)
    expectTrue(limited.max(of: \.int) == 3 && limited.sum(of: \.id) == 26)
    expectTrue(
      wholes.limit(0).isEmpty && wholes.limit(-1).isEmpty && wholes.limit(3, offset: 9).count == 1)
  }

  @Test func `Lists are filtered by their elements, in their order`() throws {
    try realm.write {
      let parts = ["b", "a", "b"].map { realm.create(Queried.Part.self, value: ["name": $0]) }
      wholes[0].parts.append(objectsIn: parts + [parts[0]])
    }
    let parts = wholes[0].parts
    expectEqual(parts._filter(named(["name"], "b")).count, 3)
    expectEqual(parts.distinct(by: ["name"]).map(\.name), ["b", "a"])
    expectEqual(parts.limit(2, offset: 1).map(\.name), ["a", "b"])
    expectEqual(parts.sorted(byKeyPath: "name").limit(1).first?.name, "a")
    expectEqual(parts._filter(named(["name"], "a"))[0].name, "a")
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
