import Foundation
import GRDB
import StrataQuery
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// The access paths to the rows of a range: all give the same result, and SQLite uses the chosen
/// one.
@Suite struct RangeWaysTests {
  class Log: Object {
    @Persisted(indexed: true) var code = 0
    @Persisted(indexed: true) var seen = 0
    @Persisted(indexed: true) var name: String?
    @Persisted var price = 0
    @Persisted var rate = 0.0
    override class func compoundIndexes() -> [[String]] { [["code", "rate"]] }
  }

  private let folder: TestFolder
  private let realm: Realm
  private var logs: Results<Log> { realm.objects(Log.self) }

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration([Log.self]))
  }

  private func fill(_ count: Int) throws {
    try realm.write {
      try realm.withDatabase { db in
        try db.execute(
          sql: """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
            INSERT INTO Log (code, seen, name, price, rate)
            SELECT i * 7919 % 1000, i, iif(i % 7, 'Name ' || (i * 31 % 500), NULL), i % 10, i * 0.5
            FROM n
            """, arguments: [count])
      }
    }
  }

  // MARK: All ways give the same

  private static let formats = [
    "code > 300", "code > 990 AND price == 3", "seen < 50", "seen BETWEEN {100, 1500}",
    "name BEGINSWITH 'Name 4'", "name > 'Name 4' AND code < 100", "code > 5000",
    "code >= 10 AND seen > 3 AND price != 5", "code < 100 AND (price == 1 OR price == 2)",
  ]

  private func answers(_ results: ObjectResults) -> [String] {
    let cursor = results.cursor()
    var rows: [Int64] = []
    while let object = cursor?.next() { rows.append(object._rowID) }
    let ends = [results.one(last: false), results.one(last: true), results.object(at: 3)]
    let sums = [results.aggregate(.sum, "price"), results.aggregate(.average, "rate")]
    return [
      "\(rows)", "\(results.count)", "\(results.isEmpty)",
      "\(ends.map { $0?._rowID })", "\(sums.map { $0.map { "\($0.value)" } })",
    ]
  }

  @Test(arguments: formats, [nil, "price", "code"])
  func `Each way gives the same objects in the same order, and the same values`(
    format: String, order: String?
  ) throws {
    try fill(2_000)
    var results = logs.filter(format)
    if let order { results = results.sorted(byKeyPath: order) }
    guard case .objects(let objects) = results.source else { return }
    let ranges = try #require(objects.query.ranges)
    let numbers = ranges.ranges.indices
    let all = [RangeWay.scan] + numbers.map { .index($0) } + numbers.map { .identities($0) }
    func compare() {
      let usual = answers(objects)
      for way in all {
        let other = ObjectResults(objects.query.taking(way), objects.session)
        expectEqual(answers(other), usual, "\(way)")
      }
    }
    compare()
    try realm.write {
      realm.delete(logs.filter("seen == 7"))
      compare()
    }
    let frozen = logs.freeze().filter(format)
    expectEqual(frozen.count, logs.filter(format).count)
  }

  // MARK: The way that is taken

  private func plan(_ results: Results<Log>) throws -> String {
    let sql = try #require(results.sql)
    return try realm.withDatabase { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
        .joined(separator: "; ")
    }
  }

  private func statement(_ results: Results<Log>, _ use: RangeUse) throws -> String {
    guard case .objects(let objects) = results.source else { return "" }
    return objects.query.fastest(for: use, in: objects.session).aggregate("1")
  }

  @Test func `A small table is asked as before`() throws {
    try fill(2_000)
    try expectFalse(statement(logs.where { $0.code > 10 }, .values(["\"price\""])).contains("+t."))
    try expectEqual(plan(logs.where { $0.code > 990 }), "SCAN t")
  }

  @Test func `Half of the rows are found by a scan, and few by an index`() throws {
    try fill(30_000)
    let (half, few) = (logs.where { $0.code > 500 }, logs.where { $0.code > 990 })
    let price = RangeUse.values(["\"price\""])
    try expectTrue(statement(half, price).contains(#"WHERE +t."code" > ?1"#))
    try expectFalse(statement(few, price).contains("+t.\"code\" > ?1)"))
    try expectTrue(
      statement(half, .values(["\"rate\""])).contains(#"WHERE t."code" > ?1"#), "It is covered."
    )
    try expectTrue(statement(half, .values([])).contains(#"WHERE t."code" > ?1"#), "It is covered.")
    try expectEqual(plan(half), "SCAN t")
    let found = try plan(few)
    expectTrue(found.contains("SEARCH t USING INTEGER PRIMARY KEY (rowid=?)"), "\(found)")
    expectTrue(found.contains("USING COVERING INDEX Log.code"), "\(found)")
    expectFalse(found.contains("TEMP B-TREE"), "\(found)")
    expectTrue(few.map(\.code).allSatisfy { $0 > 990 } && few.count == 270)
  }

  @Test func `Rows that follow each other are found by their index`() throws {
    try fill(30_000)
    let price = RangeUse.values(["\"price\""])
    try expectTrue(
      statement(logs.where { $0.seen > 20_000 }, price).contains(#"WHERE t."seen" > ?1"#))
  }

  @Test func `The answer follows the constants, and what is written`() throws {
    try fill(30_000)
    let price = RangeUse.values(["\"price\""])
    for _ in 0..<2 {
      try expectTrue(statement(logs.where { $0.code > 998 }, price).contains(#"WHERE t."code""#))
      try expectTrue(statement(logs.where { $0.code > 1 }, price).contains(#"+t."code""#))
    }
    try realm.write {
      try realm.withDatabase { try $0.execute(sql: "UPDATE Log SET code = 999 WHERE code > 100") }
    }
    let many = logs.where { $0.code > 998 }
    try expectTrue(statement(many, price).contains(#"+t."code""#), "\(many.count) of \(logs.count)")
    expectTrue(logs.where { $0.code > 998 }.sum(of: \.price) > 0)
  }
}
