/// The gap for new elements between two others of a list: a free position, and the shift that frees
/// it.
///
/// Positions only give the order. If there are too few free ones, the shorter side is shifted. In a
/// long list, the shift is larger than necessary, because the next insertions are often at the same
/// index.
struct ListGap: Equatable {
  /// The position of the first new element. The others follow.
  let position: Int64
  let shift: Shift?

  /// A shift of elements, which frees positions.
  struct Shift: Equatable {
    var positions: ClosedRange<Int64>
    var distance: Int64
    /// A distance beyond all positions, for the intermediate step; negative for a shift down.
    var far: Int64
  }

  /// The number of extra free positions when a long list is shifted.
  private static let spare: Int64 = 1 << 32
  private static let longList = 1_000
}

extension ListGap {
  /// - Parameters:
  ///   - index: The index of the first new element, neither at the beginning nor at the end.
  ///   - before: The position of the element before this index.
  ///   - after: The position of the element that is now at this index.
  ///   - extent: The list's extent, with room on both sides.
  ///   - last: The indices of the last insertion.
  init(
    of number: Int, at index: Int, between before: Int64, _ after: Int64,
    in extent: ElementTable.Extent, last: Range<Int>?
  ) {
    let number = Int64(number)
    let missing = number - (after - before - 1)
    guard missing > 0 else {
      position = Self.free(number, at: index, between: before, after, last)
      shift = nil
      return
    }
    let distance = missing + (extent.count > Self.longList ? Self.spare : 0)
    let far = extent.last - extent.first + 1 + distance
    if index > extent.count / 2 {
      position = Self.free(number, at: index, between: before, after + distance, last)
      shift = Shift(positions: after...extent.last, distance: distance, far: far)
    } else {
      position = Self.free(number, at: index, between: before - distance, after, last)
      shift = Shift(positions: extent.first...before, distance: -distance, far: -far)
    }
  }

  /// Chooses a position in a gap such that the next insertions are likely to find room.
  private static func free(
    _ number: Int64, at index: Int, between before: Int64, _ after: Int64, _ last: Range<Int>?
  ) -> Int64 {
    if index == last?.upperBound { return before + 1 }
    if index == last?.lowerBound { return after - number }
    return before + 1 + (after - before - 1 - number) / 2
  }
}
