import StrataQuery
import TestKit
import Testing

@Suite struct SequenceDifferenceTests {
  @Test func `Random lists of identities have differences with the fewest moves`() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<3_000 {
      let all = Array(1...Int64.random(in: 1...30, using: &random))
      let old = all.shuffled(using: &random).filter { _ in random.percent(70) }
      let new = all.shuffled(using: &random).filter { _ in random.percent(70) }
      let touched = Set(all.filter { _ in random.percent(50) })
      let changes = SequenceDifference.identities(old: old, new: new, touched: touched.contains)
      expectDifference(changes, old, new)
      expectTrue(changes.modifications.allSatisfy { touched.contains(old[$0]) })
      let staying = Set(old.indices).subtracting(changes.deletions).filter {
        touched.contains(old[$0])
      }
      expectEqual(Set(changes.modifications), staying)
    }
  }

  @Test func `Random lists with equal elements have the shortest differences`() {
    var random = SplitMix64(seed: 12)
    for _ in 0..<3_000 {
      let old = (0..<Int.random(in: 0...20, using: &random)).map { _ in random.letter() }
      let new = (0..<Int.random(in: 0...20, using: &random)).map { _ in random.letter() }
      let changes = SequenceDifference.elements(old: old, new: new) { $0 == "a" }
      expectDifference(changes, old, new)
      let staying = Set(old.indices).subtracting(changes.deletions).filter { old[$0] == "a" }
      expectEqual(Set(changes.modifications), staying)
    }
  }

  private func expectDifference<Element: Equatable>(
    _ changes: ChangeSet, _ old: [Element], _ new: [Element],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectEqual(changes.applied(to: old, from: new), new, sourceLocation: sourceLocation)
    expectTrue(
      changes.isWellFormed(old: old.count, new: new.count), sourceLocation: sourceLocation)
    expectEqual(
      changes.deletions.count, ChangeSet.fewestDeletions(old, new),
      "\(old) \(new)", sourceLocation: sourceLocation)
  }

  @Test func `A thousand differences in a long list are found one by one`() {
    let old = Array(0..<20_000)
    var new = old
    for position in stride(from: 19_000, to: 0, by: -38) { new[position] = -position }
    let changes = SequenceDifference.elements(old: old, new: new) { _ in false }
    expectEqual(changes.deletions.count, 500)
    expectEqual(changes.applied(to: old, from: new), new)
  }

  @Test func `Beyond a thousand differences everything between the common ends is exchanged`() {
    let old = Array(0..<2_000)
    var new = old
    for position in stride(from: 1_800, to: 100, by: -2) { new[position] = -position }
    let changes = SequenceDifference.elements(old: old, new: new) { $0 == 0 || $0 == 1_000 }
    expectEqual(changes.deletions, Array(102...1_800))
    expectEqual(changes.insertions, Array(102...1_800))
    expectEqual(changes.modifications, [0])
  }
}

extension SplitMix64 {
  /// One of three letters, so that many are equal.
  mutating func letter() -> String { ["a", "b", "c"].randomElement(using: &self) ?? "a" }
}
