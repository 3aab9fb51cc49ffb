import Strata
import StrataTestKit
import TestKit
import Testing

/// The lookup of elements in sets of objects in memory.
@Suite struct LargeSetsTests {
  final class Stamp: Object {
    @Persisted var number = 0
  }

  final class Coin: Object {
    @Persisted(primaryKey: true) var number = 0
  }

  final class Album: Object {
    @Persisted var name = ""
    @Persisted var stamps: MutableSet<Stamp>
    @Persisted var coins: MutableSet<Coin>
    @Persisted var anything: MutableSet<AnyRealmValue>
  }

  private let folder: TestFolder
  private let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(configuration: folder.configuration([Stamp.self, Coin.self, Album.self]))
  }

  /// Each element compared with each other one would take hours.
  private static let many = 10_000

  @Test func `Many objects in memory are added, found and removed`() {
    let stamps = (0..<Self.many).map { _ in Stamp() }
    let set = MutableSet<Stamp>()
    set.insert(objectsIn: stamps)
    set.insert(objectsIn: stamps)
    expectTrue(set.count == Self.many && Array(set) == stamps)
    expectTrue(stamps.allSatisfy(set.contains) && !set.contains(Stamp()))
    let half = MutableSet<Stamp>()
    half.insert(objectsIn: stamps.prefix(Self.many / 2))
    expectTrue(half.isSubset(of: set))
    set.formIntersection(half)
    expectTrue(set.count == Self.many / 2 && set == half)
    set.subtract(half)
    expectTrue(set.isEmpty && !set.contains(stamps[0]))
  }

  @Test func `Many objects of a file are elements of sets in memory`() throws {
    try realm.write { for number in 0..<Self.many { realm.create(Coin.self, value: [number]) } }
    let coins = realm.objects(Coin.self)
    let (album, new) = (Album(), Coin(value: [-1]))
    album.coins.insert(new)
    album.coins.insert(objectsIn: coins)
    album.anything.insert(objectsIn: coins.map { .object($0) })
    expectTrue(album.coins.count == Self.many + 1 && album.anything.count == Self.many)
    // Other instances of the same rows.
    expectTrue(coins.allSatisfy(album.coins.contains))
    expectTrue(coins.allSatisfy { album.anything.contains(.object($0)) })
    for coin in coins where coin.number.isMultiple(of: 2) {
      album.coins.remove(coin)
      album.anything.remove(.object(coin))
    }
    expectTrue(album.coins.count == Self.many / 2 + 1 && album.anything.count == Self.many / 2)
    expectTrue(album.coins.contains(new) && album.coins.allSatisfy { $0.number.magnitude % 2 == 1 })
    try realm.write { realm.add(album) }
    expectTrue(album.coins.count == Self.many / 2 + 1 && album.coins.contains(new))
  }

  @Test func `Objects of a file are looked for among many in memory`() throws {
    try realm.write { for number in 0..<Self.many { realm.create(Stamp.self, value: [number]) } }
    let set = MutableSet<Stamp>()
    set.insert(objectsIn: (0..<Self.many).map { _ in Stamp() })
    for stamp in realm.objects(Stamp.self) { set.insert(stamp) }
    expectEqual(set.count, 2 * Self.many)
    expectTrue(realm.objects(Stamp.self).allSatisfy(set.contains))
  }

  @Test func `An object is found after it was added to a realm, by each of its instances`() throws {
    let set = MutableSet<Stamp>()
    let any = MutableSet<AnyRealmValue>()
    let stamps = (0..<10).map { Stamp(value: [$0]) }
    for stamp in stamps {
      set.insert(stamp)
      any.insert(.object(stamp))
      try realm.write { realm.add(stamp) }
      let other = try #require(realm.objects(Stamp.self).last)
      expectTrue(other !== stamp && set.contains(other) && any.contains(.object(other)))
      set.insert(other)
      any.insert(.object(other))
    }
    expectTrue(set.count == 10 && any.count == 10)
    for stamp in realm.objects(Stamp.self).filter("number < 5") { set.remove(stamp) }
    expectEqual(set.map(\.number).sorted(), [5, 6, 7, 8, 9])
    try realm.write { realm.delete(realm.objects(Stamp.self)) }
    for stamp in stamps { expectTrue(any.contains(.object(stamp))) }
    for stamp in stamps {
      set.remove(stamp)
      any.remove(.object(stamp))
    }
    expectTrue(set.isEmpty && any.isEmpty)
  }

  @Test func `A key that changes in memory moves no element`() throws {
    let set = MutableSet<Coin>()
    let coins = (0..<3).map { Coin(value: [$0]) }
    set.insert(objectsIn: coins)
    for coin in coins { coin.number += 1 }
    expectTrue(coins.allSatisfy(set.contains))
    try realm.write { realm.add(coins) }
    expectTrue(realm.objects(Coin.self).allSatisfy(set.contains))
    set.remove(coins[0])
    expectTrue(set.count == 2 && !set.contains(coins[0]) && set.contains(coins[2]))
  }

  @Test func `A transaction that is taken back leaves the elements what they are`() throws {
    let set = MutableSet<Stamp>()
    let (old, new) = (Stamp(value: [1]), Stamp(value: [2]))
    try realm.write { realm.add(old) }
    set.insert(objectsIn: [old, new])
    realm.beginWrite()
    realm.delete(old)
    realm.add(new)
    expectTrue(set.contains(old) && set.contains(new) && set.count == 2)
    realm.cancelWrite()
    let again = try #require(realm.objects(Stamp.self).first)
    expectTrue(set.contains(old) && set.contains(new) && set.contains(again))
    set.remove(again)
    expectEqual(Array(set), [new])
  }

  @Test func `A list in a value is found by what it holds now`() {
    let set = MutableSet<AnyRealmValue>()
    let value = AnyRealmValue.fromArray([.int(1)])
    guard case .list(let list) = value else {
      Issue.record("It is no list.")
      return
    }
    set.insert(objectsIn: [value, .int(1)])
    list.append(.int(2))
    expectTrue(
      set.contains(.fromArray([.int(1), .int(2)])) && !set.contains(.fromArray([.int(1)])))
    set.insert(.fromArray([.int(1), .int(2)]))
    set.remove(.int(1))
    expectEqual(set.count, 1)
    set.remove(value)
    expectTrue(set.isEmpty)
  }
}
