import GRDB
import Strata
import StrataTestKit
import TestKit
import Testing

/// Decimals that are equal but have other digits are one element, in memory and in a file.
@Suite struct EqualDecimalsTests {
  final class Prices: Object {
    @Persisted var list: List<Decimal128?>
    @Persisted var set: MutableSet<Decimal128>
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var any: AnyRealmValue
  }

  private static let numbers: [Decimal128] = ["1.50", "0.00", "-2E+3", "NaN", "-Infinity"]
  private static let others: [Decimal128] = ["1.500", "-0", "-2000", "NaN", "-Infinity"]

  private func filled() -> Prices {
    let prices = Prices()
    for number in Self.numbers {
      prices.list.append(number)
      prices.set.insert(number)
      prices.anys.append(.decimal128(number))
      prices.anySet.insert(.decimal128(number))
    }
    prices.any = .fromArray(Self.numbers.map { .decimal128($0) })
    return prices
  }

  private func check(_ prices: Prices) {
    for (position, number) in Self.others.enumerated() {
      expectEqual(prices.list.index(of: number), position)
      expectEqual(prices.anys.index(of: .decimal128(number)), position)
      expectEqual(prices.any.listValue?.index(of: .decimal128(number)), position)
      expectTrue(prices.set.contains(number) && prices.anySet.contains(.decimal128(number)))
      prices.set.insert(number)
      prices.anySet.insert(.decimal128(number))
    }
    expectTrue(prices.set.count == 5 && prices.anySet.count == 5)
    for number: Decimal128 in ["15", "1.500001", "2E+3", "Infinity"] {
      expectFalse(prices.list.contains(number) || prices.set.contains(number))
      expectFalse(prices.anys.contains(.decimal128(number)))
    }
    expectFalse(prices.anys.contains(.int(-2000)) || prices.anySet.contains(.double(1.5)))
    for number in Self.others.prefix(3) {
      prices.set.remove(number)
      prices.anySet.remove(.decimal128(number))
    }
    expectTrue(prices.set.count == 2 && prices.anySet.count == 2)
  }

  @Test func `They are found, and are in a set once`() throws {
    check(filled())
    let folder = try TestFolder()
    try folder.open([Prices.self]) { realm in
      try realm.write {
        let prices = filled()
        realm.add(prices)
        check(prices)
      }
    }
  }

  @Test func `One of several equal ones is removed at a time`() throws {
    try TestFolder().open([Prices.self]) { realm in
      let prices = try realm.write { realm.create(Prices.self, value: ["set": [1, 0]]) }
      try realm.write {
        try realm.withDatabase {
          for text in ["1.00", "1.000", "0.00"] {
            try $0.execute(
              sql: "INSERT INTO Prices_set (owner, value) SELECT _id, '\(text)' FROM Prices")
          }
        }
        expectEqual(prices.set.count, 5)
        prices.set.remove("1.0")
        expectTrue(prices.set.count == 4 && Array(prices.set).count == 4)
        prices.set.remove("0.0")
        expectTrue(prices.set.count == 3 && Array(prices.set).count == 3)
      }
    }
  }

  @Test func `Of equal ones that another program has added, the same one is removed`() throws {
    let folder = try TestFolder()
    try folder.open([Prices.self]) { realm in
      let prices = try realm.write { realm.create(Prices.self, value: ["set": [1]]) }
      try realm.write {
        try realm.withDatabase {
          try $0.execute(
            sql: "INSERT INTO Prices_set (owner, value) SELECT _id, '1.00' FROM Prices")
        }
        expectEqual(prices.set.count, 2)
        prices.set.remove("1")
      }
      expectEqual(prices.set.map(\.exactText), ["1.00"])
      try realm.write {
        expectTrue(prices.set.contains("1.0"))
        prices.set.remove("1.0")
      }
      expectTrue(prices.set.isEmpty)
    }
  }
}
