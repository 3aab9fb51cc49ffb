import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

@Suite("The contents of results") struct ResultsContentsTests {
  private static var rows: [[Any]] {
    [
      [1, "b", "x", 2], [2, "a", "x", 1], [3, "b", "y", 1], [4, "a", "y", 2],
    ]
  }

  private func fill(_ body: (Realm) throws -> Void) throws {
    let file = try TestFile()
    try file.open(Shop.types) { realm in
      try realm.write { for row in Self.rows { realm.create(Shop.Article.self, value: row) } }
      try body(realm)
    }
  }

  private func ids(_ articles: Results<Shop.Article>) -> [Int] { articles.map(\.id) }

  @Test func `Results have a first and a last object, positions, and objects at several of them`()
    throws
  {
    try fill { realm in
      let articles = realm.objects(Shop.Article.self)
      let sorted = articles.sorted(byKeyPath: "id", ascending: false)
      expectTrue(articles.first?.id == 1 && articles.last?.id == 4 && articles[2].id == 3)
      expectTrue(sorted.first?.id == 4 && sorted.last?.id == 1 && sorted[1].id == 3)
      let third = articles[2]
      expectTrue(articles.index(of: third) == 2 && sorted.index(of: third) == 1)
      expectTrue(articles.contains(third) && !articles.contains(Shop.Article()))
      expectTrue(articles.firstIndex(of: third) == 2 && articles.index(of: Shop.Article()) == nil)
      expectTrue(articles.indices == 0..<4 && articles.realm == realm)
      expectEqual(articles.objects(at: [0, 3]).map(\.id), [1, 4])
      try Shop.write { other in
        let stranger = other.create(Shop.Article.self, value: [3])
        expectTrue(!articles.contains(stranger) && articles.index(of: stranger) == nil)
      }
      let none = realm.objects(Shop.Sale.self)
      expectTrue(none.isEmpty && none.first == nil && none.last == nil && Array(none).isEmpty)
      expectEqual(realm.object(ofType: Shop.Article.self, forPrimaryKey: 3), third)
      expectNil(realm.object(ofType: Shop.Article.self, forPrimaryKey: 9))
    }
  }

  @Test func `Results are a collection`() throws {
    try fill { realm in
      let articles = realm.objects(Shop.Article.self)
      expectTrue(articles.count == 4 && !articles.isEmpty && Array(articles).count == 4)
      expectEqual(articles.map(\.id), [1, 2, 3, 4])
      expectEqual(articles.filter { $0.stock == 1 }.map(\.id), [2, 3])
      expectEqual(articles.reversed().map(\.id), [4, 3, 2, 1])
      expectEqual(articles.dropFirst().prefix(2).map(\.id), [2, 3])
      expectTrue(articles.firstIndex { $0.note == "y" } == 2 && articles.contains { $0.id == 4 })
      expectEqual(articles.enumerated().map { "\($0)\($1.name)" }.last, "3a")
    }
  }

  @Test func `Results are live, and a loop goes over what was there when it began`() throws {
    try fill { realm in
      let articles = realm.objects(Shop.Article.self)
      let byName = articles.sorted(byKeyPath: "name")
      try realm.write {
        for article in articles {
          realm.create(Shop.Article.self, value: [article.id + 10, "c"])
        }
        expectTrue(articles.count == 8 && byName.last?.name == "c")
      }
      expectEqual(articles.count, 8)
      try realm.write {
        for article in articles where article.id > 10 { realm.delete(article) }
        expectEqual(ids(articles), [1, 2, 3, 4])
        for article in byName { article.name = article.name == "a" ? "z" : article.name }
        expectEqual(ids(byName), [1, 3, 2, 4])
        realm.delete(byName)
      }
      expectTrue(articles.isEmpty && byName.first == nil)
    }
  }

  @Test func `The last order decides when sorted again, and the earlier one breaks ties`() throws {
    try fill { realm in
      let articles = realm.objects(Shop.Article.self)
      expectEqual(ids(articles.sorted(by: \.size)), [1, 2, 3, 4])
      expectEqual(ids(articles.sorted(byKeyPath: "note").sorted(by: \.stock)), [2, 3, 1, 4])
      expectEqual(
        ids(articles.sorted(byKeyPath: "note", ascending: false).sorted(by: \.stock)), [3, 2, 4, 1])
      let shelf = Shop.Shelf(value: ["articles": Self.rows])
      expectEqual(
        ids(shelf.articles.sorted(byKeyPath: "note", ascending: false).sorted(by: \.stock)),
        [3, 2, 4, 1])
      shelf.anything.append(objectsIn: [.int(2), .double(1), .int(1), .double(2)])
      let values = shelf.anything.sorted(ascending: false).sorted(ascending: true)
      expectEqual(Array(values), [.double(1), .int(1), .int(2), .double(2)])
    }
  }

  /// Expects the message for an invalid order, and empty results.
  private func expectMistake(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ sorted: (Results<Shop.Article>) -> Results<Shop.Article>
  ) throws {
    try fill { realm in
      expectIssue(text) {
        expectTrue(sorted(realm.objects(Shop.Article.self)).isEmpty, sourceLocation: sourceLocation)
      }
      let error = #expect(throws: Realm.Error.self, sourceLocation: sourceLocation) {
        try realm.write {
          expectTrue(
            sorted(realm.objects(Shop.Article.self)).isEmpty, sourceLocation: sourceLocation)
        }
      }
      expectEqual(error?.message.contains(text), true, sourceLocation: sourceLocation)
    }
  }

  @Test func `An impossible order is an error, and its results are empty`() throws {
    try expectMistake("property 'Article.colour' does not exist") { $0.sorted(byKeyPath: "colour") }
    try expectMistake("property 'Article.nam' does not exist. It has: ") {
      $0.sorted(byKeyPath: "part.nam")
    }
    try expectMistake("property 'Article.tags' is of unsupported type 'set<string>'") {
      $0.sorted(byKeyPath: "tags")
    }
    try expectMistake("property 'Article.part' of type 'object' cannot be the final") {
      $0.sorted(byKeyPath: "part")
    }
    try expectMistake("A key path of 'Article' with values of type 'String'") {
      $0.sorted(by: \.title)
    }
    try expectMistake("A key path of 'Article' with values of type 'String'") {
      $0.sorted(by: \.noteOrNone)
    }
    try expectMistake("it computes a value. Name a '@Persisted' property of 'Article'") {
      $0.sorted(by: \.title.count)
    }
  }

  @Test func `Lists sort their objects in the same way, in memory and in a file`() throws {
    for isManaged in [false, true] {
      let file = try TestFile()
      try file.open(Shop.types) { realm in
        let shelf = Shop.Shelf(value: ["articles": [[1, "b"], [2, "a"]]])
        if isManaged { try realm.write { realm.add(shelf) } }
        expectEqual(shelf.articles.sorted(by: \.name).map(\.id), [2, 1])
        for keyPath in ["part.colour", "colour"] {
          expectIssue("Cannot sort on key path '\(keyPath)'") {
            expectTrue(shelf.articles.sorted(byKeyPath: keyPath).isEmpty)
          }
        }
      }
    }
  }

  @Test func `Values and properties of all objects are read and set`() throws {
    try fill { realm in
      let articles = realm.objects(Shop.Article.self)
      expectEqual(articles.value(forKey: "name") as? [String], ["b", "a", "b", "a"])
      try realm.write { articles.setValue("x", forKey: "name") }
      expectEqual(Set(articles.map(\.name)), ["x"])
    }
  }

  @Test func `Linking objects are those that link to one`() throws {
    try fill { realm in
      let article = realm.objects(Shop.Article.self)[0]
      try realm.write {
        for number in [2, 1] { realm.create(Shop.Sale.self, value: [number, article]) }
      }
      let sales = article.sales
      expectTrue(sales.map(\.number) == [2, 1] && sales.count == 2 && sales.realm == realm)
      expectEqual(sales.sorted(by: \.number).map(\.number), [1, 2])
      expectEqual(sales.sorted(byKeyPath: "number", ascending: false).first?.number, 2)
      expectTrue(sales.sum(of: \.number) == 3 && sales.average(of: \.number) == 1.5)
      expectTrue(sales.index(of: sales[1]) == 1 && sales.contains(sales[1]))
      expectNil(sales.index(of: Shop.Sale()))
      expectEqual(sales.value(forKey: "number") as? [Int], [2, 1])
      try realm.write {
        realm.create(Shop.Sale.self, value: [3])
        realm.objects(Shop.Sale.self).setValue(article, forKey: "article")
        realm.delete(sales[0])
      }
      expectEqual(article.sales.map(\.number), [1, 3])
      try realm.write { sales.setValue(nil, forKey: "article") }
      expectTrue(sales.isEmpty && realm.objects(Shop.Sale.self).count == 2)
      let none = Shop.Article().sales
      expectTrue(none.isEmpty && none.first == nil && none.realm == nil)
    }
  }
}
