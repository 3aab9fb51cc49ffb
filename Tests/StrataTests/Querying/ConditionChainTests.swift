import Foundation
import Strata
import TestKit
import Testing

/// Conditions that are applied one after the other.
@Suite struct ConditionChainTests {
  private let realm: Realm
  private var people: Results<Q.Person> { realm.objects(Q.Person.self) }

  init() throws {
    realm = try Realm(
      configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: Q.types))
    try realm.write {
      for id in 0..<3 { realm.add(Q.Person(value: ["id": id, "age": 10_000 + id])) }
    }
  }

  @Test(arguments: [1_100, 5_000]) func `Thousands of conditions are all asked`(_ count: Int) {
    let start = Self.processorTime
    var results = people
    for age in 0..<count { results = results.where { $0.age != 20_000 - age } }
    expectEqual(results.count, 3)
    var filtered = people
    for age in 0..<count { filtered = filtered.filter("age != %@", age) }
    expectEqual(filtered.filter("age != 10001").map(\.id), [0, 2])
    // 3,000 took 55 s.
    expectTrue(Self.processorTime - start < 20)
  }

  /// The seconds for which this thread has worked: others may keep the processors busy meanwhile.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `Chains that begin with the same conditions go on each in its way`() {
    let first = people.filter("age > 0")
    let (low, high) = (first.filter("age == 10000"), first.filter("age == 10002"))
    expectTrue(low.map(\.id) == [0] && high.map(\.id) == [2] && first.count == 3)
    expectTrue(low.filter("age > 5").map(\.id) == [0] && high.filter("age > 5").map(\.id) == [2])
  }

  @Test func `More conditions than SQLite takes are a mistake where they are made`() throws {
    var results = people
    var failed: Int?
    for count in 1...40_000 where failed == nil {
      do {
        results = try results.filter(validating: "age != %@", -count)
      } catch {
        expectEqual(
          error.message,
          "The condition has \(count) comparisons, which is more than SQLite takes in a "
            + "statement. Use 'IN' with a list of values, or run several queries.")
        failed = count
      }
    }
    try expectTrue(#require(failed) > 10_000)
    expectEqual(results.count, 3)
  }

  @Test func `Thousands of conditions on a list of values are all asked`() {
    let list = List<Int>()
    list.append(objectsIn: 0..<10)
    var results = list.filter("self >= 0")
    for number in 0..<5_000 { results = results.filter("self != %@", number + 5) }
    expectEqual(Array(results), [0, 1, 2, 3, 4])
  }
}
