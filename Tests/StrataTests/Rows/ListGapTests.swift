import TestKit
import Testing

@testable import Strata

/// The positions for new elements of a list, without a file.
@Suite struct ListGapTests {
  private func gap(
    _ number: Int, at index: Int, in positions: [Int64], last: Range<Int>? = nil
  ) -> ListGap {
    let extent = ElementTable.Extent(
      count: positions.count, first: positions[0], last: positions[positions.count - 1])
    return ListGap(
      of: number, at: index, between: positions[index - 1], positions[index], in: extent, last: last
    )
  }

  /// The positions after an insertion, as SQLite would have them; nil when two would be the same.
  private func inserted(
    _ number: Int, _ gap: ListGap, into positions: [Int64]
  ) -> [Int64]? {
    var all = positions
    if let shift = gap.shift {
      // Each step of a shift moves row by row, and none may meet another one.
      for distance in [shift.far, shift.distance - shift.far] {
        let moved = distance == shift.far ? shift.positions : shift.positions.shifted(by: shift.far)
        for index in all.indices where moved.contains(all[index]) {
          let new = all[index] + distance
          guard !all.contains(new) else { return nil }
          all[index] = new
        }
      }
    }
    let new = (0..<Int64(number)).map { gap.position + $0 }
    return Set(all).isDisjoint(with: new) ? all + new : nil
  }

  @Test(arguments: 0..<200)
  func `New elements come between their neighbours, whatever has to move`(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    // The elements in their order, and their positions.
    var elements = [0, 1]
    var positions: [Int64] = [0, Int64.random(in: 1...3, using: &generator)]
    var last: Range<Int>?
    for _ in 0..<60 {
      let number = Int.random(in: 1...5, using: &generator)
      let index = Int.random(in: 1..<positions.count, using: &generator)
      let gap = gap(number, at: index, in: positions, last: last)
      let all = try #require(inserted(number, gap, into: positions))
      let new = elements.count..<elements.count + number
      let order = (elements + new).indices.sorted { all[$0] < all[$1] }
      elements.insert(contentsOf: new, at: index)
      expectEqual(
        order.map { $0 < positions.count ? $0 : -1 },
        (0..<index).map { $0 }
          + Array(repeating: -1, count: number) + (index..<positions.count).map { $0 })
      positions = all.sorted()
      last = Bool.random(using: &generator) ? index..<index + number : nil
    }
  }

  @Test
  func `Elements are put where there is room, and the shorter side moves where there is none`() {
    expectEqual(gap(1, at: 1, in: [0, 10, 11]), ListGap(position: 5, shift: nil))
    expectEqual(gap(9, at: 1, in: [0, 10, 11]), ListGap(position: 1, shift: nil))
    let behind = gap(2, at: 3, in: [0, 1, 2, 3])
    expectEqual(behind, ListGap(position: 3, shift: .init(positions: 3...3, distance: 2, far: 6)))
    let before = gap(2, at: 1, in: [0, 1, 2, 3])
    expectEqual(
      before, ListGap(position: -1, shift: .init(positions: 0...0, distance: -2, far: -6)))
  }

  @Test func `A program that goes on inserting leaves the gap on the other side`() {
    let positions: [Int64] = [0, 100]
    expectEqual(gap(1, at: 1, in: positions, last: 0..<1).position, 1)
    expectEqual(gap(2, at: 1, in: positions, last: 1..<3).position, 98)
    expectEqual(gap(2, at: 1, in: positions, last: 5..<6).position, 49)
  }

  @Test func `A long list gets room for the next ones`() throws {
    let positions = (0..<2_000).map { Int64($0) }
    let shift = try #require(gap(1, at: 1_990, in: positions).shift)
    expectTrue(shift.positions == 1_990...1_999 && shift.distance == 1 + 1 << 32)
  }
}

extension ClosedRange<Int64> {
  fileprivate func shifted(by distance: Int64) -> Self {
    lowerBound + distance...upperBound + distance
  }
}
