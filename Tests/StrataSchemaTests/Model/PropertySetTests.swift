import TestKit
import Testing

@testable import StrataSchema

@Suite struct PropertySetTests {
  private static let slots = SlotArray(0..<300)

  private func set(_ numbers: [Int]) -> PropertySet {
    PropertySet(numbers.map { Self.slots.index(Self.slots.startIndex, offsetBy: $0) })
  }

  private func numbers(_ set: PropertySet) -> [Int] {
    Self.slots.indices.filter(set.contains).map { Self.slots[$0] }
  }

  @Test func `Each property is told apart from all others`() {
    for number in 0..<300 { expectEqual(numbers(set([number])), [number]) }
    expectEqual(
      numbers(set([0, 62, 63, 64, 126, 127, 128, 299])), [0, 62, 63, 64, 126, 127, 128, 299])
    expectEqual(numbers(PropertySet()), [])
  }

  @Test func `As many properties as a word has bits aren't all`() {
    let first = set(Array(0..<63))
    expectTrue(!first.isAll && numbers(first) == Array(0..<63))
    let more = set(Array(0..<64))
    expectTrue(!more.isAll && numbers(more) == Array(0..<64))
    expectTrue(PropertySet.all.isAll && numbers(.all) == Array(0..<300))
  }

  @Test func `Sets are equal when their properties are, in whichever order they came`() {
    expectEqual(set([3, 200, 70]), set([200, 70, 3]))
    expectTrue(set([3, 200]) != set([3]))
    expectEqual(set([3]).union(set([200])), set([3, 200]))
    expectEqual(set([200]).union(set([3])), set([3, 200]))
    expectEqual(set([3]).union(.all), .all)
    expectEqual(PropertySet.all.union(set([200])), .all)
    var all = PropertySet.all
    all.formUnion(set([100]))
    expectEqual(all, .all)
  }

  @Test func `Sets intersect where a property is in both`() {
    expectTrue(set([1, 63, 130]).intersects(set([130])))
    expectTrue(set([63]).intersects(set([63])))
    expectFalse(set([1, 63, 130]).intersects(set([2, 64, 131])))
    expectFalse(set([1]).intersects(set([130])))
    expectTrue(PropertySet.all.intersects(set([130])))
    expectFalse(PropertySet.all.intersects(PropertySet()))
    expectFalse(PropertySet().intersects(.all))
  }

  @Test func `Words are put together again`() {
    let numbers = [0, 62, 63, 64, 126, 127, 190, 191, 299]
    let words = set(numbers).words
    let again = words.enumerated().reduce(into: PropertySet()) {
      $0.formUnion(PropertySet(word: $1.offset, bits: $1.element))
    }
    expectEqual(again, set(numbers))
    expectEqual(PropertySet(word: 0, bits: .max), .all)
    expectEqual(PropertySet(word: 3, bits: 0), PropertySet())
  }
}
