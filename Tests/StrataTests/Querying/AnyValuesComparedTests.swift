import Foundation
import StrataQuery
import StrataTestKit
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

  @Test func `Only texts, and only data, are equal without case`() throws {
    let date = Date(timeIntervalSince1970: 0)
    let pairs: [(AnyRealmValue, AnyRealmValue)] = [
      (.string("A"), .string("a")), (.data(Data("A".utf8)), .data(Data("a".utf8))),
      (.int(5), .double(5)), (.decimal128(1), .decimal128("1.00")), (.date(date), .date(date)),
      (.none, .none),
      (.int(5), .string("5")), (.string("A"), .data(Data("a".utf8))), (.none, .string("a")),
      (.date(date), .string("1970-01-01 00:00:00.000000000")), (.string("a"), .string("b")),
      (.fromArray([.string("A")]), .fromArray([.string("a")])),
    ]
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: Queried.types))
    try realm.write {
      for (id, (one, other)) in pairs.enumerated() {
        let whole = realm.create(Queried.Whole.self, value: ["id": id])
        whole.any = one
        whole.part = realm.create(Queried.Part.self)
        whole.part?.any = other
        whole.string = other.stringValue ?? ""
      }
    }
    let file = realm.objects(Queried.Whole.self)
    let memory = List<Queried.Whole>()
    memory.append(objectsIn: file)
    let (equal, unlike) = (Array(0..<6), Array(6..<pairs.count))
    for (condition, ids) in [
      ("#any ==[c] part.#any", equal), ("#any !=[c] part.#any", unlike), ("#any ==[c] string", [0]),
      ("string ==[cd] #any", [0]),
    ] {
      expectEqual(file.filter(condition).map(\.id), ids, "\(condition)")
      expectEqual(memory.filter(condition).map(\.id), ids, "\(condition)")
    }
    for (id, (_, other)) in pairs.enumerated() {
      let found = [file.filter("#any ==[c] %@", other), memory.filter("#any ==[c] %@", other)]
      expectEqual(found.map { $0.map(\.id).contains(id) }, [id < 6, id < 6], "\(other)")
    }
  }

  @Test func `An object in a value equals the same one of a link`() throws {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: Q.types))
    try realm.write {
      let (rex, max) = (realm.create(Q.Dog.self), realm.create(Q.Dog.self))
      let pairs: [(AnyRealmValue, Q.Dog?)] = [
        (.object(rex), rex), (.object(rex), max), (.none, nil), (.int(1), rex), (.none, rex),
      ]
      for (id, (value, dog)) in pairs.enumerated() {
        let person = realm.create(Q.Person.self, value: ["id": id, "dog": dog as Any])
        person.any = value
        person.dogsByName["a"] = dog
        if let dog { person.dogs.append(dog) }
      }
    }
    let file = realm.objects(Q.Person.self)
    let memory = List<Q.Person>()
    memory.append(objectsIn: file)
    for (condition, ids) in [
      ("#any == dog", [0, 2]), ("dog != #any", [1, 3, 4]), ("#any == dogsByName['a']", [0, 2]),
      ("ANY dogs == #any", [0]), ("NONE dogs == #any", [1, 2, 3, 4]), ("#any <= dog", [0, 2]),
    ] {
      expectEqual(file.filter(condition).map(\.id), ids, "\(condition)")
      expectEqual(memory.filter(condition).map(\.id), ids, "\(condition)")
    }
  }
}
