import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

private typealias Article = Shop.Article

@Suite("Write transactions") struct WriteTransactionsTests {
  private let file: TestFile
  private let realm: Realm

  init() throws {
    file = try TestFile()
    realm = try Realm(configuration: file.configuration(Shop.types))
  }

  private var names: [String] { realm.objects(Article.self).map(\.name) }

  @Test func `A write returns what its closure returns, and says that it is running`() throws {
    expectFalse(realm.isInWriteTransaction)
    let tea = try realm.write {
      expectTrue(realm.isInWriteTransaction)
      return realm.create(Article.self, value: [1, "Tea"])
    }
    expectTrue(!realm.isInWriteTransaction && tea.name == "Tea" && names == ["Tea"])
  }

  @Test func `An error of the closure undoes everything, and reaches the caller`() throws {
    try realm.write { realm.create(Article.self, value: [1, "Tea"]) }
    let tea = try #require(realm.objects(Article.self).first)
    #expect(throws: Deliberate(number: 3)) {
      try realm.write {
        tea.name = "Chai"
        tea.tags.insert("x")
        realm.create(Article.self, value: [2, "Cup"])
        throw Deliberate(number: 3)
      }
    }
    expectTrue(names == ["Tea"] && tea.name == "Tea" && tea.tags.isEmpty)
    expectFalse(realm.isInWriteTransaction)
  }

  @Test func `A write inside of a write is an error, and the outer one continues`() throws {
    try realm.write {
      expectError("The Realm is already in a write transaction.") { try realm.write {} }
      realm.create(Article.self, value: [1, "Tea"])
    }
    expectEqual(names, ["Tea"])
  }

  @Test func `A realm that is opened inside of a write is in it`() throws {
    try realm.write {
      let inner = try Realm(configuration: file.configuration(Shop.types))
      expectTrue(inner == realm && inner.isInWriteTransaction)
      inner.create(Article.self, value: [1, "Tea"])
    }
    expectEqual(names, ["Tea"])
  }

  @Test func `A write may be cancelled inside of its closure`() throws {
    try realm.write {
      realm.create(Article.self, value: [1, "Tea"])
      realm.cancelWrite()
      expectFalse(realm.isInWriteTransaction)
    }
    expectTrue(names.isEmpty)
  }

  @Test func `A write may be committed inside of its closure, and begun again`() throws {
    try realm.write {
      realm.create(Article.self, value: [1, "Tea"])
      try realm.commitWrite()
      realm.beginWrite()
      realm.create(Article.self, value: [2, "Cup"])
    }
    expectEqual(names, ["Tea", "Cup"])
  }

  @Test func `A transaction is begun, cancelled and committed by hand`() throws {
    realm.beginWrite()
    let tea = realm.create(Article.self, value: ["id": 1, "tags": ["a"]])
    let tags = tea.tags
    realm.cancelWrite()
    expectTrue(tea.isInvalidated && tags.isInvalidated && tags.isEmpty && names.isEmpty)
    #expect(throws: Realm.Error.self) { try realm.write { realm.add(tea) } }
    realm.beginWrite()
    let cup = realm.create(Article.self, value: [1, "Cup"])
    try realm.commitWrite()
    expectTrue(!cup.isInvalidated && tea.isInvalidated && tags.isEmpty && names == ["Cup"])
    expectError(beginning: "Can't commit a write transaction: none was begun") {
      try realm.commitWrite()
    }
  }

  @Test func `Objects are what they were before a transaction that was cancelled`() throws {
    let tea = try realm.write {
      realm.create(
        Article.self, value: ["id": 1, "labels": [["A"]], "counts": ["x": 1], "tags": ["a"]])
    }
    let label = try #require(tea.labels.first)
    let other = realm.objects(Article.self)[0]
    realm.beginWrite()
    tea.name = "Chai"
    label.text = "B"
    tea.labels.append(Shop.Label(value: ["C"]))
    tea.tags.insert("b")
    tea.tags.removeAll()
    tea.label = Shop.Label(value: ["D"])
    let new = tea.label
    tea.counts["x"] = nil
    tea.extra = .int(1)
    realm.cancelWrite()
    expectTrue(tea.name == "unnamed" && label.text == "A" && tea.labels.count == 1)
    expectTrue(tea.counts["x"] == 1 && tea.extra == AnyRealmValue.none && other.name == "unnamed")
    expectTrue(tea.label == nil && new?.isInvalidated == true && Array(tea.tags) == ["a"])
  }

  @Test func `Objects that were deleted in a cancelled transaction can be used again`() throws {
    let (tea, label) = try realm.write {
      let tea = realm.create(Article.self, value: ["id": 1, "name": "Tea", "label": ["text": "A"]])
      return (tea, try #require(tea.label))
    }
    realm.beginWrite()
    tea.name = "Chai"
    realm.delete(tea)
    let cup = realm.create(Article.self, value: [2, "Cup"])
    realm.delete(cup)
    expectTrue(names.isEmpty)
    expectTrue(tea.isInvalidated && tea.realm == nil && label.text == "A" && label.isInvalidated)
    realm.cancelWrite()
    expectTrue(!tea.isInvalidated && tea.realm == realm && tea.name == "Tea")
    expectTrue(!label.isInvalidated && label.text == "A" && tea.label == label && cup.isInvalidated)
    #expect(throws: Deliberate(number: 4)) {
      try realm.write {
        for article in realm.objects(Article.self) { realm.delete(article) }
        realm.delete([tea])
        throw Deliberate(number: 4)
      }
    }
    try realm.write { tea.name = "Mate" }
    expectEqual(names, ["Mate"])
    try realm.write { realm.delete(tea) }
    expectTrue(tea.isInvalidated && label.isInvalidated && names.isEmpty)
  }

  @Test func `Deleting everything deletes the objects of all classes`() throws {
    try realm.write {
      realm.create(Shop.Sale.self, value: [1, [1, "Tea"]])
      realm.create(Shop.Shelf.self, value: ["numbers": [1]])
    }
    expectFalse(realm.isEmpty)
    try realm.write {
      realm.deleteAll()
      expectTrue(realm.isEmpty)
    }
    expectTrue(realm.isEmpty)
  }

  @Test func `An object of a realm in memory knows the name of its realm`() throws {
    let name = "memory-\(UUID())"
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: name, objectTypes: Shop.types))
    let tea = try realm.write { realm.create(Article.self, value: [1, "Tea"]) }
    let configuration = try #require(tea.realm?.configuration)
    expectTrue(configuration.inMemoryIdentifier == name && configuration.fileURL == nil)
    try expectEqual(Realm(configuration: configuration), realm)
    expectEqual(realm.objects(Article.self).realm?.configuration.inMemoryIdentifier, name)
    expectEqual(tea.parts.realm?.configuration.inMemoryIdentifier, name)
  }
}
