import Foundation
import GRDB
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataQuery
@testable import StrataSchema

/// Random conditions on random objects. Both forms of the statement, the evaluator in memory and
/// the printed text must all agree with the oracle. A condition and its opposite must cover the
/// class once, and indexes must change no answer: these two oracles need no rules.
///
/// `STRATA_RANDOM_QUERIES` sets the number of conditions.
@Suite struct RandomQueryTests {
  private static let number =
    ProcessInfo.processInfo.environment["STRATA_RANDOM_QUERIES"].flatMap(Int.init) ?? 2_000
  /// Conditions for the same objects.
  private static let perPopulation = 250

  /// Populations of which indexes have once changed an answer.
  private static let known = [358, 684]

  @Test(arguments: Array(0..<(number / perPopulation)) + known)
  func `Conditions find what the oracle finds`(population: Int) throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration(Queried.types))
    let seed = UInt64(population) &* 1_000_003
    let known = try QueryPopulation(seed: seed, wholes: 30, parts: 12, in: realm)
    let wholes = realm.objects(Queried.Whole.self)
    let everyWhole = QueryComparison(
      .path(QueryPath([])), .in, QueryOperand(argument: Array(wholes)))
    func ids(_ predicate: QueryPredicate) throws -> [Int] {
      guard case .objects(let found) = wholes._filter(predicate).source else { return [] }
      return try found.session.integers(found.query.select("t.\"id\""), found.query.parameters)
        .map { Int($0) }
    }
    let oracle = Oracle(all: known.all, objects: known.object)
    let candidates = known.all.filter { $0.className == "Whole" }
    let schema = realm.session.store.tableSet.querySchema
    let constants: [String: [ObjectBase]] = [
      "Part": Array(realm.objects(Queried.Part.self)), "Whole": Array(wholes),
    ]
    var searches: [Search] = []
    for number in 0..<Self.perPopulation {
      var random = RandomQuery(
        seed: seed &+ UInt64(number) &* 7919, schema, constants: constants)
      let predicate = random.predicate()
      let expected = candidates.filter { oracle.isTrue(predicate, ["": $0]) }.map(\.id)
      func comment(_ form: String) -> Comment {
        "\(form), population \(population), condition \(number): \(predicate)"
      }
      func expect(_ found: [Int], _ form: String) { expectEqual(found, expected, comment(form)) }
      expect(try ids(predicate), "IN")
      expect(try ids(.and([.comparison(everyWhole), predicate])), "EXISTS")
      let opposite = Set(try ids(.not(predicate)))
      expect(candidates.map(\.id).filter { !opposite.contains($0) }, "negated")
      expectEqual(opposite.count, candidates.count - expected.count)
      if number.isMultiple(of: 5) {
        let evaluator = try PredicateEvaluator(predicate, ofObjects: Queried.Whole.self)
        expect(wholes.filter { evaluator.isTrue(for: $0) }.map(\.id), "in memory")
      }
      let (format, arguments) = predicate.format()
      expect(try ids(try QueryFormat.parse(format, arguments)), "printed")
      expectParts(of: wholes, by: predicate, number, comment)
      let order = SortDescriptor(
        keyPath: RandomOrderTests.paths[number % RandomOrderTests.paths.count],
        ascending: number.isMultiple(of: 2))
      searches.append(
        try Search(wholes._filter(predicate).sorted(by: [order])) { comment("by \(order)") })
    }
    try dropIndexes(of: realm)
    for search in searches { expectEqual(try search.rows(), search.found, search.comment()) }
  }

  /// Compares what SQLite computes for a condition and for its opposite with that for all objects.
  /// There is no third part: a condition that compares with nil is true or false.
  private func expectParts(
    of all: Results<Queried.Whole>, by predicate: QueryPredicate, _ number: Int,
    _ comment: (String) -> Comment
  ) {
    let parts = [all._filter(predicate), all._filter(.not(predicate))]
    func expectEnds<Value: RealmCollectionValue & MinMaxType & Comparable>(
      _ property: String, _: Value.Type
    ) where Value.PersistedType: MinMaxType {
      func least(_ part: Results<Queried.Whole>) -> Value? { part.min(ofProperty: property) }
      func greatest(_ part: Results<Queried.Whole>) -> Value? { part.max(ofProperty: property) }
      expectEqual(parts.compactMap(least).min(), least(all), comment(property))
      expectEqual(parts.compactMap(greatest).max(), greatest(all), comment(property))
    }
    // One of them for each condition: together they would take as long as all other checks.
    switch number % 5 {
    case 0: expectEqual(parts[0].count + parts[1].count, all.count, comment("counts"))
    case 1:
      // Integers wrap around, so that their sum is the same in any order.
      let sums = parts.map { $0.sum(ofProperty: "int") as Int }
      expectEqual(sums[0] &+ sums[1], all.sum(ofProperty: "int"), comment("sums"))
    case 2: expectEnds("int", Int.self)
    case 3: expectEnds("maybeDate", Date.self)
    default: expectEnds("maybeDecimal", Decimal128.self)
    }
  }

  /// A query, and the rows that it found in the form that is fastest with the indexes.
  private struct Search {
    private let objects: ObjectResults
    let found: [Int64]
    let comment: () -> Comment

    init(_ results: Results<Queried.Whole>, _ comment: @escaping () -> Comment) throws {
      guard case .objects(let objects) = results.source else { throw NotAQuery() }
      self.objects = objects
      self.comment = comment
      found = try Self.rows(objects.query.fastest(for: .objects, in: objects.session), objects)
    }

    /// Returns the rows that the usual form finds now.
    func rows() throws -> [Int64] { try Self.rows(objects.query, objects) }

    private static func rows(_ query: ObjectQuery, _ objects: ObjectResults) throws -> [Int64] {
      try objects.session.integers(
        query.select("t.\(query.table.identity)"), query.parameters)
    }

    private struct NotAQuery: Error {}
  }

  private func dropIndexes(of realm: Realm) throws {
    try realm.write {
      try realm.withDatabase { db in
        let names = try String.fetchAll(
          db, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL")
        expectTrue(names.count > 8)
        for name in names { try db.execute(sql: "DROP INDEX \(SQLName.quote(name))") }
      }
    }
  }
}
