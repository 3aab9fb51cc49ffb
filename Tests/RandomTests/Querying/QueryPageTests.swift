import Foundation
import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataQuery
@testable import StrataSchema
@testable import StrataStorage

/// Queries that are read in pages of 7: each row occurs once, in the order of `Results`.
@Suite struct QueryPageTests {
  private let folder: TestFolder
  private let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Queried.types))
    _ = try QueryPopulation(seed: 28, wholes: 60, parts: 20, in: realm)
  }

  private static let paths = [
    "id", "int", "maybeInt", "bool", "maybeBool", "float", "maybeFloat", "double", "maybeDouble",
    "string", "maybeString", "date", "maybeDate", "maybeUUID", "maybeObjectId", "decimal",
    "maybeDecimal", "any", "part.name", "part.number", "part.maybeDecimal", "part.any",
    "part.parent.name", "next.maybeDouble", "next.decimal", "next.next.any", "box.number",
    "box.text", "box.part.name", "intMap['a']", "stringMap['b']",
  ]

  private func page(_ results: Results<Queried.Whole>) throws -> QueryPage {
    guard case .objects(let objects) = results.source else { throw Missing() }
    return QueryPage(objects.query.sql)
  }

  private struct Missing: Error {}

  private func rows(_ statement: QueryPage.Statement) throws -> [QueryPage.Key] {
    try realm.withDatabase { db in
      let cursor = try db.makeStatement(sql: statement.sql)
      try cursor.bindRaw(statement.parameters)
      var rows: [QueryPage.Key] = []
      while try cursor.stepRaw() {
        let values = (0..<Int32(cursor.columnCount)).map { cursor.storedValue($0) }
        guard case .integer(let identity) = values[0] else { throw Missing() }
        rows.append(QueryPage.Key(values: Array(values.dropFirst()), identity: identity))
      }
      return rows
    }
  }

  private func rows(
    _ page: QueryPage, behind key: QueryPage.Key?, _ direction: QueryPage.Direction, count: Int
  ) throws -> [QueryPage.Key] {
    var found: [QueryPage.Key] = []
    for statement in page.statements(behind: key, direction, limit: count)
    where found.count < count {
      found += try rows(statement).prefix(count - found.count)
    }
    return found
  }

  /// Reads all pages in both directions, and compares them with the results.
  private func expectPages(
    of results: Results<Queried.Whole>, _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let page = try page(results)
    let expected = Array(results.map(\._rowID))
    for direction in [QueryPage.Direction.forward, .backward] {
      var read: [QueryPage.Key] = []
      while true {
        let next = try rows(page, behind: read.last, direction, count: 7)
        read += next
        if next.count < 7 { break }
        // One that goes in a circle ends.
        guard read.count <= expected.count else { break }
      }
      let order = direction == .forward ? expected : expected.reversed()
      expectEqual(
        read.map(\.identity), order, "\(name), \(direction)", sourceLocation: sourceLocation)
    }
  }

  private func whole() -> Results<Queried.Whole> { realm.objects(Queried.Whole.self) }

  @Test func `Without an order, rows are in that of their identities`() throws {
    expectEqual(whole().count, 60)
    try expectPages(of: whole(), "all")
    try expectPages(of: whole().filter("maybeInt == nil OR bool == true"), "some")
    try expectPages(of: whole().filter("FALSEPREDICATE"), "none")
  }

  @Test(arguments: paths)
  func `By each property`(path: String) throws {
    let some = whole().filter("int > -1 OR maybeString == nil")
    for ascending in [true, false] {
      try expectPages(
        of: whole().sorted(byKeyPath: path, ascending: ascending), "\(path) \(ascending)")
      try expectPages(
        of: some.sorted(byKeyPath: path, ascending: ascending), "some by \(path) \(ascending)")
    }
  }

  @Test func `By several properties, in all directions`() throws {
    var pool = QueryValuePool(seed: 7)
    for round in 0..<60 {
      let descriptors = (0..<pool.number(2..<5)).map { _ in
        SortDescriptor(keyPath: pool.one(of: Self.paths), ascending: pool.chance(50))
      }
      try expectPages(of: whole().sorted(by: descriptors), "round \(round): \(descriptors)")
    }
  }

  @Test func `A page goes on where its row was, also when that is gone`() throws {
    for ascending in [true, false] {
      let results = whole().sorted(byKeyPath: "maybeDouble", ascending: ascending)
      let page = try page(results)
      let all = try rows(page, behind: nil, .forward, count: 60)
      for index in [6, 20, 33, 45, 58] {
        let key = all[index]
        try expectEqual(rows(page.key(of: key.identity)), [key])
        realm.beginWrite()
        try realm.delete(#require(results.first { $0._rowID == key.identity }))
        try expectEqual(rows(page, behind: key, .forward, count: 60), Array(all[(index + 1)...]))
        try expectEqual(
          rows(page, behind: key, .backward, count: 60), all[..<index].reversed())
        realm.cancelWrite()
      }
      try expectEqual(rows(page.key(of: -1)), [])
    }
  }

  private func plans(_ statements: [QueryPage.Statement]) throws -> [String] {
    try realm.withDatabase { db in
      try statements.map { statement in
        try Row.fetchAll(
          db, sql: "EXPLAIN QUERY PLAN \(statement.sql)",
          arguments: StatementArguments(statement.parameters.map(\.forDatabase))
        ).map { row -> String in row["detail"] }.joined(separator: "; ")
      }
    }
  }

  private func partsByName(ascending: Bool) throws -> QueryPage {
    let parts = realm.objects(Queried.Part.self).sorted(byKeyPath: "name", ascending: ascending)
    guard case .objects(let objects) = parts.source else { throw Missing() }
    return QueryPage(objects.query.sql)
  }

  @Test(arguments: [true, false], [QueryPage.Direction.forward, .backward])
  func `An index is searched for the key`(
    ascending: Bool, direction: QueryPage.Direction
  ) throws {
    let key = QueryPage.Key(values: [.text("b")], identity: 7)
    let plans = try plans(
      partsByName(ascending: ascending).statements(behind: key, direction, limit: 7))
    let isUp = ascending == (direction == .forward)
    var expected = ["(name=? AND rowid\(direction == .forward ? ">" : "<")?)"]
    expected += isUp ? ["(name>?)"] : ["(name<?)", "(name=?)"]
    expectEqual(plans.count, expected.count)
    for (plan, search) in zip(plans, expected) {
      expectTrue(plan.hasPrefix("SEARCH t USING COVERING INDEX "), "\(plan)")
      expectTrue(plan.contains(search), "\(plan)")
    }
    // Where a value is known, its rows are in their order.
    expectFalse(plans[0].contains("TEMP B-TREE"), "\(plans[0])")
  }

  @Test func `Without an order the identity is searched`() throws {
    let page = try page(whole())
    try expectEqual(
      plans(page.statements(behind: .init(values: [], identity: 7), .forward, limit: 7)),
      ["SEARCH t USING INTEGER PRIMARY KEY (rowid>?)"])
  }

  @Test func `Behind the last nil an index is searched for the first value`() throws {
    let plans = try plans(
      partsByName(ascending: true).statements(
        behind: .init(values: [.null], identity: 7), .forward, limit: 7))
    expectEqual(plans.count, 2)
    for (plan, search) in zip(plans, ["(name=? AND rowid>?)", "(name>?)"]) {
      expectTrue(plan.hasPrefix("SEARCH t USING COVERING INDEX "), "\(plan)")
      expectTrue(plan.contains(search), "\(plan)")
      expectFalse(plan.contains("TEMP B-TREE"), "\(plan)")
    }
  }

  @Test func `Without an index all rows are looked at once`() throws {
    let page = try page(whole().sorted(byKeyPath: "maybeFloat"))
    let key = QueryPage.Key(values: [.real(1.5)], identity: 7)
    expectEqual(page.statements(behind: key, .forward, limit: 7).count, 1)
    expectEqual(page.statements(behind: key, .backward, limit: 7).count, 2)
  }
}
