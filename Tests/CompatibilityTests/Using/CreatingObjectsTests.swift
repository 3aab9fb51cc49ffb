import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Article = Shop.Article
private typealias Sale = Shop.Sale

@Suite("Creating objects") struct CreatingObjectsTests {
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
      error = try Shop.failure { $0.create(Sale.self).article = foreign.article }
      expectEqual(error?.message.hasPrefix("Object is already managed by another Realm."), true)
      error = try Shop.failure { $0.delete(foreign) }
      expectEqual(error?.message, "Can only delete an object from the Realm it belongs to.")
      error = try Shop.failure { $0.add(Pets.Dog()) }
      expectEqual(error?.message.hasPrefix("Object type 'Dog' is not managed by the Realm."), true)
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
