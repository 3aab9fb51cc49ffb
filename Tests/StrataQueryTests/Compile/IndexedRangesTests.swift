import StrataQuery
import StrataSchema
import TestKit
import Testing

/// Queries with several access paths to their rows, and the choice between them.
@Suite struct IndexedRangesTests {
  private static let schema = QuerySchema(
    Schema(
      model(
        "Log", key: "id", indexes: [["size", "price"]], property("id"),
        property("date", .string, optional: true, indexed: true), property("code", indexed: true),
        property("size"), property("price"), property("text", .string),
        property("rate", .decimal128),
        property("note", .any, indexed: true), link("parent", to: "Log"),
        property("tags", .string, .set))))

  private func sql(
    _ format: String, sortedBy: String? = nil, limit: Int64? = nil
  ) throws -> QuerySQL {
    let queryClass = try #require(Self.schema["Log"])
    let predicate = try QueryFormat.parse(format)
    var request = QueryRequest()
    request.add(try PredicateResolver(Self.schema).resolve(predicate, ofObjects: queryClass))
    if let sortedBy {
      let path = try OrderPathResolver(Self.schema, verb: "sort").resolve(sortedBy, of: queryClass)
      request.add(.sort([QuerySortKey(path, ascending: true)]))
    }
    if let limit { request.add(QueryLimit(count: limit, offset: 0)) }
    let base = QueryBase(
      queryClass, tables: #""Log" AS t"#, rowKey: #"t."_id""#, order: #"t."_id""#,
      isByIdentity: true)
    return request.compiled(for: base)
  }

  private func ranges(_ format: String) throws -> IndexedRanges? { try sql(format).ranges }

  @Test(arguments: [
    "code > 3", "code >= 3 AND text CONTAINS 'x'", "date < '2026' AND price == 4", "size > 3",
    "code BETWEEN {1, 5}", "date BEGINSWITH '2026'", "code > 3 AND (price == 1 OR text == 'x')",
    "code > 3 AND NOT text == 'x'", "id > 100",
  ])
  func `A range of an index, with nothing else that helps, has several ways`(
    format: String
  ) throws {
    try expectEqual(ranges(format)?.ranges.count, 1)
  }

  @Test(arguments: [
    "code == 3", "code > 3 AND id == 5", "price > 3", "text BEGINSWITH 'x'",
    "code > 3 OR price > 3",
    "NOT code > 3", "code IN {1, 2}", "date == nil", "date <= nil", "code > 3 AND date == 'x'",
    "note > 3", "parent.code > 3", "code > 3 AND parent.price > 4", "ANY tags == 'x' AND code > 3",
    "code > 3 AND (price == 1 OR date == 'x')", "code > price", "TRUEPREDICATE",
    "code > 3 AND parent == nil", "date BEGINSWITH[c] 'x'", "code != 3",
  ])
  func `Other queries have a single way`(format: String) throws {
    try expectNil(ranges(format))
  }

  @Test func `A limit leaves no choice`() throws {
    try expectNil(sql("code > 3", limit: 5).ranges)
  }

  @Test func `Each way is the same condition in other words`() throws {
    let sql = try sql("code > 3 AND code < 9 AND date > 'x' AND text != 'y'")
    let plain = #"(t."code" > ?1 AND t."code" < ?2 AND t."date" > ?3 AND t."text" IS NOT ?4)"#
    let without = plain.replacing(#"t."code""#, with: #"+t."code""#)
    let scan = without.replacing(#"t."date""#, with: #"+t."date""#)
    expectTrue(sql.condition == plain && sql.taking(.usual).condition == plain)
    expectEqual(sql.taking(.scan).condition, scan)
    expectEqual(sql.taking(.index(1)).condition, without)
    expectEqual(
      sql.taking(.identities(0)).condition,
      #"t."_id" IN (SELECT t."_id" FROM "Log" AS t WHERE t."code" > ?1 AND t."code" < ?2) AND "#
        + scan)
  }

  @Test func `An index that has all that is read needs no choice`() throws {
    let size = try #require(try ranges("size > 3"))
    expectTrue(size.isUsual(for: .values([])) && size.isUsual(for: .values([#""price""#])))
    expectTrue(!size.isUsual(for: .values([#""text""#])) && !size.isUsual(for: .objects))
    let both = try #require(try ranges("size > 3 AND price == 5"))
    expectTrue(both.isUsual(for: .values([])))
    let other = try #require(try ranges("size > 3 AND text == 'x'"))
    expectFalse(other.isUsual(for: .values([])))
  }

  @Test func `An order that an index may have is kept`() throws {
    try expectEqual(sql("code > 3", sortedBy: "date").ranges?.isUsual(for: .objects), true)
    try expectEqual(sql("code > 3", sortedBy: "text").ranges?.isUsual(for: .objects), false)
    try expectNil(sql("code > 3", sortedBy: "parent.code").ranges)
  }

  // MARK: Decisions

  /// The plan for ranges that match the given numbers of a million rows, `step` rows apart in the
  /// index.
  private func way(
    _ format: String, _ use: RangeUse, matching: [Int64], step: Int64 = 5_000, width: Int = 70,
    sortedBy: String? = nil
  ) throws -> RangeWay {
    let ranges = try #require(try sql(format, sortedBy: sortedBy).ranges)
    let costs = RangeCosts(rows: 1_000_000, width: width)
    func count(_ range: IndexedRanges.Range) -> Int64 {
      matching[ranges.ranges.firstIndex(of: range) ?? 0]
    }
    return ranges.way(for: use, costs) { range in
      (0..<min(128, count(range))).map { $0 * step % 1_000_000 }
    } count: { range, limit in
      min(count(range), limit)
    }
  }

  @Test func `Values of few rows come by the index, of some by identities, of many by a scan`()
    throws
  {
    let price = RangeUse.values([#""price""#])
    try expectEqual(way("code > 3", price, matching: [100]), .usual)
    try expectEqual(way("code > 3", price, matching: [50_000]), .identities(0))
    try expectEqual(way("code > 3", price, matching: [500_000]), .scan)
    try expectTrue(way("code > 3", price, matching: [150_000], width: 1_000) != .scan)
    try expectEqual(way("code > 3", .objects, matching: [500_000], sortedBy: "text"), .scan)
  }

  @Test func `Rows that follow each other come by the index`() throws {
    let price = RangeUse.values([#""price""#])
    try expectEqual(way("code > 3", price, matching: [300_000], step: 1), .usual)
    try expectEqual(way("code > 3", price, matching: [900_000], step: 1), .scan)
    try expectEqual(way("code > 3", price, matching: [700_000], step: 1, width: 1_000), .usual)
  }

  @Test func `Objects are found by identities, or by a scan`() throws {
    try expectEqual(way("code > 3", .objects, matching: [0]), .identities(0))
    try expectEqual(way("code > 3", .objects, matching: [50_000]), .identities(0))
    try expectEqual(way("code > 3", .objects, matching: [80_000]), .scan)
    try expectEqual(way("code > 3", .objects, matching: [200_000], step: 1), .identities(0))
  }

  @Test func `The first object is looked for where it is near`() throws {
    try expectEqual(way("code > 3", .first, matching: [10]), .usual)
    try expectEqual(way("code > 3", .first, matching: [10_000]), .usual)
    try expectEqual(way("code > 3", .first, matching: [30_000]), .scan)
    try expectEqual(way("code > 3", .first, matching: [300_000], step: 1), .usual)
    try expectEqual(way("code > 3 AND price == 1", .first, matching: [10_000]), .identities(0))
  }

  @Test func `Of two ranges the one with fewer rows is taken`() throws {
    let price = RangeUse.values([#""price""#])
    let format = "code > 3 AND date > 'x'"
    try expectEqual(way(format, price, matching: [50_000, 100]), .index(1))
    try expectEqual(way(format, price, matching: [50_000, 20_000]), .identities(1))
    try expectEqual(way(format, price, matching: [500_000, 20_000]), .identities(1))
    try expectEqual(way(format, price, matching: [500_000, 200_000]), .scan)
  }
}
