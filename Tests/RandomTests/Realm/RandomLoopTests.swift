import Foundation
import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// Random programs of loops with writes inside of them, against one rule: a loop visits what was
/// there when it began, in that order, and shows each object as it is.
@Suite("Random loops")
struct RandomLoopTests {
  final class Item: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var rank = 0
    @Persisted var name = ""
    @Persisted var box: Box?
  }

  final class Box: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var list: List<Item>
    @Persisted var set: MutableSet<Item>
    @Persisted(originProperty: "box") var linked: LinkingObjects<Item>
  }

  /// The objects and collections, in the order of identities, which is the order of the keys.
  struct State: Equatable {
    struct Item: Equatable {
      var rank: Int
      var name = ""
      var isInBox = false
    }

    var items: [Int: Item] = [:]
    var list: [Int] = []
    var set: Set<Int> = []

    mutating func delete(_ id: Int) {
      items[id] = nil
      list.removeAll { $0 == id }
      set.remove(id)
    }
  }

  /// The collection that a loop goes through.
  enum Source: CaseIterable {
    case all, condition, order, conditionAndOrder, list, sortedList, set, linking, limited

    static let bound = 50

    func ids(in state: State) -> [Int] {
      let all = state.items.keys.sorted()
      func rank(_ id: Int) -> Int { state.items[id]?.rank ?? 0 }
      func byRank(_ ids: [Int]) -> [Int] {
        ids.enumerated().sorted { (rank($0.1), $0.0) < (rank($1.1), $1.0) }.map(\.1)
      }
      return switch self {
      case .all: all
      case .condition: all.filter { rank($0) < Self.bound }
      case .order: byRank(all)
      case .conditionAndOrder: byRank(all.filter { rank($0) < Self.bound })
      case .list: state.list
      case .sortedList: byRank(state.list)
      case .set: state.set.sorted()
      case .linking: all.filter { state.items[$0]?.isInBox == true }
      case .limited: Array(byRank(all).dropFirst(2).prefix(150))
      }
    }

    func loop(_ realm: Realm, _ body: (Item) throws -> Bool) throws {
      func go(_ items: some Sequence<Item>) throws {
        for item in items { guard try body(item) else { return } }
      }
      let items = realm.objects(Item.self)
      guard let box = realm.objects(Box.self).first else { return }
      switch self {
      case .all: try go(items)
      case .condition: try go(items.where { $0.rank < Self.bound })
      case .order: try go(items.sorted(by: \.rank))
      case .conditionAndOrder: try go(items.where { $0.rank < Self.bound }.sorted(by: \.rank))
      case .list: try go(box.list)
      case .sortedList: try go(box.list.sorted(by: \.rank))
      // Sets have an order of their own, which is compared as a sorted array.
      case .set: try go(box.set.sorted(by: \.id))
      case .linking: try go(box.linked)
      case .limited: try go(items.sorted(by: \.rank).limit(150, offset: 2))
      }
    }
  }

  final class Program {
    let folder: TestFolder
    let realm: Realm
    var random: SplitMix64
    var state = State()
    var committed = State()
    var next = 0
    var steps = 0
    private var token: NotificationToken?

    init(_ folder: TestFolder, seed: UInt64) throws {
      self.folder = folder
      realm = try Realm(configuration: folder.configuration([Item.self, Box.self]))
      random = SplitMix64(seed: seed)
      try realm.write {
        realm.add(Box())
        for _ in 0..<pick(400) { add() }
      }
      committed = state
    }

    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    var box: Box { get throws { try #require(realm.objects(Box.self).first) } }

    /// An object that is there.
    func any() -> Int? {
      let ids = state.items.keys
      guard !ids.isEmpty else { return nil }
      return ids[ids.index(ids.startIndex, offsetBy: pick(ids.count))]
    }

    // MARK: Writing

    func add() {
      let item = Item()
      item.id = next
      item.rank = pick(100)
      next += 1
      realm.add(item)
      state.items[item.id] = State.Item(rank: item.rank)
    }

    func change(_ item: Item) throws {
      switch pick(7) {
      case 0:
        item.rank = pick(100)
        state.items[item.id]?.rank = item.rank
      case 1:
        item.name = "n\(pick(1_000))"
        state.items[item.id]?.name = item.name
      case 2:
        let isIn = pick(2) == 0
        item.box = isIn ? try box : nil
        state.items[item.id]?.isInBox = isIn
      case 3:
        try box.list.append(item)
        state.list.append(item.id)
      case 4:
        guard !state.list.isEmpty else { return }
        let position = pick(state.list.count)
        try box.list.remove(at: position)
        state.list.remove(at: position)
      case 5:
        try box.set.insert(item)
        state.set.insert(item.id)
      default:
        state.delete(item.id)
        realm.delete(item)
      }
    }

    func write() throws {
      if pick(3) == 0 { return add() }
      guard let id = any(), let item = realm.object(ofType: Item.self, forPrimaryKey: id) else {
        return
      }
      try change(item)
    }

    /// A commit of another program.
    func writeElsewhere() throws {
      guard let id = any() else { return }
      switch pick(3) {
      case 0:
        let rank = pick(100)
        try folder.execute("UPDATE Item SET rank = \(rank) WHERE id = \(id)")
        state.items[id]?.rank = rank
      case 1:
        // Elements without their objects are damage, which isn't meant here.
        guard !state.list.contains(id), !state.set.contains(id) else { return }
        try folder.execute("DELETE FROM Item WHERE id = \(id)")
        state.delete(id)
      default:
        try folder.execute(
          "INSERT INTO Item (id, rank, name) VALUES (\(next), 7, 'elsewhere')")
        state.items[next] = State.Item(rank: 7, name: "elsewhere")
        next += 1
      }
      committed = state
      realm.refresh()
    }

    func act(on item: Item?) throws {
      switch pick(12) {
      case 0 where !realm.isInWriteTransaction: realm.beginWrite()
      case 1 where realm.isInWriteTransaction:
        try realm.commitWrite()
        committed = state
      case 2 where !realm.isInWriteTransaction: try writeElsewhere()
      case 3 where !realm.isInWriteTransaction:
        token?.invalidate()
        token = pick(2) == 0 ? realm.observe { _, _ in } : nil
      default:
        guard realm.isInWriteTransaction else { return }
        if let item, pick(2) == 0 { try change(item) } else { try write() }
      }
    }

    // MARK: Looping

    func check(_ item: Item) {
      let known = state.items[item.id]
      expectEqual(
        known,
        State.Item(rank: item.rank, name: item.name, isInBox: item.box != nil))
    }

    func loop(depth: Int = 0) throws {
      let source = Source.allCases[pick(Source.allCases.count)]
      var expected = source.ids(in: state)[...]
      let busy = [0, 5, 30][pick(3)]
      let end = pick(4) == 0 ? pick(200) : .max
      var visited = 0
      try source.loop(realm) { item in
        while let id = expected.first, state.items[id] == nil { expected.removeFirst() }
        expectEqual(expected.popFirst(), item.id, "\(source)")
        check(item)
        visited += 1
        steps += 1
        if pick(100) < busy { try act(on: item) }
        if depth == 0, pick(200) == 0 { try loop(depth: 1) }
        return visited < end
      }
      guard visited < end else { return }
      expectTrue(expected.allSatisfy { state.items[$0] == nil }, "\(source)")
    }

    /// Compares objects by their positions with the current order.
    func positions() {
      let ids = Source.order.ids(in: state)
      let items = realm.objects(Item.self).sorted(by: \.rank)
      expectEqual(items.count, ids.count)
      for _ in 0..<min(ids.count, 20) {
        let position = pick(ids.count)
        expectEqual(items[position].id, ids[position])
        check(items[position])
      }
    }

    /// Frozen results stay what they were.
    func frozen() throws {
      let source = Source.allCases[pick(Source.allCases.count)]
      let before = committed
      let expected = source.ids(in: before)
      let frozen = realm.freeze()
      if !realm.isInWriteTransaction { try writeElsewhere() }
      var ids: [Int] = []
      try source.loop(frozen) {
        ids.append($0.id)
        expectEqual($0.rank, before.items[$0.id]?.rank)
        return true
      }
      expectEqual(ids, expected, "\(source)")
    }

    func step() throws {
      switch pick(8) {
      case 0: positions()
      case 1: try frozen()
      case 2, 3: try act(on: nil)
      default: try loop()
      }
    }

    func end() throws {
      if realm.isInWriteTransaction { try realm.commitWrite() }
      token?.invalidate()
      try expectTrue(folder.isSound())
    }
  }

  /// 100,000 steps in all.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `A loop visits what was there at its beginning, as it is`(seed: UInt64) throws {
    let program = try Program(TestFolder(), seed: seed)
    while program.steps < 10_000 { try program.step() }
    try program.end()
  }
}
