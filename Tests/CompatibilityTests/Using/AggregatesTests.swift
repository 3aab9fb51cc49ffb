import Foundation
import Strata
import StrataTestKit
import Testing

@Suite("Aggregates") struct AggregatesTests {
  @Test func `Numbers have a minimum, maximum, sum, and the average as each type`() throws {
    try Shop.inMemoryAndInFile { shelf in
      let list = shelf.numbers
      #expect(list.min() == nil && list.max() == nil && list.sum() == 0)
      #expect(list.average() == Int?.none && list.average() == Double?.none)
      list.append(objectsIn: [3, 1, 2])
      #expect(list.min() == 1 && list.max() == 3 && list.sum() == 6)
      #expect(list.average() == 2 && list.average() == 2.0 && list.average() == Int8(2))
      list.append(4)
      #expect(list.average() == 2 && list.average() == 2.5 && list.average() == Float(2.5))
      shelf.numberSet.insert(objectsIn: list)
      #expect(shelf.numberSet.average() == 2 && shelf.numberSet.average() == 2.5)
      for number in list { shelf.numberMap["\(number)"] = number }
      #expect(shelf.numberMap.average() == 2 && shelf.numberMap.sum() == 10)
      #expect(
        list.sorted(ascending: true).average() == 2 && list.sorted(ascending: true).max() == 4)
    }
  }

  @Test func `Decimals and dates are aggregated`() throws {
    try Shop.inMemoryAndInFile { shelf in
      shelf.decimals.append(objectsIn: [1.5, 2.5])
      #expect(shelf.decimals.sum() == 4 && shelf.decimals.average() == Decimal128(value: 2))
      #expect(shelf.decimals.average() == 2 && shelf.decimals.average() == 2.0)
      let days = [Date(timeIntervalSince1970: 9), Date(timeIntervalSince1970: 5)]
      shelf.days.append(objectsIn: days)
      #expect(shelf.days.min() == days[1] && shelf.days.max() == days[0])
    }
  }

  @Test func `Enums and custom types are aggregated by their persisted form`() throws {
    try Shop.inMemoryAndInFile { shelf in
      #expect(shelf.sizes.max() == nil && shelf.prices.sum().cents == 0)
      shelf.sizes.append(objectsIn: [.small, .large, .medium])
      #expect(shelf.sizes.min() == .small && shelf.sizes.max() == .large)
      #expect(shelf.sizes.average() == 2 && shelf.sizes.average() == Shop.Size.medium)
      shelf.optionalSizes.append(objectsIn: [nil, .large, .small])
      #expect(shelf.optionalSizes.min() == .some(.small) && shelf.optionalSizes.average() == 2.0)
      shelf.prices.append(objectsIn: [Shop.Price(100), Shop.Price(250)])
      #expect(shelf.prices.max()?.cents == 250 && shelf.prices.sum().cents == 350)
      #expect(shelf.prices.average() == 175 && shelf.prices.average() == Shop.Price(175))
      shelf.sizeSet.insert(objectsIn: [.small, .medium])
      #expect(shelf.sizeSet.sum() == .large && shelf.sizeSet.max() == .medium)
      shelf.priceMap["a"] = Shop.Price(7)
      shelf.sizeMap["a"] = .large
      #expect(shelf.priceMap.sum().cents == 7 && shelf.sizeMap.min() == .large)
    }
  }

  @Test func `Numbers of any type count among values of any type`() throws {
    try Shop.inMemoryAndInFile { shelf in
      let list = shelf.anything
      #expect(list.min() == nil && list.average() == Double?.none)
      list.append(objectsIn: [.int(3), .none, .double(1.5), .decimal128(4.5)])
      #expect(list.min() == .double(1.5) && list.max() == .decimal128(4.5))
      #expect(list.sum() == .decimal128(9) && list.average() == 3)
      #expect(list.average() == AnyRealmValue.decimal128(3))
      shelf.anySet.insert(objectsIn: list)
      shelf.anyMap["a"] = .int(5)
      #expect(shelf.anySet.sum() == .decimal128(9) && shelf.anyMap.sum() == .decimal128(5))
    }
  }

  @Test func `Properties are aggregated by name or key path, without nil`() throws {
    try Shop.write { realm in
      let articles = realm.objects(Shop.Article.self)
      #expect(articles.min(of: \.stock) == nil && articles.sum(of: \.stock) == 0)
      #expect(articles.average(of: \.stock) == nil)
      #expect(articles.max(ofProperty: "stock") == Int?.none)
      for (id, stock, size) in [(1, 3, 1), (2, 4, 3), (3, 9, 2)] {
        realm.create(
          Shop.Article.self, value: ["id": id, "stock": stock, "size": size, "price": stock])
      }
      #expect(articles.min(of: \.stock) == 3 && articles.max(of: \.stock) == 9)
      #expect(articles.sum(ofProperty: "stock") == 16 && articles.average(of: \.weight) == 1.5)
      #expect(articles.average(ofProperty: "stock") == 5)
      #expect(articles.average(ofProperty: "stock") == Double(16) / 3)
      #expect(articles.max(of: \.size) == .large && articles.min(of: \.price)?.cents == 3)
      #expect(articles.sum(of: \.price).cents == 16)
      realm.create(Shop.Sale.self, value: ["day": Date(timeIntervalSince1970: 5)])
      realm.create(Shop.Sale.self)
      #expect(
        realm.objects(Shop.Sale.self).max(of: \.day) == Date(timeIntervalSince1970: 5))
    }
  }

  @Test func `A computed key path is not one of a property`() throws {
    let file = try TestFile()
    try file.open(Shop.types) { realm in
      let articles = realm.objects(Shop.Article.self)
      withKnownIssue {
        #expect(articles.max(of: \.stockTwice) == nil)
      } matching: {
        "\($0)".contains("is not a property of the file")
      }
    }
  }
}

extension Shop.Article {
  fileprivate var stockTwice: Int { stock * 2 }
}
