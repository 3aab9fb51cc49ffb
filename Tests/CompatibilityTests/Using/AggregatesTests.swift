import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("Aggregates") struct AggregatesTests {
  @Test func `Numbers have a minimum, maximum, sum, and the average as each type`() throws {
    try Shop.inMemoryAndInFile { shelf in
      let list = shelf.numbers
      expectTrue(list.min() == nil && list.max() == nil && list.sum() == 0)
      expectTrue(list.average() == Int?.none && list.average() == Double?.none)
      list.append(objectsIn: [3, 1, 2])
      expectTrue(list.min() == 1 && list.max() == 3 && list.sum() == 6)
      expectTrue(list.average() == 2 && list.average() == 2.0 && list.average() == Int8(2))
      list.append(4)
      expectTrue(list.average() == 2 && list.average() == 2.5 && list.average() == Float(2.5))
      shelf.numberSet.insert(objectsIn: list)
      expectTrue(shelf.numberSet.average() == 2 && shelf.numberSet.average() == 2.5)
      expectTrue(shelf.numberSet.min() == 1 && shelf.numberSet.max() == 4)
      for number in list { shelf.numberMap["\(number)"] = number }
      expectTrue(shelf.numberMap.average() == 2 && shelf.numberMap.sum() == 10)
      expectTrue(shelf.numberMap.min() == 1 && shelf.numberMap.max() == 4)
      shelf.optionalMap["a"] = .some(nil)
      expectTrue(shelf.optionalMap.average() == Double?.none && shelf.optionalMap.sum() == 0)
      shelf.optionalMap["b"] = 4
      let least: Int?? = shelf.optionalMap.min()
      expectTrue(least == 4 && shelf.optionalMap.average() == 4.0)
      expectTrue(
        list.sorted(ascending: true).average() == 2 && list.sorted(ascending: true).max() == 4)
    }
  }

  @Test func `Decimals and dates are aggregated`() throws {
    try Shop.inMemoryAndInFile { shelf in
      shelf.decimals.append(objectsIn: [1.5, 2.5])
      expectTrue(shelf.decimals.sum() == 4 && shelf.decimals.average() == Decimal128(value: 2))
      expectTrue(shelf.decimals.average() == 2 && shelf.decimals.average() == 2.0)
      let days = [Date(timeIntervalSince1970: 9), Date(timeIntervalSince1970: 5)]
      shelf.days.append(objectsIn: days)
      expectTrue(shelf.days.min() == days[1] && shelf.days.max() == days[0])
    }
  }

  @Test func `Enums and custom types are aggregated by their persisted form`() throws {
    try Shop.inMemoryAndInFile { shelf in
      expectTrue(shelf.sizes.max() == nil && shelf.prices.sum().cents == 0)
      shelf.sizes.append(objectsIn: [.small, .large, .medium])
      expectTrue(shelf.sizes.min() == .small && shelf.sizes.max() == .large)
      expectTrue(shelf.sizes.average() == 2 && shelf.sizes.average() == Shop.Size.medium)
      shelf.optionalSizes.append(objectsIn: [nil, .large, .small])
      expectTrue(shelf.optionalSizes.min() == .some(.small) && shelf.optionalSizes.average() == 2.0)
      shelf.prices.append(objectsIn: [Shop.Price(100), Shop.Price(250)])
      expectTrue(shelf.prices.max()?.cents == 250 && shelf.prices.sum().cents == 350)
      expectTrue(shelf.prices.average() == 175 && shelf.prices.average() == Shop.Price(175))
      shelf.sizeSet.insert(objectsIn: [.small, .medium])
      expectTrue(shelf.sizeSet.sum() == .large && shelf.sizeSet.max() == .medium)
      shelf.priceMap["a"] = Shop.Price(7)
      shelf.sizeMap["a"] = .large
      expectTrue(shelf.priceMap.sum().cents == 7 && shelf.sizeMap.min() == .large)
    }
  }

  @Test func `Numbers of any type count among values of any type`() throws {
    try Shop.inMemoryAndInFile { shelf in
      let list = shelf.anything
      expectTrue(list.min() == nil && list.average() == Double?.none)
      list.append(objectsIn: [.int(3), .none, .double(1.5), .decimal128(4.5)])
      expectTrue(list.min() == .double(1.5) && list.max() == .decimal128(4.5))
      expectTrue(list.sum() == .decimal128(9) && list.average() == 3)
      expectEqual(list.average(), AnyRealmValue.decimal128(3))
      shelf.anySet.insert(objectsIn: list)
      shelf.anyMap["a"] = .int(5)
      expectTrue(shelf.anySet.sum() == .decimal128(9) && shelf.anyMap.sum() == .decimal128(5))
    }
  }

  @Test func `Properties are aggregated by name or key path, without nil`() throws {
    try Shop.write { realm in
      let articles = realm.objects(Shop.Article.self)
      expectTrue(articles.min(of: \.stock) == nil && articles.sum(of: \.stock) == 0)
      expectNil(articles.average(of: \.stock))
      expectEqual(articles.max(ofProperty: "stock"), Int?.none)
      for (id, stock, size) in [(1, 3, 1), (2, 4, 3), (3, 9, 2)] {
        realm.create(
          Shop.Article.self, value: ["id": id, "stock": stock, "size": size, "price": stock])
      }
      expectTrue(articles.min(of: \.stock) == 3 && articles.max(of: \.stock) == 9)
      expectTrue(articles.sum(ofProperty: "stock") == 16 && articles.average(of: \.weight) == 1.5)
      expectEqual(articles.average(ofProperty: "stock"), 5)
      expectEqual(articles.average(ofProperty: "stock"), Double(16) / 3)
      expectTrue(articles.max(of: \.size) == .large && articles.min(of: \.price)?.cents == 3)
      expectEqual(articles.sum(of: \.price).cents, 16)
      realm.create(Shop.Sale.self, value: ["day": Date(timeIntervalSince1970: 5)])
      realm.create(Shop.Sale.self)
      expectEqual(
        realm.objects(Shop.Sale.self).max(of: \.day), Date(timeIntervalSince1970: 5))
    }
  }

  @Test func `Sums are of 64 bits, and the latest of no days is none`() throws {
    try TestFile().open(Shop.types) { realm in
      let sales = realm.objects(Shop.Sale.self)
      expectTrue(sales.sum(ofProperty: "number") == 0 && sales.min(ofProperty: "day") == Date?.none)
      expectNil(sales.average(ofProperty: "number") as Double?)
      let day = Date(timeIntervalSince1970: 5)
      try realm.write {
        realm.create(Shop.Sale.self, value: ["number": Int.max, "day": day] as [String: Any])
        realm.create(Shop.Sale.self, value: ["number": 1])
      }
      expectTrue(sales.sum(ofProperty: "number") == Int.min && sales.max(ofProperty: "day") == day)
      expectEqual(sales.max(of: \.day), day)
    }
  }

  @Test func `What can't be aggregated is reported, and has no value`() throws {
    try TestFile().open(Shop.types) { realm in
      let articles = realm.objects(Shop.Article.self)
      expectIssue("Cannot use 'sum' on 'Article.name'") {
        expectEqual(articles.sum(ofProperty: "name"), 0)
      }
      expectIssue("Invalid property name 'x' for class 'Article'.") {
        expectNil(articles.min(ofProperty: "x") as Int?)
      }
      expectIssue("is not a property of the file") { expectNil(articles.max(of: \.stockTwice)) }
    }
  }
}

extension Shop.Article {
  fileprivate var stockTwice: Int { stock * 2 }
}
