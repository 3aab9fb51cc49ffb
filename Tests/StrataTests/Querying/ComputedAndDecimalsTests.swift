import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Computed values of collections, compared with decimals. SQLite stores decimals as texts, and
/// sorts each number before each text.
@Suite struct ComputedAndDecimalsTests {
  private let folder: TestFolder
  private let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Queried.types))
    try realm.write {
      for (id, numbers) in [[], [1], [1.5, 2], [-3, 0.25]].enumerated() {
        let whole = realm.create(Queried.Whole.self, value: ["id": id])
        whole.doubles.append(objectsIn: numbers)
        whole.ints.append(objectsIn: numbers.map { Int($0) })
        for number in numbers {
          whole.parts.append(realm.create(Queried.Part.self, value: ["number": Int(number)]))
        }
      }
    }
  }

  @Test(arguments: [
    ("doubles.@count > %@", [2, 3]), ("doubles.@count == %@", [1]),
    ("doubles.@count != %@", [0, 2, 3]),
    ("doubles.@count <= %@", [0, 1]), ("NOT doubles.@count > %@", [0, 1]),
    ("doubles.@sum > %@", [2]), ("doubles.@sum < %@", [0, 3]), ("doubles.@sum >= %@", [1, 2]),
    ("doubles.@max > %@", [2]), ("doubles.@max < %@", [3]), ("doubles.@max == %@", [1]),
    ("doubles.@max != %@", [0, 2, 3]), ("doubles.@min < %@", [3]), ("doubles.@avg > %@", [2]),
    ("ints.@sum > %@", [2]), ("ints.@min == %@", [1, 2]), ("ints.@max < %@", [3]),
    ("parts.@sum.number > %@", [2]), ("parts.@max.number == %@", [1]),
    ("SUBQUERY(parts, $p, $p.number > 0).@count == %@", [1]),
    ("SUBQUERY(parts, $p, $p.number > 0).@count < %@", [0, 3]),
    ("ints.@sum IN {%@, 3.0}", [1, 2]), ("doubles.@avg BETWEEN {%@, 5}", [1, 2]),
  ])
  func `A decimal is a number`(condition: String, ids: [Int]) throws {
    let wholes = realm.objects(Queried.Whole.self)
    let memory = List<Queried.Whole>()
    memory.append(objectsIn: wholes)
    let one = condition.hasSuffix("avg BETWEEN {%@, 5}") ? Decimal128("0.5") : Decimal128("1")
    expectEqual(wholes.filter(condition, one).map(\.id), ids)
    expectEqual(memory.filter(condition, one).map(\.id), ids)
    expectEqual(wholes.filter(condition, one.stringValue == "1" ? 1 : 0.5).map(\.id), ids)
  }

  @Test func `Long lists have numbers of all kinds`() throws {
    let wholes = realm.objects(Queried.Whole.self)
    let many = (100..<130).map { $0 as Any }
    let lists: [[Any]] = [many + [2.0, 1], many + [2, 1.0], many + [Decimal128("2.00"), 1.0]]
    for list in lists {
      expectEqual(wholes.filter("doubles.@max IN %@", list as Any).map(\.id), [1, 2])
    }
  }
}
