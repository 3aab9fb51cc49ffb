/// A source of the elements of a cursor over a collection, leaf by leaf.
class ElementSource {
  /// The leaf of the element; nil before the first one and after the last.
  fileprivate final var leaf: Leaf? {
    didSet { openLeaf = leaf.map { Unmanaged.passUnretained($0) } }
  }
  /// The same leaf, unmanaged, so that reading an element needs no reference counting.
  private(set) final var openLeaf: Unmanaged<Leaf>?
  /// The position of the element in its leaf.
  fileprivate(set) final var index = -1
  fileprivate final var count = 0

  /// Moves to the next element.
  func next(in pass: Pass) throws(RealmFileError) -> Bool { false }

  /// Returns the bytes of the key; nil in a collection without keys.
  func key(in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? { nil }
}

/// The elements of a B+tree.
final class TreeSource: ElementSource {
  private var walker: BTreeWalker
  private let content: LeafContent

  init(root: Int, _ content: LeafContent) {
    walker = BTreeWalker(root: root)
    self.content = content
  }

  override func next(in pass: Pass) throws(RealmFileError) -> Bool {
    index += 1
    return index < count ? true : try nextLeaf(in: pass)
  }

  private func nextLeaf(in pass: Pass) throws(RealmFileError) -> Bool {
    repeat {
      leaf = nil
      let before = count
      count = 0
      index = 0
      guard let ref = try walker.next(after: before, in: pass) else { return false }
      let opened = try Leaf.open(ref, content, count: nil, in: pass)
      // An element takes at least one bit of a leaf, unless all of them are the same. So elements
      // are counted.
      try pass.spend(8 * opened.count, at: ref)
      leaf = opened
      count = opened.count
    } while count == 0
    return true
  }
}

/// The entries of a dictionary: a B+tree of keys, and one of mixed values.
final class EntrySource: ElementSource {
  private let keys: TreeSource
  private let values: TreeSource

  init(_ parts: Refs) throws(RealmFileError) {
    keys = TreeSource(root: try parts.required(0), .texts)
    values = TreeSource(root: try parts.required(1), .mixed)
  }

  override func next(in pass: Pass) throws(RealmFileError) -> Bool {
    let hasKey = try keys.next(in: pass)
    guard try values.next(in: pass) == hasKey else {
      throw .damaged("a dictionary has another number of keys than of values", at: nil)
    }
    if values.index == 0 || !hasKey { leaf = values.leaf }
    index = values.index
    return hasKey
  }

  override func key(in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    try keys.leaf?.value(keys.index, as: .string, in: pass) { $0.string }
  }
}

/// The entries of a dictionary before format 23: objects of a tree with two columns.
final class OldEntrySource: ElementSource {
  private var walker: ClusterWalker
  private var keys: Leaf?

  init(root: Int) { walker = ClusterWalker(root: root) }

  override func next(in pass: Pass) throws(RealmFileError) -> Bool {
    index += 1
    guard index >= count else { return true }
    (count, index, keys, leaf) = (0, -1, nil, nil)
    guard let cluster = try walker.next(in: pass) else { return false }
    try pass.spend(8 * cluster.count)
    keys = try Leaf.open(cluster.leaf(0), .texts, count: cluster.count, in: pass)
    leaf = try Leaf.open(cluster.leaf(1), .mixed, count: cluster.count, in: pass)
    (count, index) = (cluster.count, 0)
    return true
  }

  override func key(in pass: Pass) throws(RealmFileError) -> UnsafeRawBufferPointer? {
    try keys?.value(index, as: .string, in: pass) { $0.string }
  }
}
