import Foundation
import Strata
import TestKit
import Testing

/// Sources of programs for RealmSwift, which compile unchanged.
@Suite struct ProgramSourceTests {
  enum Kind: Int, PersistableEnum, _PrimaryKey {
    case book = 1
    case film
  }

  class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var score = 0
    @Persisted var kind: Kind?
    @Persisted var made = ""

    override init() {
      super.init()
      made = "by init"
    }
  }

  class Special: Item {
    @Persisted var extra: Item?
    @Persisted var items: List<Item>
    @Persisted var byName: Map<String, Item?>
    @Persisted var values: List<AnyRealmValue>
    required override init() { super.init() }
  }

  private let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: .init(
        inMemoryIdentifier: "\(UUID())", objectTypes: [Item.self, Special.self]))
    try realm.write {
      for (id, name) in ["b", "a", "c"].enumerated() {
        realm.add(Item(value: ["id": id, "name": name, "score": id]))
      }
    }
  }

  private func make<Made: Object>(_: Made.Type) -> Made { Made() }

  @Test func `A model overrides its initializer, and is made by its type`() throws {
    expectTrue(make(Item.self).made == "by init" && make(Special.self).made == "by init")
    let type: Object.Type = Special.self
    expectEqual((type.init() as? Special)?.made, "by init")
    try realm.write { realm.objects(Item.self)[0].made = "changed" }
    expectEqual(realm.objects(Item.self).map(\.made), ["changed", "by init", "by init"])
  }

  // MARK: Generic extensions

  private func sum<T: RealmCollectionValue>(_ list: List<T>) -> T
  where T.PersistedType: AddableType { list.sum() }

  private func values<T: RealmCollectionValue>(_ list: List<T>) -> [T?]
  where T.PersistedType: MinMaxType & AddableType & SortableType {
    [list.min(), list.max(), list.average(), list.sorted(ascending: false).first]
      + list.distinct().map { $0 }
  }

  private func bounds<T: RealmCollectionValue>(_ set: MutableSet<T>, _ map: Map<String, T>) -> [T?]
  where T.PersistedType: MinMaxType & AddableType & SortableType {
    [set.min(), set.sum(), set.sorted().last, map.max(), map.sum(), map.sorted().first]
  }

  private func result<T: RealmCollectionValue & _HasPersistedType>(
    _ items: Results<Item>, _ name: String
  ) -> T? where T.PersistedType: MinMaxType { items.max(ofProperty: name) }

  private func above<T: RealmCollectionValue>(
    _ value: T, _ path: (Query<Item>) -> Query<T>
  ) -> Int where T.PersistedType: _QueryNumeric {
    realm.objects(Item.self).where { path($0) > value && !path($0).in([value]) }.count
  }

  private func beginning<T: RealmCollectionValue>(
    _ value: T, _ path: (Query<Item>) -> Query<T>
  ) -> Int where T.PersistedType: _QueryString {
    realm.objects(Item.self).where { path($0).starts(with: value) || path($0).like(value) }.count
  }

  private func sections<C: RealmCollection>(
    _ collection: C, _ key: @escaping (C.Element) -> String
  ) -> SectionedResults<String, C.Element> where C.Element: _Persistable {
    collection.sectioned(by: key, ascending: true)
  }

  private func type<T: _RealmSchemaDiscoverable>(_: T.Type) -> PropertyType { T._rlmType }

  private func optionals<T: _RealmCollectionValueInsideOptional>(_: T.Type) -> List<T?> { List() }

  private func stored<T: RealmCollectionValue>(_: T.Type) -> Any.Type { T.PersistedType.self }

  private func isOptional<T: OptionalProtocol>(_: T.Type) -> Any.Type { T.Wrapped.self }

  private func names<T: _Persistable & _RealmSchemaDiscoverable>(_: T.Type) -> Any.Type {
    T.PersistedType.self
  }

  private func first<C: RealmCollection>(_ collection: C) -> C.ElementType? { collection.first }

  private func converted<T: _ObjcBridgeable>(_ value: Any) -> T? { T._rlmFromObjc(value) }

  @Test func `Extensions of programs name the types of RealmSwift`() {
    let numbers = List<Int>()
    numbers.append(objectsIn: [1, 2])
    expectTrue(sum(numbers) == 3 && first(numbers) == 1)
    expectTrue(stored(Kind?.self) == Int.self && stored(String?.self) == String.self)
    expectTrue(
      stored(Item.self) == ObjectBase.self && stored(AnyRealmValue.self) == AnyRealmValue.self)
    expectTrue(isOptional(Int?.self) == Int.self && names(Kind.self) == Int.self)
    expectEqual(values(numbers), [1, 2, 1, 2, 1, 2])
    let (set, map) = (MutableSet<Int>(), Map<String, Int>())
    set.insert(objectsIn: numbers)
    map["a"] = 3
    expectEqual(bounds(set, map), [1, 3, 2, 3, 3, 3])
    expectEqual(result(realm.objects(Item.self), "score"), 2)
    expectTrue(above(0) { $0.score } == 2 && beginning("a") { $0.name } == 1)
    expectEqual(sections(numbers) { $0 > 1 ? "many" : "one" }.map(\.key), ["one", "many"])
    expectTrue(type(Item.self) == .object && type(Item?.self) == .object && type(Kind.self) == .int)
    expectTrue(type(List<String>.self) == .string && optionals(Item.self).isEmpty)
    expectTrue(
      converted(5) == Int8(5) && converted("x") == Int?.none && 5._rlmObjcValue as? Int == 5)
  }

  // MARK: Observing

  @Test func `An object is observed as one of a superclass, as a protocol of a program asks`()
    throws
  {
    let item = realm.objects(Item.self)[0]
    var heard: [String] = []
    func record<T: ObjectBase>(_ change: ObjectChange<T>) {
      if case .change(let object, let properties) = change {
        heard.append("\(T.self) \(object === item) \(properties.map(\.name))")
      }
    }
    let tokens = [
      item.observe { (change: ObjectChange<ObjectBase>) in record(change) },
      item.observe { (change: ObjectChange<Object>) in record(change) },
      item.observe { change in record(change) },
      (item as any ObservedByPrograms).observe(keyPaths: ["name"], on: nil) {
        (change: ObjectChange<Item>) in record(change)
      },
    ]
    try realm.write { item.name = "new" }
    realm.refresh()
    expectEqual(
      heard.sorted(),
      [
        "Item true [\"name\"]", "Item true [\"name\"]", "Object true [\"name\"]",
        "ObjectBase true [\"name\"]",
      ])
    tokens.forEach { $0.invalidate() }
    expectIssue("An object of 'Item' can't be observed as one of 'Special'.") {
      item.observe { (_: ObjectChange<Special>) in }.invalidate()
    }
  }

  // MARK: Errors

  @Test func `A program throws an error with a code of its own`() {
    let url = URL(fileURLWithPath: "/a.realm")
    let error = Realm.Error(
      .fail, userInfo: [NSLocalizedDescriptionKey: "no", "NSFilePath": url.path])
    expectTrue(error.message == "no" && error.fileURL == url && Realm.Error(.fail) == error)
    #expect(throws: Realm.Error.self) { throw Realm.Error(.fileNotFound) }
    expectEqual("\(Realm.Error(.fileNotFound))", "FileNotFound")
  }

  // MARK: Queries

  @Test func `Texts have an order in where`() {
    let items = realm.objects(Item.self)
    expectEqual(items.where { $0.name > "a" }.map(\.name), ["b", "c"])
    expectEqual(items.where { $0.name >= "b" && $0.name < "c" }.map(\.name), ["b"])
    expectEqual(items.where { $0.name <= $0.made }.map(\.name), ["b", "a"])
    expectEqual(items.where { $0.name > $0.made }.map(\.name), ["c"])
  }

  @Test func `An average has the type of the property, or is a Double`() {
    let items = realm.objects(Item.self)
    let whole: Int? = items.where { $0.id > 0 }.average(of: \.score)
    let exact: Double? = items.where { $0.id > 0 }.average(of: \.score)
    expectTrue(whole == 1 && exact == 1.5)
  }

  @Test func `Collections are equal when they show the same`() throws {
    let items = realm.objects(Item.self)
    expectTrue(
      items == realm.objects(Item.self) && items.filter("id > 0") == items.filter("id > 0"))
    expectTrue(items != items.filter("id > 0") && items.filter("id > 1") != items.filter("id > 0"))
    expectTrue(items.sorted(byKeyPath: "name") != items && items.limit(1) != items.limit(2))
    expectEqual(AnyRealmCollection(items), AnyRealmCollection(items))
    expectTrue(AnyRealmCollection(items) != AnyRealmCollection(items.limit(1)))
    let (one, other) = (List<Int>(), List<Int>())
    expectEqual(one, other)
    one.append(1)
    expectTrue(one != other)
    other.append(1)
    expectTrue(one == other && one.hashValue == other.hashValue)
    let (set, otherSet) = (MutableSet<Int>(), MutableSet<Int>())
    set.insert(objectsIn: [1, 2])
    otherSet.insert(objectsIn: [2, 1])
    expectEqual(set, otherSet)
    let (map, otherMap) = (Map<String, Int>(), Map<String, Int>())
    (map["a"], otherMap["a"]) = (1, 1)
    expectEqual(map, otherMap)
    otherMap["a"] = 2
    expectTrue(map != otherMap)
    // Managed collections are equal if they are the same property of the same object.
    let special = Special(value: ["id": 7])
    try realm.write { realm.add(special) }
    expectTrue(special.items != List() && special.items == realm.objects(Special.self)[0].items)
  }

  @Test func `A map is sorted, and any collection put into sections, by a key path`() throws {
    let special = Special(value: ["id": 7])
    try realm.write {
      realm.add(special)
      for item in realm.objects(Item.self) { special.byName["x\(item.id)"] = item }
    }
    expectEqual(special.byName.sorted(by: \.name).map { $0?.name }, ["a", "b", "c"])
    expectEqual(special.byName.sorted(by: \Item.name, ascending: false).first??.name, "c")
    func sections<C: RealmCollection>(_ collection: C) -> [Bool] where C.Element == Int {
      collection.sectioned(by: { $0 > 1 }, ascending: true).map(\.key)
    }
    let numbers = List<Int>()
    numbers.append(objectsIn: [2, 1])
    expectEqual(sections(numbers), [false, true])
    expectEqual(sections(AnyRealmCollection(numbers)), [false, true])
    expectTrue(special.values.sum().intValue == 0 && List<AnyRealmValue>().sum().intValue == 0)
  }

  final class Card: Projection<Item> {
    @Projected(\Item.name) var title
  }

  @Test func `Projections are put into sections with descriptors`() {
    let cards = realm.objects(Card.self)
    let sections = cards.sectioned(by: \.title, sortDescriptors: ["name", "id"])
    expectEqual(sections.map(\.key), ["a", "b", "c"])
    for descriptors in [["id"], []] as [[Strata.SortDescriptor]] {
      withKnownIssue {
        expectTrue(cards.sectioned(by: \.title, sortDescriptors: descriptors).isEmpty)
      } matching: {
        "\($0)".contains("sort descriptor") || "\($0)".contains("empty sortDescriptor")
      }
    }
  }

  @Test func `A realm is opened with RealmSwift's arguments`() async throws {
    let realm = try await Realm.open(
      configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [Item.self]),
      downloadBeforeOpen: .always)
    expectTrue(realm.isEmpty)
  }

  // MARK: By name

  @Test func `Values by name are taken as Realm takes them`() throws {
    let item = Item()
    item["kind"] = 10
    expectNil(item.kind)
    item["kind"] = 2
    expectTrue(item.kind == .film && Item(value: ["kind": 99]).kind == nil)
    try realm.write {
      let managed = realm.objects(Item.self)[0]
      managed.kind = .book
      managed["kind"] = 10
      expectNil(managed.kind)
    }
  }
}

/// A protocol of a program, which all objects meet.
protocol ObservedByPrograms {
  func observe<T: ObjectBase>(
    keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken
}

extension Object: ObservedByPrograms {}
