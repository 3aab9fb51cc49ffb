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
  private static let most = 16

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
      if known.shapes[list] == nil, known.shapes.count >= Self.most { known.shapes = [:] }
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
      for (list, shape) in changed where shapes.count < Self.most { shapes[list] = shape }
      known = Known(shapes: shapes, stamp: new)
    }
  }
}
