import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata
@testable import StrataQuery

/// Random conditions on the same file, with and without the classes of the program.
@Suite struct RandomDynamicQueryTests {
  private static let perPopulation = 200

  private struct Asked {
    var format: String
    var arguments: [QueryOperand]
    var identities: [Int64]
  }

  private func identities(
    _ objects: ObjectResults, _ predicate: QueryPredicate
  ) throws(RealmError) -> [Int64] {
    let found = try objects.filtered(by: predicate)
    let identity = "t.\(found.query.table.identity)"
    do {
      return try found.session.integers(found.query.select(identity), found.query.parameters)
    } catch {
      throw RealmError(error, at: URL(fileURLWithPath: "/"))
    }
  }

  @Test(arguments: 0..<4)
  func `A realm without classes finds the same objects`(population: Int) throws {
    let folder = try TestFolder()
    let asked = try ask(folder, seed: UInt64(population) &* 7_000_003 &+ 1)
    var configuration = Realm.Configuration(fileURL: folder.file)
    configuration.dynamicClasses = .all
    let realm = try Realm(configuration: configuration)
    let table = try #require(realm.session.store.table(className: "Whole"))
    let objects = ObjectResults(ObjectQuery(table), realm.session)
    var compared = 0
    for question in asked {
      do throws(RealmError) {
        let predicate = QueryPredicate(format: question.format, question.arguments)
        try expectEqual(identities(objects, predicate), question.identities)
        compared += 1
      } catch {
        // Linking objects, and names that only Swift has, aren't in a file. Constant objects belong
        // to the realm that was open before.
        let isExpected = ["not found in object of type", "Object must be from the Realm"]
          .contains { error.message.contains($0) }
        expectTrue(isExpected, "\(error.message)")
      }
    }
    expectTrue(compared > Self.perPopulation / 3)
  }

  private func ask(_ folder: TestFolder, seed: UInt64) throws -> [Asked] {
    let realm = try Realm(configuration: folder.configuration(Queried.types))
    _ = try QueryPopulation(seed: seed, wholes: 30, parts: 12, in: realm)
    let schema = realm.session.store.tableSet.querySchema
    let table = try #require(realm.session.store.table(className: "Whole"))
    let objects = ObjectResults(ObjectQuery(table), realm.session)
    return try (0..<Self.perPopulation).compactMap { number in
      var random = RandomQuery(
        seed: seed &+ UInt64(number) &* 7919, schema,
        constants: [
          "Part": Array(realm.objects(Queried.Part.self)),
          "Whole": Array(realm.objects(Queried.Whole.self)),
        ])
      let predicate = random.predicate()
      let (format, arguments) = predicate.format()
      // Objects belong to the realm that is open, and would keep it open.
      guard !arguments.contains(where: Self.hasObject) else { return nil }
      return Asked(
        format: format, arguments: arguments, identities: try identities(objects, predicate))
    }
  }

  private static func hasObject(_ operand: QueryOperand) -> Bool {
    func isObject(_ value: QueryValue) -> Bool { if case .object = value { true } else { false } }
    switch operand {
    case .value(let value): return isObject(value)
    case .list(let values): return values.contains(where: isObject)
    case .path, .subquery: return false
    }
  }
}

extension QueryPredicate {
  fileprivate init(format: String, _ arguments: [QueryOperand]) {
    do throws(PredicateProblem) {
      self = try QueryFormat.parse(format, arguments)
    } catch {
      self = .invalid(error)
    }
  }
}
