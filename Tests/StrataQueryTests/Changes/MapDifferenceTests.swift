import StrataQuery
import TestKit
import Testing

@Suite struct MapDifferenceTests {
  @Test func `Random maps have the differences that sets of keys have`() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<1_000 {
      let keys = ["A", "Z", "a", "aa", "e\u{301}", "z", "\u{e9}", "\u{10000}", "\u{ffff}"]
      func map() -> [(key: String, value: Int?)] {
        keys.filter { _ in random.percent(60) }
          .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
          .map { ($0, [nil, 0, 1, 2, 3].randomElement(using: &random) ?? nil) }
      }
      let (old, new) = (map(), map())
      // A value that was touched, such as an object with other properties.
      let difference = MapDifference(old: old, new: new) { $0 == 3 }
      func bytes(_ keys: [String]) -> [[UInt8]] { keys.map { Array($0.utf8) } }
      let (before, after) = (bytes(old.map(\.key)), bytes(new.map(\.key)))
      expectEqual(bytes(difference.deletions), before.filter { !after.contains($0) })
      expectEqual(bytes(difference.insertions), after.filter { !before.contains($0) })
      let changed = new.filter { entry in
        old.contains {
          $0.key.utf8.elementsEqual(entry.key.utf8)
            && ($0.value != entry.value || entry.value == 3)
        }
      }
      expectEqual(bytes(difference.modifications), bytes(changed.map(\.key)))
      expectEqual(difference.isEmpty, (before == after && changed.isEmpty))
    }
  }
}
