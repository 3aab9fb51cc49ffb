import StrataQuery
import TestKit
import Testing

@Suite struct ChangeSetTests {
  @Test func `Modified elements of random changes are the same elements in the new list`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<2_000 {
      let old = Array(0..<Int.random(in: 0...12, using: &random))
      var new = old.filter { _ in random.percent(70) }
      for element in 100..<105 where random.percent(50) {
        new.insert(element, at: Int.random(in: 0...new.count, using: &random))
      }
      let changes = SequenceDifference.elements(old: old, new: new) { _ in random.percent(40) }
      let found = changes.modificationsInNewVersion.map { new[$0] }
      expectEqual(found, changes.modifications.map { old[$0] })
      expectEqual(changes.isEmpty, (old == new && changes.modifications.isEmpty))
    }
  }
}
