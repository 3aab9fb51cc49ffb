/// The entries of a dictionary from before format 23: objects of a tree with two columns.
struct OldEntries {
  private var walker: ClusterWalker
  private var count = 0
  private(set) var index = -1
  private(set) var keys: Leaf?
  private(set) var values: Leaf?

  init(root: Int) { walker = ClusterWalker(root: root) }

  /// Goes to the next entry.
  ///
  /// - Returns: Whether there is one.
  mutating func next(in pass: Pass) throws(RealmFileError) -> Bool {
    index += 1
    guard index >= count else { return true }
    (count, index, keys, values) = (0, -1, nil, nil)
    guard let cluster = try walker.next(in: pass) else { return false }
    try pass.spend(8 * cluster.count)
    keys = try Leaf.open(cluster.leaf(0), .texts, count: cluster.count, in: pass)
    values = try Leaf.open(cluster.leaf(1), .mixed, count: cluster.count, in: pass)
    (count, index) = (cluster.count, 0)
    return true
  }
}
