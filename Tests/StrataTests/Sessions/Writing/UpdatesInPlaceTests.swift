import Strata
import StrataTestKit
import TestKit
import Testing

/// Updates with `.modified` of objects without a primary key. The object in the same place is
/// updated: in a property, at an index of a list, or under a key of a map.
@Suite struct UpdatesInPlaceTests {
  final class Tag: Object {
    @Persisted var name = ""
    @Persisted var color = "grey"
  }
  final class Address: EmbeddedObject {
    @Persisted var street = "default"
    @Persisted var city = "default"
  }
  final class Article: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var main: Tag?
    @Persisted var tags: List<Tag>
    @Persisted var byName: Map<String, Tag?>
    @Persisted var home: Address?
    @Persisted var addresses: List<Address>
    @Persisted var places: Map<String, Address?>
    @Persisted var body: AnyRealmValue
  }

  private let folder: TestFolder
  private let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(
      configuration: folder.configuration([Tag.self, Address.self, Article.self]))
  }

  private var article: Article { get throws { try #require(realm.objects(Article.self).first) } }

  enum Way: CaseIterable {
    case create, add
  }

  private func store(_ value: [String: Any], _ way: Way) throws {
    try realm.write {
      switch way {
      case .create: realm.create(Article.self, value: value, update: .modified)
      case .add: realm.add(Article(value: value), update: .modified)
      }
    }
  }

  /// The properties of which an observer of the article hears.
  private func heard(_ body: () throws -> Void) throws -> [String] {
    var heard: [String] = []
    let token = try article.observe { change in
      if case .change(_, let properties) = change { heard += properties.map(\.name) }
    }
    realm.refresh()
    try body()
    realm.refresh()
    token.invalidate()
    return heard
  }

  @Test(arguments: Way.allCases)
  func `The same value, stored again, changes nothing`(way: Way) throws {
    let address = ["street": "Main", "city": "Oslo"]
    let json: [String: Any] = [
      "id": 1, "main": ["name": "m"], "tags": [["name": "a"], ["name": "b"]],
      "byName": ["x": ["name": "x"]], "home": address, "addresses": [address, address],
      "places": ["a": address, "b": address],
      "body": ["list": [1, 2.5, "x", ["y": true]]] as [String: Any],
    ]
    try store(json, way)
    let before = try folder.dump()
    let heard = try heard { for _ in 0..<5 { try store(json, way) } }
    expectEqual(heard, [])
    try expectEqual(folder.dump(), before)
    expectEqual(realm.objects(Tag.self).count, 4)
  }

  @Test func `What a dictionary lacks stays, in each kind of place`() throws {
    let address = ["street": "Main", "city": "Oslo"]
    try store(
      [
        "id": 1, "main": ["name": "m"], "tags": [["name": "a"], ["name": "b"]],
        "byName": ["x": ["name": "x"]], "home": address, "addresses": [address],
        "places": ["a": address],
      ], .create)
    try realm.write { for tag in realm.objects(Tag.self) { tag.color = "red" } }
    try store(
      [
        "id": 1, "main": ["name": "M"], "tags": [["name": "A"], ["name": "B"]],
        "byName": ["x": ["name": "X"]], "home": ["street": "Side"],
        "addresses": [["street": "Side"]], "places": ["a": ["street": "Side"]],
      ], .create)
    expectEqual(
      realm.objects(Tag.self).map { "\($0.name) \($0.color)" }.sorted(),
      ["A red", "B red", "M red", "X red"])
    let article = try article
    let addresses = [article.home, article.addresses.first, article.places["a"] ?? nil]
    expectEqual(
      addresses.map { $0.map { "\($0.street) \($0.city)" } },
      Array(repeating: "Side Oslo", count: 3))
  }

  @Test(arguments: Way.allCases)
  func `Collections get as many elements as the value has`(way: Way) throws {
    func value(_ names: [String]) -> [String: Any] {
      [
        "id": 1, "tags": names.map { ["name": $0] },
        "byName": Dictionary(uniqueKeysWithValues: names.map { ($0, ["name": $0]) }),
        "addresses": names.map { ["street": $0] },
        "places": Dictionary(uniqueKeysWithValues: names.map { ($0, ["street": $0]) }),
      ]
    }
    for names in [["a", "b", "c"], ["b"], ["b", "d"], [], ["e"]] {
      try store(value(names), way)
      let article = try article
      expectEqual(article.tags.map(\.name), names)
      expectEqual(article.byName.map(\.key), names)
      expectEqual(article.byName.map { $0.value?.name }, names)
      expectEqual(article.addresses.map(\.street), names)
      expectEqual(article.places.map { $0.value?.street }, names)
    }
    // The embedded ones that went are gone.
    try expectEqual(folder.count(of: "Address"), 2)
  }

  @Test(arguments: Way.allCases)
  func `An object that is in the file already stays itself`(way: Way) throws {
    try store(["id": 1, "tags": [["name": "a"], ["name": "b"]]], .create)
    let (first, second) = (try article.tags[0], try article.tags[1])
    try store(["id": 1, "main": second, "tags": [second, Tag(value: ["c"])]], way)
    try expectEqual(article.tags.map(\.name), ["b", "c"])
    try expectEqual(article.tags[0], second)
    expectTrue(first.name != "b" && second.name == "b")
    try expectEqual(article.main, second)
  }

  @Test(arguments: Way.allCases)
  func `Two values never change the same object`(way: Way) throws {
    let tag = try realm.write { realm.create(Tag.self, value: ["a"]) }
    try store(["id": 1, "main": tag, "tags": [tag, tag], "byName": ["x": tag]], way)
    try store(
      [
        "id": 1, "main": ["name": "1"], "tags": [["name": "2"], ["name": "3"]],
        "byName": ["x": ["name": "4"]],
      ], way)
    let article = try article
    expectEqual(article.main?.name, "1")
    expectEqual(article.tags.map(\.name), ["2", "3"])
    expectEqual(article.byName.map { $0.value?.name }, ["4"])
  }

  @Test func `With the other policies there are new objects`() throws {
    let value: [String: Any] = ["id": 1, "tags": [["name": "a"]]]
    try store(value, .create)
    try realm.write { realm.create(Article.self, value: value, update: .all) }
    expectEqual(realm.objects(Tag.self).count, 2)
  }

  @Test func `An equal list or dictionary in a value isn't told`() throws {
    let bodies: [Any] = [
      [1, 2], ["a": 1], [Int](), [String: Int](),
      AnyRealmValue.fromArray([.string("x"), .fromDictionary(["y": .none])]),
    ]
    for body in bodies {
      try store(["id": 1, "body": body], .create)
      try expectEqual(
        heard { for way in Way.allCases { try store(["id": 1, "body": body], way) } }, [])
    }
  }

  @Test func `A list in a value that differs, and one that links to another object, are told`()
    throws
  {
    let (one, other) = try realm.write {
      (realm.create(Tag.self, value: ["1"]), realm.create(Tag.self, value: ["2"]))
    }
    func value(_ tag: Tag) -> [String: Any] {
      ["id": 1, "body": AnyRealmValue.fromArray([.object(tag)])]
    }
    try store(value(one), .create)
    for way in Way.allCases {
      try expectEqual(heard { try store(value(one), way) }, [])
      try expectEqual(heard { try store(value(other), way) }, ["body"])
      try expectEqual(article.body.listValue?[0].object(Tag.self), other)
      try store(value(one), way)
    }
  }
}
