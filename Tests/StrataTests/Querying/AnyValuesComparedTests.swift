import Foundation
import StrataQuery
import TestKit
import Testing

@testable import Strata

/// Conditions that compare two properties of type `AnyRealmValue`.
@Suite struct AnyValuesComparedTests {
  /// Equal values without an order are also `<=` and `>=`, as nil is.
  @Test(arguments: ["<=", ">="])
  func `A value is less than or equal to itself`(comparison: String) throws {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: Q.types))
    let dog = Q.Dog()
    let values: [AnyRealmValue] = [
      .none, .bool(true), .int(1), .double(1.5), .string("a"), .data(Data([1])),
      .date(Date(timeIntervalSince1970: 1)), .objectId(.generate()), .uuid(UUID()),
      .decimal128(2), .object(dog), .fromArray([1]), .fromDictionary(["a": 1]),
    ]
    let all = Array(values.indices)
    try realm.write {
      realm.add(dog)
      for (id, value) in values.enumerated() {
        realm.create(Q.Person.self, value: ["id": id]).any = value
      }
      realm.create(Q.Person.self, value: ["id": 100]).any = .decimal128(.nan)
    }
    let people = realm.objects(Q.Person.self).sorted(byKeyPath: "id")
    let condition = try QueryFormat.parse("#any \(comparison) #any", [])
    expectEqual(people.filter("#any \(comparison) #any").map(\.id), all)
    expectEqual(people.filter("NOT #any \(comparison) #any").map(\.id), [100])
    let evaluator = try PredicateEvaluator(condition, ofObjects: Q.Person.self)
    expectEqual(people.filter { evaluator.isTrue(for: $0) }.map(\.id), all)
  }
}
