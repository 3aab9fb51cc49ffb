import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Random reads, writes and transactions, compared with a dictionary after each.
@Suite("Random reads and writes")
struct RandomWritingTests {
  struct Values: Equatable {
    var name = ""
    var score = 0.0
  }

  /// A realm, and what should be in it.
  final class Pair {
    let realm: Realm
    var random: SplitMix64
    var committed: [Int: Values] = [:]
    var current: [Int: Values] = [:]
    /// Objects that were read at some time, by their keys; several may be of one row.
    var held: [(key: Int, object: V0.Keyed)] = []

    init(_ realm: Realm, seed: UInt64) {
      self.realm = realm
      random = SplitMix64(seed: seed)
    }

    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    func step() throws {
      if realm.isInWriteTransaction {
        switch pick(14) {
        case 0:
          try realm.commitWrite()
          committed = current
        case 1:
          realm.cancelWrite()
          current = committed
          // A deletion that was taken back leaves its object unusable, and others of the row
          // usable.
          held.removeAll { $0.object.isInvalidated }
        case 2, 3, 4: add()
        case 5: upsert()
        case 6, 7, 8, 9: change()
        case 10: delete()
        default: try read()
        }
      } else if pick(3) == 0 {
        realm.beginWrite()
      } else {
        try read()
      }
    }

    func add() {
      let key = pick(200)
      guard current[key] == nil else { return }
      let object = V0.Keyed(value: ["id": key, "name": "n\(key)"] as [String: Any])
      realm.add(object)
      object.score = 0.5
      current[key] = Values(name: "n\(key)", score: 0.5)
      held.append((key, object))
    }

    func upsert() {
      let key = pick(200)
      let score = Double(pick(100))
      realm.create(
        V0.Keyed.self, value: ["id": key, "score": score] as [String: Any],
        update: pick(2) == 0 ? .modified : .all)
      current[key, default: Values()].score = score
    }

    func change() {
      guard !held.isEmpty else { return }
      let (key, object) = held[pick(held.count)]
      guard current[key] != nil, !object.isInvalidated else { return }
      if pick(2) == 0 {
        object.name = "x\(pick(1_000))"
        current[key]?.name = object.name
      } else {
        object.score += 1
        current[key]?.score += 1
      }
    }

    func delete() {
      let key = pick(200)
      guard let object = realm.object(ofType: V0.Keyed.self, forPrimaryKey: key) else {
        expectNil(current[key])
        return
      }
      realm.delete(object)
      current[key] = nil
      held.removeAll { $0.key == key }
    }

    func read() throws {
      let objects = realm.objects(V0.Keyed.self)
      switch pick(6) {
      case 0:
        var seen: [Int: Values] = [:]
        for object in objects { seen[object.id] = Values(name: object.name, score: object.score) }
        expectEqual(seen, current)
      case 1:
        expectEqual(objects.count, current.count)
        expectEqual(objects.sum(ofProperty: "score"), current.values.reduce(0) { $0 + $1.score })
      case 2:
        let sorted = objects.sorted(byKeyPath: "id")
        let keys = current.keys.sorted()
        guard !keys.isEmpty else { return }
        let position = pick(keys.count)
        expectEqual(sorted[position].id, keys[position])
        held.append((keys[position], sorted[position]))
      case 3:
        let key = pick(200)
        let object = realm.object(ofType: V0.Keyed.self, forPrimaryKey: key)
        expectEqual(object.map { Values(name: $0.name, score: $0.score) }, current[key])
        if let object { held.append((key, object)) }
      default:
        if held.count > 100 { held.removeFirst(50) }
        for (key, object) in held where !object.isInvalidated {
          expectEqual(Values(name: object.name, score: object.score), current[key])
        }
      }
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `Random operations read what they wrote`(seed: UInt64) throws {
    let folder = try TestFolder()
    let realm = try Realm(configuration: folder.configuration([V0.Keyed.self]))
    let pair = Pair(realm, seed: seed)
    for _ in 0..<1_500 { try pair.step() }
    if realm.isInWriteTransaction { try realm.commitWrite() }
    let names = Dictionary(
      uniqueKeysWithValues: realm.objects(V0.Keyed.self).map { ($0.id, $0.name) })
    expectEqual(names, pair.current.mapValues(\.name))
    try expectTrue(folder.isSound())
  }
}
