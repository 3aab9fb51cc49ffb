import TestKit
import Testing

@testable import StrataStorage

@Suite struct RowSetTests {
  @Test(arguments: [0, 1, -1, 63, 64, 4095, 4096, -4096, -4097, Int64.min, .max, .max - 4096])
  func `A member is in the set, and its neighbours are not`(id: Int64) {
    var set = RowSet()
    let inserted = [set.insert(id), set.insert(id)]
    expectEqual(inserted, [true, false])
    expectTrue(set.contains(id))
    expectFalse(set.contains(id &+ 1))
    expectFalse(set.contains(id &- 1))
    expectFalse(set.contains(id &+ 4096))
    expectFalse(set.contains(id &- 4096))
    expectEqual(set.count, 1)
    expectFalse(set.isEmpty)
  }

  @Test func `Members are listed in ascending order`() {
    let members = [Int64.min, -4097, -4096, -1, 0, 63, 64, 4095, 4096, 1 << 40, .max]
    var set = RowSet()
    for id in members.reversed() { set.insert(id) }
    expectTrue(set.members == members && set.count == members.count)
    expectTrue(members.allSatisfy(set.contains))
    let empty = RowSet()
    expectTrue(empty.isEmpty && empty.members == [] && empty.count == 0)
    expectFalse(empty.contains(0) || empty.contains(.min))
  }

  @Test func `A copy is independent`() {
    var set = RowSet()
    set.insert(1)
    var copy = set
    copy.insert(2)
    expectFalse(set.contains(2))
    expectTrue(copy.contains(1))
    expectTrue(copy.contains(2))
  }

  @Test(arguments: [Int64(10), 5000, 100_000, 1 << 40, .max])
  func `A row set does what a Set does`(spread: Int64) {
    var random = SplitMix64(seed: UInt64(spread))
    var set = RowSet()
    var model: Set<Int64> = []
    for step in 0..<40_000 {
      let id = Int64.random(in: -spread...spread, using: &random)
      if random.next() % 2 == 0 {
        let inserted = model.insert(id).inserted
        if set.insert(id) != inserted { Issue.record("insert \(id), step \(step)") }
      } else if set.contains(id) != model.contains(id) {
        Issue.record("contains \(id), step \(step)")
      }
    }
    expectEqual(set.count, model.count)
    expectTrue(model.allSatisfy(set.contains))
  }

  @Test(arguments: [Int64(10), 100_000, .max])
  func `A union does what a union of Sets does`(spread: Int64) {
    var random = SplitMix64(seed: 7)
    func members(_ count: Int) -> Set<Int64> {
      Set((0..<count).map { _ in Int64.random(in: -spread...spread, using: &random) })
    }
    for (left, right) in [(0, 0), (0, 100), (100, 0), (3000, 3000), (1, 5000)] {
      let (leftModel, rightModel) = (members(left), members(right))
      var set = RowSet()
      for id in leftModel { set.insert(id) }
      var other = RowSet()
      for id in rightModel { other.insert(id) }
      set.formUnion(other)
      let union = leftModel.union(rightModel)
      expectEqual(set.count, union.count)
      expectTrue(union.allSatisfy(set.contains))
      expectEqual(other.count, rightModel.count)
    }
  }

  @Test func `Ids in descending order are found`() {
    var set = RowSet()
    for id in stride(from: Int64(50_000), through: -50_000, by: -7) { set.insert(id) }
    for id in Int64(-50_000)...50_000 {
      if set.contains(id) != ((50_000 - id) % 7 == 0) { Issue.record("\(id)") }
    }
  }
}
