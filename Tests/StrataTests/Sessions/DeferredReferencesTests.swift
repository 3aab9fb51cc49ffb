import StrataTestKit
import TestKit
import Testing

@testable import Strata

/// The setting that defers foreign keys. It makes SQLite compile all statements again, so
/// transactions of a few objects avoid it.
@Suite struct DeferredReferencesTests {
  class Line: EmbeddedObject {
    @Persisted var article = ""
    @Persisted var parts: List<Part>
  }

  class Part: EmbeddedObject {
    @Persisted var name = ""
  }

  class Receipt: Object {
    @Persisted var number = 0
    @Persisted var tags: List<String>
    @Persisted var lines: List<Line>
    @Persisted var others: List<Receipt>
  }

  class Chain: Object {
    @Persisted var next: Chain?
  }

  private let folder: TestFolder
  private let realm: Realm

  init() throws {
    folder = try TestFolder()
    realm = try Realm(
      configuration: folder.configuration([Receipt.self, Line.self, Part.self, Chain.self]))
  }

  private func receipt(_ number: Int, lines: Int = 2) -> Receipt {
    Receipt(
      value: [
        "number": number, "tags": ["new", "paid"],
        "lines": (0..<lines).map { ["article": "a\($0)", "parts": [["name": "p"]]] },
      ])
  }

  /// Whether the setting is on when all is written.
  private func defers(_ body: () throws -> Void) throws -> Bool {
    try realm.write {
      try body()
      try realm.session.transaction?.flushAll()
      return realm.session.transaction?.defersForeignKeys == true
    }
  }

  private func expect(_ count: Int) throws {
    expectEqual(realm.objects(Receipt.self).count, count)
    for receipt in realm.objects(Receipt.self) {
      expectEqual(Array(receipt.tags), ["new", "paid"])
      expectEqual(receipt.lines.map(\.article), ["a0", "a1"])
      expectEqual(receipt.lines.map { $0.parts.map(\.name) }, [["p"], ["p"]])
    }
  }

  @Test func `A new object with lists is written before their elements`() throws {
    try expectFalse(defers { realm.add(receipt(1)) })
    try expectFalse(defers { realm.create(Receipt.self, value: receipt(2)) })
    try expectFalse(
      defers {
        let new = Receipt(value: ["number": 3])
        realm.add(new)
        new.tags.append("new")
        new.tags.append("paid")
        new.lines.append(objectsIn: Array(receipt(4).lines.map { Line(value: $0) }))
      })
    try expect(3)
  }

  @Test func `Elements may be new objects, which come first`() throws {
    try expectFalse(
      defers {
        let first = receipt(1)
        realm.add(first)
        first.others.append(receipt(2))
        first.others.append(receipt(3))
      })
    try expect(3)
    expectEqual(realm.objects(Receipt.self).first?.others.map(\.number), [2, 3])
  }

  @Test func `Many new objects are written in batches, and are looked at in the end`() throws {
    try expectTrue(defers { for number in 0..<200 { realm.add(receipt(number)) } })
    try expect(200)
  }

  @Test func `Objects that refer to each other are looked at in the end`() throws {
    try expectTrue(
      defers {
        let (first, second) = (Chain(), Chain())
        first.next = second
        second.next = first
        realm.add(first)
      })
    expectEqual(realm.objects(Chain.self).map { $0.next?.next == $0 }, [true, true])
  }
}
