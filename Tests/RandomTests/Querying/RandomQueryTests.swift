import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataQuery

/// Random conditions on random objects. Both forms of the statement, the evaluator in memory and
/// the printed text must all agree with the oracle.
///
/// `STRATA_RANDOM_QUERIES` sets the number of conditions.
@Suite struct RandomQueryTests {
  private static let number =
    ProcessInfo.processInfo.environment["STRATA_RANDOM_QUERIES"].flatMap(Int.init) ?? 2_000
  /// Conditions for the same objects.
  private static let perPopulation = 250

  @Test(arguments: 0..<(number / perPopulation))
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
    for number in 0..<Self.perPopulation {
      var random = RandomQuery(
        seed: seed &+ UInt64(number) &* 7919, schema,
        constants: ["Part": Array(realm.objects(Queried.Part.self)), "Whole": Array(wholes)])
      let predicate = random.predicate()
      let expected = candidates.filter { oracle.isTrue(predicate, ["": $0]) }.map(\.id)
      func expect(_ found: [Int], _ form: Comment) {
        expectEqual(
          found, expected, "\(form), population \(population), condition \(number): \(predicate)")
      }
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
    }
  }
}
