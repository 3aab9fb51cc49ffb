/// The gap for new elements between two others of a list: a free position, and what has to be moved
/// before it is free.
///
/// Only the order of positions has a meaning. Where there is no room, the shorter side is moved,
/// and in a long list by more than is needed: the next insertions are often at the same place.
struct ListGap: Equatable {
  /// The position of the first new element; the others follow it.
  let position: Int64
  let shift: Shift?

  /// The elements that make room.
  struct Shift: Equatable {
    var positions: ClosedRange<Int64>
    var distance: Int64
    /// A distance beyond all positions, before and after.
    var far: Int64
  }

  /// How many positions are left free where an insertion into a long list found none.
  private static let spare: Int64 = 1 << 32
  private static let longList = 1_000
}

extension ListGap {
  /// - Parameters:
  ///   - index: Where the first new element will be, neither at the beginning nor at the end.
  ///   - before: The position of the element before it.
  ///   - after: The position of the element that is there now.
  ///   - extent: One with room around.
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

  /// Where in a gap to put elements: so that the next ones are likely to find room.
  private static func free(
    _ number: Int64, at index: Int, between before: Int64, _ after: Int64, _ last: Range<Int>?
  ) -> Int64 {
    if index == last?.upperBound { return before + 1 }
    if index == last?.lowerBound { return after - number }
    return before + 1 + (after - before - 1 - number) / 2
  }
}
