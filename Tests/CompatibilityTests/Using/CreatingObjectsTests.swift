import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Article = Shop.Article
private typealias Sale = Shop.Sale

@Suite("Creating objects") struct CreatingObjectsTests {
  @Test func `A dictionary may lack properties, and its unknown keys are ignored`()
    throws
  {
    try Shop.write { realm in
      let article = realm.create(Article.self, value: ["id": 1, "name": "Tea", "colour": "red"])
      expectTrue(article.name == "Tea" && article.stock == 5 && article.note == nil)
      expectTrue(article.size == .medium && article.price.cents == 0 && article.labels.isEmpty)
      let other = realm.create(Article.self, value: ["id": 2, "note": nil] as [String: Any?])
      expectTrue(other.note == nil && other.name == "unnamed")
      expectEqual(realm.create(Sale.self).number, 0)
    }
  }

  @Test func `An array is in the order of declaration, and may be shorter but not longer`() throws {
    try Shop.write { realm in
      let article = realm.create(Article.self, value: [3, "Tea", "green"])
      expectTrue(article.id == 3 && article.name == "Tea" && article.note == "green")
      expectEqual(article.stock, 5)
    }
    let error = try Shop.failure { $0.create(Sale.self, value: [1, NSNull(), NSNull(), 4]) }
    expectEqual(error?.message, "Invalid array input: more values (4) than properties (3).")
  }

  @Test func `Raw values, and values of the type, stand for enums and custom types`() throws {
    try Shop.write { realm in
      let one = realm.create(Article.self, value: ["id": 1, "size": 3, "price": 250])
      let other = realm.create(
        Article.self, value: ["id": 2, "size": Shop.Size.small, "price": Shop.Price(99)])
      expectTrue(one.size == .large && one.price.cents == 250)
      expectTrue(other.size == .small && other.price.cents == 99)
    }
    let error = try Shop.failure { $0.create(Article.self, value: ["id": 1, "size": 9]) }
    expectEqual(
      error?.message.hasPrefix("Invalid value '9' of type 'Int' for 'int' property"), true)
  }

  @Test func `Nested dictionaries and arrays make links, collections and embedded objects`()
    throws
  {
    try Shop.write { realm in
      let sale = realm.create(
        Sale.self,
        value: [
          "number": 1,
          "article": [
            "id": 1, "part": [2, "Bag"], "parts": [["id": 3], [4, "Box"]],
            "label": ["text": "T", "shade": ["name": "red"]], "labels": [["A"], ["text": "B"]],
            "tags": ["x", "y", "x"], "counts": ["a": 1, "b": 2], "extra": 1.5,
          ] as [String: Any],
        ])
      let article = try #require(sale.article)
      expectTrue(article.part?.name == "Bag" && article.parts.map(\.id) == [3, 4])
      expectTrue(article.label?.text == "T" && article.label?.language == "en")
      expectTrue(article.label?.shade?.name == "red" && article.label?.shade?.depth == 1)
      expectEqual(article.labels.map(\.text), ["A", "B"])
      expectTrue(Set(article.tags) == ["x", "y"] && article.counts["b"] == 2)
      expectEqual(article.extra, .double(1.5))
      expectEqual(realm.objects(Article.self).count, 4)
    }
  }

  @Test func `An object of another class may be the value if it has each property`() throws {
    try Shop.write { realm in
      let tea = realm.create(Article.self, value: [1, "Tea"])
      let receipt = Shop.Receipt(value: ["number": 3, "article": tea])
      let sale = realm.create(Sale.self, value: receipt)
      expectTrue(sale.number == 3 && sale.article == tea)
      let copy = realm.create(Sale.self, value: sale)
      expectTrue(copy != sale && copy.number == 3 && copy.article == tea)
      expectEqual(realm.objects(Article.self).count, 1)
    }
    let error = try Shop.failure { $0.create(Shop.Receipt.self, value: Sale()) }
    expectEqual(
      error?.message.hasPrefix(
        "Invalid value 'Sale' to initialize object of type 'Receipt': missing key 'isPaid'"), true)
  }

  @Test func `Objects of another realm are copied, with all that they lead to`() throws {
    let file = try TestFile()
    try file.write(Shop.types) { realm in
      realm.create(
        Sale.self,
        value: [
          4, ["id": 1, "parts": [["id": 2]], "label": ["L"], "tags": ["t"]] as [String: Any],
        ])
    }
    try file.open(Shop.types) { other in
      let foreign = try #require(other.objects(Sale.self).first)
      try Shop.write { realm in
        let copy = realm.create(Sale.self, value: foreign)
        expectTrue(copy.number == 4 && copy.article?.parts.first?.id == 2)
        expectTrue(copy.article?.label?.text == "L" && copy.article?.tags.first == "t")
        expectTrue(copy.article != foreign.article && copy.realm == realm)
      }
      var error = try Shop.failure { $0.add(foreign) }
      expectEqual(error?.message.hasPrefix("Object is already managed by another Realm."), true)
      error = try Shop.failure { $0.delete(foreign) }
      expectEqual(error?.message, "Can only delete an object from the Realm it belongs to.")
      error = try Shop.failure { $0.add(Pets.Dog()) }
      expectEqual(error?.message.hasPrefix("Object type 'Dog' is not managed by the Realm."), true)
    }
  }

  @Test func `A graph with a cycle is added once, and its objects are managed then`() throws {
    try Shop.write { realm in
      let one = Article(value: [1, "One"])
      let two = Article(value: [2, "Two"])
      one.part = two
      two.parts.append(objectsIn: [one, two])
      realm.add(one)
      expectTrue(realm.objects(Article.self).count == 2 && two.realm == realm)
      expectEqual(two.parts.first, one)
      // Adding what is there changes nothing.
      realm.add(one)
      realm.add([one, two])
      expectEqual(realm.objects(Article.self).count, 2)
    }
  }

  @Test func `An object stands for its row from then on, and its properties change it`() throws {
    try Shop.write { realm in
      let sale = Sale()
      expectNil(sale.realm)
      realm.add(sale)
      sale.number = 9
      expectEqual(realm.objects(Sale.self).first?.number, 9)
    }
  }

  @Test func `A value that doesn't fit fails the write, and leaves nothing`() throws {
    for (value, start) in [
      (["number": "many"], "Invalid value 'many' of type 'String' for 'int' property"),
      (["article": 5], "Invalid value '5' of type 'Int' for '<Article>?' property"),
      (["day": "today"], "Invalid value 'today' of type 'String' for 'date?' property"),
    ] as [([String: Any], String)] {
      let error = try Shop.failure { $0.create(Sale.self, value: value) }
      expectEqual(error?.message.hasPrefix(start), true, "\(error?.message ?? "no error")")
    }
    let list = try Shop.failure { $0.create(Shop.Shelf.self, value: ["numbers": [1, "two"]]) }
    expectEqual(list?.code, .fail)
    let null = try Shop.failure { $0.create(Sale.self, value: ["number": nil] as [String: Any?]) }
    expectEqual(null?.message.hasPrefix("Invalid value '(null)' of type '(null)' for 'int'"), true)
    let text = try Shop.failure { $0.create(Sale.self, value: "a sale") }
    expectEqual(text?.message.hasPrefix("Invalid value 'a sale' to initialize object"), true)
  }

  @Test func `An existing primary key fails the write, wherever it is in the value`() throws {
    let error = try Shop.failure { realm in
      realm.create(Article.self, value: ["id": 1])
      realm.create(Article.self, value: ["id": 1])
    }
    expectEqual(
      error?.message.hasPrefix(
        "Attempting to create an object of type 'Article' with an existing primary key value '1'."),
      true)
    let nested = try Shop.failure { realm in
      realm.create(Sale.self, value: ["article": ["id": 1]])
      realm.create(Sale.self, value: ["article": ["id": 1]])
    }
    expectEqual(nested?.message.contains("existing primary key value '1'"), true)
  }
}
