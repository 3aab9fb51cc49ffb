import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

enum Edge {
  class Owner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var home: Home?
    @Persisted var homes: List<Home>
    @Persisted var placed: Map<String, Home?>
    @Persisted var best: Owner?
    @Persisted var all: List<Owner>
    @Persisted var set: MutableSet<Owner>
    @Persisted var map: Map<String, Owner?>
    @Persisted(indexed: true) var any: AnyRealmValue
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var anyMap: Map<String, AnyRealmValue>
    @Persisted var numbers: List<Int>
    @Persisted var numberSet: MutableSet<Int>
    @Persisted(originProperty: "all") var inAll: LinkingObjects<Owner>
    @Persisted(originProperty: "best") var inBest: LinkingObjects<Owner>
  }
  class Home: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var rooms: List<Room>
  }
  class Room: EmbeddedObject {
    @Persisted var name = ""
  }
  static let types: [ObjectBase.Type] = [Owner.self, Home.self, Room.self]

  class OnlyLists: Object {
    @Persisted var a: List<Int>
    @Persisted var b: MutableSet<String>
  }
  class Keywords: Object {
    @Persisted var _id = 0
    @Persisted var owner: Keywords?
    @Persisted var value: List<Keywords>
    @Persisted var key: Map<String, Keywords?>
    @Persisted var position: MutableSet<Keywords>
    @Persisted var `select`: Part?
    @Persisted var quoted: Part?
    @Persisted var table: List<Part>
    @Persisted var valueType: AnyRealmValue
    override class func propertiesMapping() -> [String: String] {
      ["valueType": "value_type", "quoted": "it's \"a\" [b] `c` . %", "table": "ta ble'\""]
    }
  }
  class Part: EmbeddedObject {
    @Persisted var _id = 0
    @Persisted var owner: Bit?
    @Persisted var value: List<Bit>
    override class func propertiesMapping() -> [String: String] { ["value": "va\"lue'"] }
  }
  class Bit: EmbeddedObject {
    @Persisted var _id = 0
    @Persisted var key: Keywords?
  }
}

@Suite("Relationships at the edges")
struct RelationshipEdgeTests {
  let folder: TestFolder
  let realm: Realm
  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration(Edge.types))
  }

  @Test func `Objects of one key that are added together leave no children behind`() throws {
    try realm.write {
      realm.add(Edge.Owner(value: ["id": 1, "home": ["city": "A", "rooms": [["name": "x"]]]]))
      realm.add(Edge.Owner(value: ["id": 1, "home": ["city": "B"]]), update: .all)
      realm.add(
        Edge.Owner(value: ["id": 1, "home": ["city": "C"], "homes": [["city": "D"]]]),
        update: .modified)
    }
    try expectEqual(folder.count(of: "Home"), 2)
    try expectEqual(folder.count(of: "Room"), 0)
    let one = realm.objects(Edge.Owner.self).first!
    let home = one.home!
    try realm.write {
      realm.add(Edge.Owner(value: ["id": 1, "home": ["city": "E"]]), update: .all)
      expectTrue(home.isInvalidated)
      expectEqual(one.home?.city, "E")
    }
    try realm.write {
      realm.create(
        Edge.Owner.self, value: ["id": 1, "home": ["city": "F"], "placed": ["x": ["city": "y"]]],
        update: .modified)
      realm.create(
        Edge.Owner.self, value: ["id": 1, "placed": ["z": ["city": "y"]]], update: .modified)
    }
    expectEqual(one.home?.city, "F")
    expectEqual(one.placed.map { $0.key }, ["z"])
    try expectEqual(folder.count(of: "Home"), 2)
    try realm.write { realm.add(Edge.Owner(value: ["id": 1]), update: .all) }
    try expectEqual(folder.count(of: "Home"), 0)
    // twice in the same graph
    try realm.write {
      let first = Edge.Owner(value: ["id": 7, "home": ["city": "1"]])
      let second = Edge.Owner(value: ["id": 7, "home": ["city": "2"]])
      let third = Edge.Owner(value: ["id": 8, "all": [first, second, first]])
      realm.add(third, update: .modified)
      expectEqual(third.all.count, 3)
    }
    try expectEqual(folder.count(of: "Home"), 1)
  }

  @Test func `Ten thousand children are deleted with their parent`() throws {
    try realm.write {
      let owner = realm.create(Edge.Owner.self, value: ["id": 1])
      owner.homes.append(
        objectsIn: (0..<10_000).map {
          Edge.Home(value: ["city": "\($0)", "rooms": [["name": "r"]]])
        })
    }
    try expectEqual(folder.count(of: "Room"), 10_000)
    try realm.write {
      let one = realm.objects(Edge.Owner.self).first!
      for _ in 0..<1000 { one.homes.remove(at: 500) }
      for _ in 0..<1000 { one.homes.move(from: 5, to: 800) }
      realm.delete(one)
    }
    try expectEqual(folder.count(of: "Room"), 0)
    try expectEqual(folder.count(of: "Home"), 0)
  }

  @Test func `Collections may hold their owner, and change while they are iterated`() throws {
    try realm.write {
      let a = Edge.Owner(value: ["id": 1])
      let b = Edge.Owner(value: ["id": 2])
      a.best = a
      a.all.append(objectsIn: [a, b, a])
      a.set.insert(a)
      a.set.insert(b)
      a.map["a"] = a
      a.map["b"] = b
      a.any = .object(a)
      a.anys.append(objectsIn: [.object(b), .int(1), .object(a)])
      a.anySet.insert(.object(b))
      a.anySet.insert(.object(a))
      a.anyMap["x"] = .object(b)
      b.any = .object(a)
      b.best = a
      realm.add(a)
      realm.add(b)
      expectEqual(a.inAll.count, 2)
      expectEqual(b.inAll.map(\.id), [1])
      a.all.append(objectsIn: a.all)
      expectEqual(a.all.map(\.id), [1, 2, 1, 1, 2, 1])
      let list = a.all
      a.all = list
      expectEqual(a.all.count, 6)
      b.all = a.all
      expectEqual(b.all.map(\.id), [1, 2, 1, 1, 2, 1])
      b.numbers.append(objectsIn: [1, 2])
      b.numbers.append(objectsIn: b.numbers)
      b.numbers.insert(contentsOf: b.numbers, at: 1)
      expectEqual(Array(b.numbers), [1, 1, 2, 1, 2, 2, 1, 2])
      for x in b.all where x.id == 1 { if let i = b.all.index(of: x) { b.all.remove(at: i) } }
      expectEqual(b.all.map(\.id), [2, 2])
      b.all = a.all
      realm.delete(a)
      expectEqual(b.any, .none)
      expectNil(b.best)
      expectEqual(b.all.map(\.id), [2, 2])
    }
    let b = realm.objects(Edge.Owner.self).first!
    expectEqual(b.all.count, 2)
    expectEqual(b.inAll.count, 2)
    try realm.write {
      let c = Edge.Owner(value: ["id": 3, "all": [b]])
      c.anys.append(.object(b))
      c.anyMap["x"] = .object(b)
      c.anySet.insert(.object(b))
      c.map["q"] = b
      realm.add(c)
      realm.delete(b.all)
      expectEqual(c.all.count, 0)
      expectEqual(Array(c.anys), [.none])
      expectEqual(c.anyMap["x"], AnyRealmValue.none)
      expectEqual(c.anySet.count, 0)
      expectEqual(c.map["q"], .some(nil))
      expectEqual(realm.objects(Edge.Owner.self).count, 1)
    }
  }

  @Test func `Positions may be at the ends of what numbers can hold`() throws {
    let owner = try realm.write {
      realm.create(Edge.Owner.self, value: ["id": 1, "numbers": [1, 2]])
    }
    try folder.execute(
      "INSERT INTO Owner_numbers VALUES (1, 9223372036854775807, 5), (1, -9223372036854775808, 4)")
    realm.refresh()
    expectEqual(Array(owner.numbers), [4, 1, 2, 5])
    expectEqual(owner.numbers[3], 5)
    #expect(throws: Never.self) {
      try realm.write {
        owner.numbers.append(6)
        owner.numbers.insert(0, at: 0)
        owner.numbers.insert(7, at: 2)
        owner.numbers.move(from: 0, to: 3)
      }
    }
  }
}

@Suite("Names with quotation marks and SQL keywords")
struct RelationshipNamesTests {
  @Test
  func `Columns, collections and triggers may have quotation marks and SQL keywords in names`()
    throws
  {
    let folder = try TestFolder()
    let types: [ObjectBase.Type] = [
      Edge.Keywords.self, Edge.Part.self, Edge.Bit.self, Edge.OnlyLists.self,
    ]
    let realm = try Realm(configuration: folder.configuration(types))
    let part: [String: Any] = ["_id": 1, "owner": ["_id": 2], "value": [["_id": 3]]]
    try realm.write {
      let one = realm.create(
        Edge.Keywords.self,
        value: ["_id": 5, "select": part, "quoted": part, "table": [part, part]])
      one.owner = one
      one.value.append(objectsIn: [one, one])
      one.key["x"] = one
      one.position.insert(one)
      one.valueType = .object(one)
      let two = realm.create(Edge.Keywords.self, value: one)
      two.owner = one
      two.value.append(one)
      two.key["one"] = one
      two.position.insert(one)
      two.valueType = .object(one)
      two.quoted = Edge.Part()
      two.table.remove(at: 0)
      two.table[0] = Edge.Part()
      realm.delete(one)
      expectEqual(two.valueType, .none)
      expectEqual(two.value.count, 0)
    }
    func count() throws -> Int? { try folder.count(of: "Part") }
    func bits() throws -> Int? { try folder.count(of: "Bit") }
    try expectEqual(count(), 3)
    try expectEqual(bits(), 2)
    try folder.execute("PRAGMA foreign_keys = 0; DELETE FROM Keywords")
    realm.refresh()
    try expectEqual(count(), 0)
    try expectEqual(bits(), 0)
    let lists = try realm.write {
      (0..<200).map { realm.create(Edge.OnlyLists.self, value: ["a": [$0], "b": ["\($0)"]]) }
    }
    expectEqual(lists.map { $0.a[0] }, Array(0..<200))
    try realm.write {
      realm.delete(lists[3])
      realm.deleteAll()
    }
  }
}
