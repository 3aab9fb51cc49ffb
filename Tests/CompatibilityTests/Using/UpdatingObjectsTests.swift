import Foundation
import Strata
import TestKit
import Testing

private typealias Article = Shop.Article

@Suite("Updating objects by their primary keys") struct UpdatingObjectsTests {
  private static let policies: [Realm.UpdatePolicy] = [.modified, .all]

  @Test(arguments: policies)
  func `An update changes the existing object, or adds one`(_ policy: Realm.UpdatePolicy) throws {
    try Shop.write { realm in
      let tea = realm.create(Article.self, value: [1, "Tea", "hot"])
      let same = realm.create(Article.self, value: ["id": 1, "name": "Chai"], update: policy)
      expectTrue(same == tea && tea.name == "Chai")
      // Properties without a value in the update stay.
      expectEqual(tea.note, "hot")
      realm.create(Article.self, value: ["id": 1, "note": nil] as [String: Any?], update: policy)
      expectTrue(tea.note == nil && tea.name == "Chai")
      realm.create(Article.self, value: ["id": 2, "name": "Cup"], update: policy)
      expectEqual(realm.objects(Article.self).map(\.name), ["Chai", "Cup"])
    }
  }

  @Test(arguments: policies)
  func `An added object gives all of its values`(_ policy: Realm.UpdatePolicy) throws {
    try Shop.write { realm in
      let tea = realm.create(
        Article.self, value: ["id": 1, "note": "hot", "tags": ["t"], "parts": [["id": 5]]])
      let new = Article(value: ["id": 1, "name": "Chai"])
      realm.add(new, update: policy)
      expectTrue(new == tea && tea.name == "Chai" && tea.note == nil)
      expectTrue(tea.tags.isEmpty && tea.parts.isEmpty && tea.stock == 5)
      expectEqual(realm.objects(Article.self).count, 2)
    }
  }

  @Test(arguments: policies)
  func `Nested objects with keys are changed as well`(_ policy: Realm.UpdatePolicy) throws {
    try Shop.write { realm in
      let part = realm.create(Article.self, value: [2, "Bag", "paper"])
      let tea = realm.create(
        Article.self, value: ["id": 1, "part": ["id": 2, "name": "Sack"], "parts": [[2], [3]]],
        update: policy)
      expectTrue(tea.part == part && part.name == "Sack" && part.note == "paper")
      expectTrue(tea.parts.map(\.id) == [2, 3] && tea.parts.first == part)
      realm.create(
        Article.self, value: ["id": 1, "part": ["id": 4, "name": "New"]], update: policy)
      expectTrue(tea.part?.name == "New" && part.name == "Sack")
    }
  }

  @Test func `The same key twice in one value is one object`() throws {
    try Shop.write { realm in
      let tea = realm.create(
        Article.self,
        value: ["id": 9, "parts": [["id": 1, "name": "a"], ["id": 1, "name": "b"]]],
        update: .modified)
      expectTrue(tea.parts.map(\.name) == ["b", "b"] && tea.parts[0] == tea.parts[1])
    }
  }

  @Test func `modified changes embedded objects in place, all replaces them`() throws {
    try Shop.write { realm in
      let tea = realm.create(
        Article.self,
        value: ["id": 1, "label": ["text": "T", "language": "de", "shade": ["name": "red"]]])
      let label = try #require(tea.label)
      let shade = try #require(label.shade)
      realm.create(
        Article.self, value: ["id": 1, "label": ["text": "U", "shade": ["depth": 4]]],
        update: .modified)
      expectTrue(tea.label == label && label.text == "U" && label.language == "de")
      expectTrue(label.shade == shade && shade.name == "red" && shade.depth == 4)
      // An object gives all of its values.
      let other = Article(value: ["id": 1, "label": ["text": "V", "shade": ["depth": 5]]])
      realm.add(other, update: .modified)
      expectTrue(tea.label == label && label.text == "V" && label.language == "en")
      expectTrue(label.shade == shade && shade.name == "grey" && shade.depth == 5)
      realm.create(Article.self, value: ["id": 1, "label": ["W"]], update: .all)
      expectTrue(label.isInvalidated && tea.label?.text == "W" && tea.label?.language == "en")
      let last = try #require(tea.label)
      realm.create(
        Article.self, value: ["id": 1, "label": nil] as [String: Any?], update: .modified)
      expectTrue(tea.label == nil && last.isInvalidated)
    }
  }

  @Test func `modified changes the embedded objects of a list in place, one after the other`()
    throws
  {
    try Shop.write { realm in
      let tea = realm.create(
        Article.self, value: ["id": 1, "labels": [["A", "de"], ["B", "de"]]])
      let labels = Array(tea.labels)
      realm.create(
        Article.self, value: ["id": 1, "labels": [["text": "a"], ["text": "b"], ["c"]]],
        update: .modified)
      expectEqual(tea.labels.map(\.text), ["a", "b", "c"])
      expectEqual(tea.labels.map(\.language), ["de", "de", "en"])
      expectEqual(Array(tea.labels.prefix(2)), labels)
      realm.create(Article.self, value: ["id": 1, "labels": [["text": "x"]]], update: .modified)
      expectTrue(tea.labels.map(\.text) == ["x"] && tea.labels.first == labels[0])
      expectTrue(labels[1].isInvalidated)
      realm.add(Article(value: ["id": 1, "labels": [["y"], ["z"]]]), update: .modified)
      expectTrue(tea.labels.map(\.text) == ["y", "z"] && tea.labels.first == labels[0])
      expectEqual(tea.labels.first?.language, "en")
      realm.add(Article(value: ["id": 1, "labels": [["q"]]]), update: .modified)
      expectTrue(tea.labels.map(\.text) == ["q"] && tea.labels.first == labels[0])
      realm.create(Article.self, value: ["id": 1, "labels": [["w"]]], update: .all)
      expectTrue(tea.labels.map(\.text) == ["w"] && labels[0].isInvalidated)
    }
  }

  @Test func `Embedded objects of a list may be given back, in another order too`() throws {
    for policy in Self.policies {
      try Shop.write { realm in
        let tea = realm.create(Article.self, value: ["id": 1, "labels": [["A"], ["B"], ["C"]]])
        realm.create(Article.self, value: ["id": 1, "labels": tea.labels], update: policy)
        expectEqual(tea.labels.map(\.text), ["A", "B", "C"])
        let turned = Array(tea.labels.reversed())
        realm.create(Article.self, value: ["id": 1, "labels": turned], update: policy)
        expectEqual(tea.labels.map(\.text), ["C", "B", "A"])
        realm.create(
          Article.self, value: ["id": 1, "label": tea.labels[1], "labels": [tea.labels[2]]],
          update: policy)
        expectTrue(tea.label?.text == "B" && tea.labels.map(\.text) == ["A"])
      }
    }
  }

  @Test func `Collections are replaced by what is given, and stay when nothing is given`() throws {
    for policy in Self.policies {
      try Shop.write { realm in
        let tea = realm.create(
          Article.self,
          value: ["id": 1, "tags": ["a"], "counts": ["x": 1, "y": 2], "parts": [["id": 2]]])
        realm.create(Article.self, value: ["id": 1], update: policy)
        expectTrue(tea.tags.count == 1 && tea.counts.count == 2 && tea.parts.count == 1)
        realm.create(
          Article.self, value: ["id": 1, "tags": ["b", "c"], "counts": ["z": 3], "parts": []],
          update: policy)
        expectTrue(Set(tea.tags) == ["b", "c"] && tea.counts.keys == ["z"] && tea.parts.isEmpty)
      }
    }
  }

  @Test func `A class without a primary key gets a new object, those in it are updated`() throws {
    for policy in Self.policies {
      try Shop.write { realm in
        realm.add(Shop.Sale(value: [1, [1, "Tea", "hot"]]), update: policy)
        realm.create(
          Shop.Sale.self, value: ["number": 2, "article": ["id": 1, "name": "Chai"]], update: policy
        )
        let sales = realm.objects(Shop.Sale.self)
        expectTrue(sales.map(\.number) == [1, 2] && realm.objects(Article.self).count == 1)
        expectTrue(sales[0].article?.name == "Chai" && sales[0].article?.note == "hot")
      }
    }
  }
}
