import Foundation
import Strata
import StrataTestKit
import TestKit
import Testing

/// Transactions of many new objects with random work between them, compared with a
/// dictionary.
@Suite struct RandomLargeTransactionTests {
  class Part: Object {
    @Persisted var number = 0
    @Persisted var text: String?
    @Persisted var whole: Part?
  }

  class Note: Object {
    @Persisted var parts: List<Part>
  }

  private struct Values: Equatable {
    var text: String?
    var whole: Int?
  }

  private final class Run {
    let realm: Realm
    var random: SplitMix64
    var values: [Int: Values] = [:]
    var objects: [(number: Int, object: Part)] = []
    var next = 0

    init(_ realm: Realm, _ seed: UInt64) {
      self.realm = realm
      random = SplitMix64(seed: seed)
    }

    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    func add() {
      let part = Part()
      part.number = next
      next += 1
      if pick(2) == 0 { part.text = "text \(part.number)" }
      realm.add(part)
      values[part.number] = Values(text: part.text)
      objects.append((part.number, part))
      // Often what is just new, and otherwise anything.
      if pick(4) == 0 { change(objects.count - 1) }
      if pick(300) == 0 { change(pick(objects.count)) }
    }

    func change(_ index: Int) {
      let (number, part) = objects[index]
      switch pick(3) {
      case 0:
        part.text = "changed \(pick(1_000))"
        values[number]?.text = part.text
      case 1:
        let (other, whole) = objects[pick(objects.count)]
        part.whole = whole
        values[number]?.whole = other
      default:
        expectEqual(part.text, values[number]?.text)
      }
    }

    func interrupt() {
      switch pick(5) {
      case 0:
        expectEqual(realm.objects(Part.self).count, values.count)
      case 1:
        let (number, part) = objects.remove(at: pick(objects.count))
        realm.delete(part)
        values[number] = nil
        for (key, value) in values where value.whole == number { values[key]?.whole = nil }
      case 2:
        let note = Note()
        note.parts.append(objects[pick(objects.count)].object)
        realm.add(note)
        expectEqual(note.parts.count, 1)
      case 3:
        let (number, _) = objects[pick(objects.count)]
        let found = realm.objects(Part.self).where { $0.number == number }.first
        expectEqual(found?.text, values[number]?.text)
      default:
        for _ in 0..<100 { change(pick(objects.count)) }
      }
    }

    func compare() {
      let all = realm.objects(Part.self)
      expectEqual(all.count, values.count)
      let differing = all.filter {
        Values(text: $0.text, whole: $0.whole?.number) != self.values[$0.number]
      }
      expectEqual(differing.map(\.number), [])
    }
  }

  @Test(arguments: 1...4) func `Many new objects are what was made of them`(_ seed: UInt64) throws {
    let folder = try TestFolder()
    let types = [Part.self, Note.self]
    var expected: [Int: Values] = [:]
    try folder.open(types) { realm in
      let run = Run(realm, seed)
      for _ in 0..<4 {
        let before = (run.values, run.objects)
        realm.beginWrite()
        for _ in 0..<(500 + run.pick(600)) {
          run.add()
          if run.pick(100) == 0 { run.interrupt() }
        }
        if run.pick(3) == 0 {
          realm.cancelWrite()
          (run.values, run.objects) = before
          // Objects that it deleted can't be used again.
          run.objects.removeAll { $0.object.isInvalidated }
        } else {
          try realm.commitWrite()
        }
        run.compare()
      }
      expected = run.values
    }
    try folder.open(types) { realm in
      let run = Run(realm, seed)
      run.values = expected
      run.compare()
    }
    try expectTrue(folder.isSound())
  }
}
