import Synchronization

/// A cache of the positions of elements in long lists: counting a list takes time for each element.
///
/// Used by the sessions of a store that show the newest snapshot. An entry survives commits that
/// leave the list unchanged, and commits of a session that knows the new shape.
final class LongLists: Sendable {
  struct Key: Hashable, Sendable {
    var collection: Int
    var owner: Int64
  }

  /// The shape of a list in one snapshot.
  struct Shape: Sendable {
    var extent: ElementTable.Extent
    /// The positions in order; nil for a list without gaps, or if they were not read.
    var positions: [Int64]?

    /// Whether reading the shape again would take longer than caching it.
    var isWorthKnowing: Bool { extent.count >= 1_000 }
  }

  private struct Known: Sendable {
    var shapes: [Key: Shape] = [:]
    /// The time of the clock at which the lists have these shapes.
    var stamp: UInt64 = 0
  }

  private let known = Mutex(Known())
  /// The limit of cached lists. Each may take eight bytes per element.
  private static let maxCount = 16

  func shape(of list: Key, at stamp: UInt64) -> Shape? {
    known.withLock { $0.stamp == stamp ? $0.shapes[list] : nil }
  }

  /// Caches a shape that was read.
  ///
  /// - Parameters:
  ///   - stamp: The time of the clock before the read.
  ///   - clock: The store's clock, to check whether the stamp is still the newest time.
  func record(_ shape: Shape, of list: Key, at stamp: UInt64, _ clock: StampClock) {
    known.withLock { known in
      // A commit advances the store's clock before it advances this cache. Otherwise an older shape
      // could get a newer stamp.
      guard clock.now == stamp, known.stamp <= stamp else { return }
      if known.stamp < stamp { known = Known(stamp: stamp) }
      if known.shapes[list] == nil, known.shapes.count >= Self.maxCount { known.shapes = [:] }
      known.shapes[list] = shape
    }
  }

  /// Advances the cache by a commit, from one snapshot to the next.
  ///
  /// - Parameters:
  ///   - isChanged: Returns whether the commit may have changed a list.
  ///   - changed: The changed lists whose new shapes are known.
  func advance(
    from old: UInt64, to new: UInt64, isChanged: (Key) -> Bool, changed: [Key: Shape]
  ) {
    known.withLock { known in
      guard known.stamp < new else { return }
      var shapes = known.stamp == old ? known.shapes.filter { !isChanged($0.key) } : [:]
      for (list, shape) in changed where shapes.count < Self.maxCount { shapes[list] = shape }
      known = Known(shapes: shapes, stamp: new)
    }
  }
}

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
