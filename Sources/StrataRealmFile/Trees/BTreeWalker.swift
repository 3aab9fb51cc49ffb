/// A walk through the leaves of a B+tree, in order.
struct BTreeWalker {
  private struct Level {
    let refs: Refs
    var next: Int
    let last: Int
    /// The number of values at which the level must end.
    let end: Int
  }

  private static let deepest = 8
  private static let maxChildren = 1000

  private var levels: [Level] = []
  private var root: Int?
  /// The number of values in the leaves so far.
  private var seen = 0

  init(root: Int) { self.root = root }

  /// Returns the ref of the next leaf, which is not opened yet; nil at the end.
  ///
  /// - Parameter count: The number of values in the previous leaf.
  mutating func next(after count: Int, in pass: Pass) throws(RealmFileError) -> Int? {
    seen += count
    guard var ref = try step() else { return nil }
    while true {
      let node = try pass.peek(ref)
      guard node.isInner else { return ref }
      try pass.mark(node)
      guard levels.count < Self.deepest else {
        throw .damaged("a collection has more than \(Self.deepest) levels", at: ref)
      }
      levels.append(try level(node))
      guard let child = try step() else {
        throw .damaged("an inner node has no children", at: ref)
      }
      ref = child
    }
  }

  /// Returns the next child. First removes levels without further children.
  private mutating func step() throws(RealmFileError) -> Int? {
    if let root {
      self.root = nil
      return root
    }
    while let level = levels.last {
      if level.next <= level.last {
        levels[levels.count - 1].next += 1
        return try level.refs.required(level.next)
      }
      guard seen == level.end else {
        throw .damaged("\(seen) values are in a place for \(level.end)", at: level.refs.offset)
      }
      levels.removeLast()
    }
    return nil
  }

  /// Opens a level. The first element gives the beginning of the children, the last one the number
  /// of values.
  private func level(_ node: Node) throws(RealmFileError) -> Level {
    let refs = try Refs(node)
    guard refs.count >= 3, refs.count <= Self.maxChildren + 2 else {
      throw .damaged("an inner node has \(refs.count) elements", at: node.offset)
    }
    let total = try refs.count(refs.count - 1, upTo: 1 << 48)
    return Level(refs: refs, next: 1, last: refs.count - 2, end: seen + total)
  }
}
