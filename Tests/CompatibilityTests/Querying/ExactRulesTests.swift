import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Rules that differ in other databases, on a few objects.
@Suite struct ExactRulesTests {
  let file: TestFile

  /// 1 links to 2, and 2 to 3. The lists of 1 contain 2 and 3, and the lists of 2 contain 3.
  init() throws {
    file = try TestFile()
    try file.write(Queried.types) { realm in
      let third = realm.create(
        QueriedItem.self,
        value: [
          "id": 3, "string": "e\u{301}a", "float": Float(1.7),
          "decimal": "1.00" as Decimal128, "mixed": "a",
        ] as [String: Any])
      let second = realm.create(
        QueriedItem.self,
        value: [
          "id": 2, "age": 2, "int": 4, "string": "\u{E9}a", "double": 0.0,
          "decimal": "NaN" as Decimal128, "mixed": true, "link": third, "bool": true,
        ] as [String: Any])
      let first = realm.create(
        QueriedItem.self,
        value: [
          "id": 1, "age": 1, "int": 9_007_199_254_740_993, "string": "Stra\u{DF}e Σίσυφος",
          "double": -Double.infinity, "mixed": 1.0, "link": second, "bool": false,
        ] as [String: Any])
      first.items.append(objectsIn: [second, third])
      second.items.append(third)
      first.ints.append(objectsIn: [.max, 1])
      second.ints.append(objectsIn: [1, 2])
      first.maybeInts.append(objectsIn: [nil, 5])
      first.dates.append(Date(timeIntervalSince1970: 0))
      first.texts.insert("x")
      first.numbers["a"] = 1
      first.numbers["b c"] = 2
      second.numbers["a"] = 3
    }
  }

  private func expect(_ format: String, _ ids: [Int], _ arguments: [Any] = []) throws {
    try file.open(Queried.types) { realm in
      let predicate = NSPredicate(format: format, argumentArray: arguments)
      let found = realm.objects(QueriedItem.self).filter(predicate).sorted(byKeyPath: "id").ids
      expectEqual(found, ids, "\(format)")
    }
  }

  @Test(
    arguments: [
      ("double == 0", [2]), ("double == -0.0", [2]), ("double < 0", [1]), ("double > 0", []),
      ("decimal == 1", [3]), ("decimal == '1.0'", [3]),
      ("decimal < 2", [3]), ("decimal != 1", [1, 2]),
      ("float == 1.7", [3]), ("float BETWEEN {1.7, 1.7}", [3]),
      ("int == 9007199254740993", [1]), ("int == 9007199254740992", []),
      ("int == 9007199254740992.0", []), ("int > 9007199254740992", [1]), ("int == double", [3]),
      ("int != double", [1, 2]), ("bool == 1", [2]), ("bool == NO", [1]), ("bool != YES", [1, 3]),
    ])
  func `Numbers compare exactly`(_ format: String, _ ids: [Int]) throws {
    try expect(format, ids)
  }

  @Test func `NaN as a constant equals nothing`() throws {
    try expect("double == %@", [], [Double.nan])
    try expect("double != %@", [1, 2, 3], [Double.nan])
    try expect("decimal == %@", [], ["NaN" as Decimal128])
    try expect("decimal != %@", [1, 2, 3], ["NaN" as Decimal128])
    try expect("double < %@ OR double >= %@", [], [Double.nan, Double.nan])
  }

  @Test(
    arguments: [
      ("string == '\u{E9}a'", [2]), ("string == 'e\u{301}a'", [3]),
      ("string ==[c] '\u{C9}A'", [2]), ("string ==[d] 'ea'", [2, 3]),
      ("string ==[cd] 'EA'", [2, 3]), ("string CONTAINS[c] 'STRASSE'", [1]),
      ("string CONTAINS[c] 'σίσυφοσ'", [1]), ("string CONTAINS 'σ'", [1]),
      ("string LIKE '?a'", [2]), ("string LIKE '??a'", [3]), ("string LIKE '*a'", [2, 3]),
      ("string LIKE '[é]a'", []), ("string LIKE 'a'", []), ("string LIKE[c] 'stra*'", [1]),
      ("string < 'f'", [1, 3]), ("string >= 'f'", [2]), ("string IN[c] {'\u{C9}A'}", [2]),
    ])
  func `Texts compare by their bytes, or folded`(_ format: String, _ ids: [Int]) throws {
    try expect(format, ids)
  }

  @Test(
    arguments: [
      ("mixed == 1", [1]), ("mixed == true", [2]), ("mixed != 1", [2, 3]), ("mixed == 'a'", [3]),
      ("mixed > 0", [1]), ("mixed < 'b'", [3]), ("NOT mixed > 0", [2, 3]),
      ("mixed CONTAINS 'a'", [3]), ("mixed IN {1, 'a'}", [1, 3]),
      ("mixed BETWEEN {0, 2}", [1]), ("mixed == nil", []),
    ])
  func `Values of any type compare with their kind only`(_ format: String, _ ids: [Int]) throws {
    try expect(format, ids)
  }

  @Test func `A text is no data`() throws {
    try expect("mixed == %@", [], [Data("a".utf8)])
    try expect("mixed == %@", [3], ["a"])
  }

  @Test(
    arguments: [
      ("link.link.age == 0", [1]), ("link.link.age == nil", [2, 3]), ("link.link == nil", [2, 3]),
      ("link.link.name != 'x'", [1, 2, 3]), ("ANY items.link.int == nil", [1]),
      ("ANY items.link.link.int == nil", []), ("ALL items.age == 0", [2, 3]),
      ("NONE items.age == 2", [2, 3]), ("NOT ANY items.age == 2", [2, 3]),
      ("ANY items.age != 0", [1]), ("ANY items.items.id == 3", [1]),
      ("SOME items.id == 3", [1, 2]),
      ("ANY linkedBy.id == 1", [2]), ("ANY linkedBy.linkedBy.id == 1", [3]),
      ("linkedBy.@count == 0", [1]),
    ])
  func `Nil links are nil, and elements without a link are left out`(
    _ format: String, _ ids: [Int]
  ) throws { try expect(format, ids) }

  @Test(
    arguments: [
      ("ANY items.@count == 1", [2]), ("any link.items.@count == 1", [1]),
      ("NONE items.@count == 1", [1, 3]), ("ANY SUBQUERY(items, $i, $i.id > 0).@count == 1", [2]),
      ("items.@count == 1", [2]), ("maybeInts.@count == 2", [1]), ("ints.@sum == 0", [3]),
      // The sum of the largest integer and 1 goes around.
      ("ints.@sum == -9223372036854775808", [1]), ("ints.@min == nil", [3]),
      ("ints.@avg == 1.5", [2]), ("maybeInts.@avg == 5", [1]), ("maybeInts.@min == 5", [1]),
      ("items.@sum.age == 2", [1]), ("items.@avg.age == 1", [1]), ("items.@max.age == nil", [3]),
      ("link.items.@count == 0", [2, 3]), ("link.items.@sum.age == 0", [1, 2, 3]),
      ("link.ints.@sum == 3", [1]), ("link.ints.@max == nil", [2, 3]),
      ("items.@count > age", [1, 2, 3].filter { $0 == 1 }), ("3 > items.@count", [1, 2, 3]),
      ("items.@count BETWEEN {1, 2}", [1, 2]), ("items.@count IN {0, 2}", [1, 3]),
    ])
  func `Aggregates count all elements, and compute with those that have a value`(
    _ format: String, _ ids: [Int]
  ) throws { try expect(format, ids) }

  @Test(
    arguments: [
      ("numbers['a'] == 1", [1]), ("numbers['b c'] == nil", [2, 3]), ("numbers['a'] != 1", [2, 3]),
      ("ANY numbers.@allKeys == 'b c'", [1]), ("ANY numbers.@allKeys BEGINSWITH[c] 'B'", [1]),
      ("ANY numbers.@allValues > 1", [1, 2]), ("NONE numbers.@allKeys == 'a'", [3]),
      ("numbers.@count == 0", [3]), ("2 IN numbers", [1]), ("ANY numbers == 3", [2]),
    ])
  func `Maps are asked by keys and values`(_ format: String, _ ids: [Int]) throws {
    try expect(format, ids)
  }

  @Test(
    arguments: [
      ("SUBQUERY(items, $i, $i.age == 2 AND $i.link.id == 3).@count == 1", [1]),
      ("SUBQUERY(items, $i, $i.age == 2 AND $i.link == nil).@count > 0", []),
      ("SUBQUERY(items, $i, $i.age < age).@count == 1", [1, 2]),
      ("SUBQUERY(items, $i, SUBQUERY($i.items, $j, $j.id == 3).@count > 0).@count == 1", [1]),
      ("SUBQUERY(linkedBy, $i, $i.id == 1).@count == 1", [2]),
      ("SUBQUERY(items, $i, TRUEPREDICATE).@count == 0", [3]),
      ("1 <= SUBQUERY(items, $i, $i.id == 3).@count", [1, 2]),
    ])
  func `Subqueries count the elements of one collection`(_ format: String, _ ids: [Int]) throws {
    try expect(format, ids)
  }

  @Test(
    arguments: [
      ("TRUEPREDICATE", [1, 2, 3]), ("FALSEPREDICATE", []), ("NOT TRUEPREDICATE", []),
      ("id == 1 || id == 2 && age == 2", [1, 2]), ("(id == 1 || id == 2) && age == 2", [2]),
      ("!(id == 1) and not id == 2", [3]), ("NOT (id == 1 OR id == 2)", [3]),
      ("NOT (id == 1 AND age == 2)", [1, 2, 3]), ("id == 1 AND link.id == 2", [1]),
      ("1 == id", [1]), ("2 < id", [3]), ("1 IN ints", [1, 2]), ("id == age", [1, 2]),
    ])
  func `Conditions are joined with two-valued logic`(_ format: String, _ ids: [Int]) throws {
    try expect(format, ids)
  }

  @Test func `Long lists and long chains are no problem`() throws {
    try expect("int IN %@", [2], [Array(0..<100_000)])
    try expect("NOT int IN %@", [1, 3], [Array(0..<100_000)])
    let chain = (0..<10_000).map { "age == \($0)" }.joined(separator: " OR ")
    try expect(chain, [1, 2, 3])
  }
}
