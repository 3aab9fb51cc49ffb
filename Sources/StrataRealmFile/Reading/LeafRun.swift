/// The leaves of a B+tree, one after the other, and a position in the open one.
struct LeafRun {
  private var walker: BTreeWalker
  private let content: LeafContent
  private(set) var leaf: Leaf?
  private(set) var index = -1
  private var count = 0

  init(root: Int, _ content: LeafContent) {
    walker = BTreeWalker(root: root)
    self.content = content
  }

  /// Goes to the next element.
  ///
  /// - Returns: Whether there is one.
  mutating func next(in pass: Pass) throws(RealmFileError) -> Bool {
    index += 1
    while index >= count {
      leaf = nil
      let before = count
      count = 0
      index = 0
      guard let ref = try walker.next(after: before, in: pass) else { return false }
      let opened = try Leaf.open(ref, content, count: nil, in: pass)
      // An element takes at most one bit of a leaf, so what the leaf holds is counted.
      try pass.spend(8 * opened.count, at: ref)
      leaf = opened
      count = opened.count
    }
    return true
  }
}
