import StrataQuery
import TestKit
import Testing

@Suite struct ChangeSetTests {
  @Test func `Modified elements are found in the new list`() {
    let changes = ChangeSet(
      deletions: [0, 3], insertions: [0, 1, 4], modifications: [1, 2, 4, 5])
    // Old: 0…5. Without 0 and 3: 1, 2, 4, 5. New: +, +, 1, 2, +, 4, 5.
    expectEqual(changes.modificationsInNewVersion, [2, 3, 5, 6])
  }

  @Test func `Without deletions and insertions positions stay`() {
    expectEqual(ChangeSet(modifications: [0, 7]).modificationsInNewVersion, [0, 7])
    expectTrue(ChangeSet().isEmpty)
    expectFalse(ChangeSet(modifications: [1]).isEmpty)
  }

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
    }
  }
}
