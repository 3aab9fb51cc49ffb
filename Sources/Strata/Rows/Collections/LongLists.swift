import Synchronization

/// The positions of the elements of long lists: counting a list takes time for each element.
///
/// For the sessions of a store that show the newest snapshot. What is known of a list outlasts
/// commits that leave the list alone, or whose session knows what it did to it.
final class LongLists: Sendable {
  struct Key: Hashable, Sendable {
    var collection: Int
    var owner: Int64
  }

  /// The knowledge of a list in one snapshot.
  struct Shape: Sendable {
    var extent: ElementTable.Extent
    /// In order; nil for a list without gaps, or if they were not read.
    var positions: [Int64]?

    /// Whether reading it again would take longer than remembering it.
    var isWorthKnowing: Bool { extent.count >= 1_000 }
  }

  private struct Known: Sendable {
    var shapes: [Key: Shape] = [:]
    /// The time of the clock at which the lists have these shapes.
    var stamp: UInt64 = 0
  }

  private let known = Mutex(Known())
  /// Each list may take eight bytes an element.
  private static let most = 16

  func shape(of list: Key, at stamp: UInt64) -> Shape? {
    known.withLock { $0.stamp == stamp ? $0.shapes[list] : nil }
  }

  /// Remembers what was read.
  ///
  /// - Parameters:
  ///   - stamp: The time of the clock before it was read.
  ///   - clock: Says whether that is still the newest one.
  func note(_ shape: Shape, of list: Key, at stamp: UInt64, _ clock: StampClock) {
    known.withLock { known in
      // A commit advances the clock before it advances this: what was read could be older than the
      // stamp that this would get.
      guard clock.now == stamp, known.stamp <= stamp else { return }
      if known.stamp < stamp { known = Known(stamp: stamp) }
      if known.shapes[list] == nil, known.shapes.count >= Self.most { known.shapes = [:] }
      known.shapes[list] = shape
    }
  }

  /// Goes from one snapshot to the next with a commit.
  ///
  /// - Parameters:
  ///   - isChanged: Whether the commit may have changed a list.
  ///   - changed: The lists with known changes.
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
