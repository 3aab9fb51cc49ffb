import StrataQuery
import TestKit
import Testing

@Suite struct MapDifferenceTests {
  private func difference(
    _ old: KeyValuePairs<String, Int?>, _ new: KeyValuePairs<String, Int?>,
    touched: Set<Int> = []
  ) -> [[String]] {
    let difference = MapDifference(
      old: old.map { ($0.key, $0.value) }, new: new.map { ($0.key, $0.value) }
    ) { $0.map(touched.contains) ?? false }
    return [difference.deletions, difference.insertions, difference.modifications]
  }

  @Test func `Keys come, go and get other values`() {
    expectEqual(
      difference(["a": 1, "b": 2, "d": 4], ["a": 1, "b": 3, "c": 3]), [["d"], ["c"], ["b"]])
  }

  @Test func `A value that became nil, and one that was touched, are modifications`() {
    expectEqual(
      difference(["a": 1, "b": 2, "c": 3], ["a": nil, "b": 2, "c": 3], touched: [3]),
      [[], [], ["a", "c"]])
  }

  @Test func `Keys are told apart by their bytes`() {
    // An e with an accent, as two scalars and as one: Swift calls them equal.
    expectEqual(difference(["e\u{301}": 1], ["\u{e9}": 1]), [["e\u{301}"], ["\u{e9}"], []])
  }

  @Test func `Random maps have the differences that sets of keys have`() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<1_000 {
      let keys = ["A", "Z", "a", "aa", "e\u{301}", "z", "\u{e9}", "\u{10000}", "\u{ffff}"]
      func map() -> [(key: String, value: Int)] {
        keys.filter { _ in random.percent(60) }
          .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
          .map { ($0, Int.random(in: 0...2, using: &random)) }
      }
      let (old, new) = (map(), map())
      let difference = MapDifference(old: old, new: new) { _ in false }
      func bytes(_ keys: some Sequence<String>) -> Set<[UInt8]> { Set(keys.map { Array($0.utf8) }) }
      let (before, after) = (bytes(old.map(\.key)), bytes(new.map(\.key)))
      expectEqual(bytes(difference.deletions), before.subtracting(after))
      expectEqual(bytes(difference.insertions), after.subtracting(before))
      let changed = new.filter { entry in
        old.contains { $0.key.utf8.elementsEqual(entry.key.utf8) && $0.value != entry.value }
      }
      expectEqual(bytes(difference.modifications), bytes(changed.map(\.key)))
      expectEqual(difference.isEmpty, (before == after && changed.isEmpty))
    }
  }
}
