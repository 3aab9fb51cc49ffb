import Synchronization

/// Where the elements of long lists are: counting a list takes time for each element.
///
/// For the sessions of a store that show the newest version. What is known of a list outlasts commits
/// that leave the list alone, or whose session knows what it did to it.
final class LongLists: Sendable {
  struct Key: Hashable, Sendable {
    var collection: Int
    var owner: Int64
  }

  /// What is known of a list in one version.
  struct Shape: Sendable {
    var extent: ElementTable.Extent
    /// In order; nil for a list without gaps, or if they were not read.
    var positions: [Int64]?

    /// Whether reading it again would take longer than remembering it.
    var isWorthKnowing: Bool { extent.count >= 1_000 }
  }

  private struct Known: Sendable {
    var shapes: [Key: Shape] = [:]
    /// The version in which the lists have these shapes.
    var version: UInt64 = 0
  }

  private let known = Mutex(Known())
  /// Each list may take eight bytes an element.
  private static let most = 16

  func shape(of list: Key, at version: UInt64) -> Shape? {
    known.withLock { $0.version == version ? $0.shapes[list] : nil }
  }

  /// Remembers what was read.
  ///
  /// - Parameters:
  ///   - version: The version before it was read.
  ///   - clock: Says whether that is still the newest one.
  func note(_ shape: Shape, of list: Key, at version: UInt64, _ clock: StampClock) {
    known.withLock { known in
      // A commit advances the clock before it advances this: what was read could be older than the
      // version that this would get.
      guard clock.now == version, known.version <= version else { return }
      if known.version < version { known = Known(version: version) }
      if known.shapes[list] == nil, known.shapes.count >= Self.most { known.shapes = [:] }
      known.shapes[list] = shape
    }
  }

  /// Goes from one version to the next with a commit.
  ///
  /// - Parameters:
  ///   - isChanged: Whether the commit may have changed a list.
  ///   - changed: The lists with known changes.
  func advance(
    from old: UInt64, to new: UInt64, isChanged: (Key) -> Bool, changed: [Key: Shape]
  ) {
    known.withLock { known in
      guard known.version < new else { return }
      var shapes = known.version == old ? known.shapes.filter { !isChanged($0.key) } : [:]
      for (list, shape) in changed where shapes.count < Self.most { shapes[list] = shape }
      known = Known(shapes: shapes, version: new)
    }
  }
}
