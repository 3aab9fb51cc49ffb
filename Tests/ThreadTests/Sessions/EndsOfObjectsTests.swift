import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// A class whose end is a moment at which the program runs.
private final class Ending: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var other: Ending?
  @Persisted var others: List<Ending>
  @Persisted var any: AnyRealmValue

  /// Run at the end of each object: the tests of the suite run one after the other.
  nonisolated(unsafe) static var end: (() -> Void)?
  nonisolated(unsafe) private static var isRunning = false

  deinit {
    guard let end = Self.end, !Self.isRunning else { return }
    Self.isRunning = true
    end()
    Self.isRunning = false
  }
}

/// `deinit` code that uses the collection or object that has just released it, which must not be in
/// the middle of a change.
@Suite("Ends of objects", .serialized, .timeLimit(.minutes(10))) struct EndsOfObjectsTests {
  private func new(_ id: Int) -> Ending { Ending(value: ["id": id]) }

  /// - Returns: How many ends there were.
  private func whileEnding(_ end: @escaping () -> Void, _ body: () throws -> Void) rethrows -> Int {
    var ends = 0
    Ending.end = {
      ends += 1
      end()
    }
    defer { Ending.end = nil }
    try body()
    return ends
  }

  @Test func `A list in memory is read at the end of an element`() {
    let list = List<Ending>()
    list.append(objectsIn: (0..<5).map(new))
    var counts: [Int] = []
    let ends = whileEnding {
      counts.append(list.count)
    } _: {
      list[0] = new(9)
      list.remove(at: 1)
      list.removeLast()
      list.removeAll()
    }
    expectTrue(ends == 6 && counts == [5, 4, 3, 0, 0, 0])
  }

  @Test func `A set in memory is read at the end of an element`() throws {
    let set = MutableSet<Ending>()
    set.insert(objectsIn: (0..<5).map(new))
    var counts: [Int] = []
    _ = try whileEnding {
      counts.append(set.count)
    } _: {
      set.remove(try #require(set.first))
      set.removeAll()
    }
    expectTrue(counts.first == 4 && counts.last == 0)
  }

  @Test func `A map in memory is read at the end of a value`() {
    let map = Map<String, Ending?>()
    for id in 0..<5 { map["\(id)"] = new(id) }
    var counts: [Int] = []
    _ = whileEnding {
      counts.append(map.count)
    } _: {
      map["0"] = new(9)
      map.removeObject(for: "0")
      map.removeAll()
    }
    expectTrue(counts.first == 5 && counts.last == 0)
  }

  @Test func `A property in memory is read at the end of its value`() {
    let owner = new(1)
    owner.other = new(2)
    owner.any = .object(new(3))
    var seen: [Int?] = []
    _ = whileEnding {
      seen.append(owner.other?.id)
      _ = owner.any
    } _: {
      owner.other = new(4)
      owner.other = nil
      owner.any = .none
    }
    expectEqual(seen, [4, nil, nil])
  }

  @Test func `What the end of an object adds in a transaction is in the file`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([Ending.self]))
    var added = 0
    _ = try whileEnding {
      // One for each end would go on for ever: what it adds ends as well.
      guard realm.isInWriteTransaction, added < 300 else { return }
      added += 1
      realm.create(Ending.self, value: ["id": 10_000 + added])
    } _: {
      for round in 0..<4 {
        try realm.write {
          for id in 0..<200 { realm.add(new(round * 200 + id)) }
          let first = realm.objects(Ending.self).where { $0.id < 50 }
          for object in first { object.any = .int(round) }
        }
      }
    }
    expectTrue(added > 100)
    expectEqual(realm.objects(Ending.self).count, 800 + added)
    expectEqual(realm.objects(Ending.self).where { $0.id > 10_000 }.count, added)
  }

  @Test func `What a handler of the realm had begins to observe at its end`() throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([Ending.self]))
    var (heard, tokens): (Int, [NotificationToken]) = (0, [])
    func handler(_ owner: AtEnd) -> (Realm.Notification, Realm) -> Void {
      { _, _ in withExtendedLifetime(owner) {} }
    }
    let token = realm.observe(
      handler(AtEnd { tokens.append(realm.observe { _, _ in heard += 1 }) }))
    token.invalidate()
    for id in 0..<3 { try realm.write { realm.add(new(id)) } }
    expectTrue(tokens.count == 1 && heard == 2)
  }
}
