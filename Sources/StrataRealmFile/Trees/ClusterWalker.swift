/// A walk through the clusters of a class, in the order of their keys.
struct ClusterWalker {
  private struct Level {
    let node: InnerCluster
    var next = 0
    let offset: Int64
    /// The number of objects at which the level must end.
    let end: Int
  }

  private static let maxDepth = 8

  private var levels: [Level] = []
  private var root: Int?
  private var seen = 0
  private var lastKey: Int64 = -1

  /// Creates a walk from a root. Without a root there are no clusters.
  init(root: Int?) { self.root = root }

  /// Returns the next cluster with objects; nil at the end.
  mutating func next(in pass: Pass) throws(RealmFileError) -> Cluster? {
    while let cluster = try nextLeaf(in: pass) {
      guard cluster.count > 0 else { continue }
      seen += cluster.count
      return cluster
    }
    return nil
  }

  private mutating func nextLeaf(in pass: Pass) throws(RealmFileError) -> Cluster? {
    guard var (ref, offset) = try step() else { return nil }
    while true {
      let node = try pass.visit(ref)
      guard node.isInner else {
        let cluster = try Cluster(node, offset: offset, in: pass)
        try check(cluster, at: ref)
        return cluster
      }
      guard levels.count < Self.maxDepth else {
        throw .damaged("a class has more than \(Self.maxDepth) levels", at: ref)
      }
      let inner = try InnerCluster(node, in: pass)
      guard levels.last.map({ $0.node.depth == inner.depth + 1 }) ?? true else {
        throw .damaged("an inner node is in the wrong level", at: ref)
      }
      levels.append(Level(node: inner, offset: offset, end: seen + inner.total))
      guard let child = try step() else { throw .damaged("an inner node has no children", at: ref) }
      (ref, offset) = child
    }
  }

  /// Checks that keys ascend over the whole class, so that no two objects have the same key.
  private mutating func check(_ cluster: Cluster, at ref: Int) throws(RealmFileError) {
    guard levels.last.map({ $0.node.depth == 1 }) ?? true else {
      throw .damaged("a cluster is in the wrong level", at: ref)
    }
    guard cluster.count > 0 else { return }
    guard cluster.key(0) > lastKey else {
      throw .damaged("the keys of a class don't ascend", at: ref)
    }
    lastKey = cluster.key(cluster.count - 1)
  }

  private mutating func step() throws(RealmFileError) -> (ref: Int, offset: Int64)? {
    if let root {
      self.root = nil
      return (root, 0)
    }
    while let level = levels.last {
      if level.next < level.node.childCount {
        levels[levels.count - 1].next += 1
        let offset = try level.node.offset(level.next, adding: level.offset)
        return (try level.node.child(level.next), offset)
      }
      guard seen == level.end else {
        throw .damaged("\(seen) objects are in a place for \(level.end)", at: level.node.position)
      }
      levels.removeLast()
    }
    return nil
  }
}

extension Pass {
  /// Returns the cluster below a root that can contain an object.
  ///
  /// - Returns: Nil if no cluster can contain it.
  func cluster(of key: Int64, root: Int) throws(RealmFileError) -> Cluster? {
    var ref = root
    var offset: Int64 = 0
    while true {
      let node = try visit(ref)
      guard node.isInner else { return try Cluster(node, offset: offset, in: self) }
      let inner = try InnerCluster(node, in: self)
      var child: Int?
      var childOffset = offset
      for index in 0..<inner.childCount {
        let next = try inner.offset(index, adding: offset)
        guard next <= key else { break }
        (child, childOffset) = (index, next)
      }
      guard let child else { return nil }
      ref = try inner.child(child)
      offset = childOffset
    }
  }
}

/// An inner node of the tree of a class.
struct InnerCluster {
  /// 1 if the children are clusters.
  let depth: Int
  /// The number of objects below.
  let total: Int
  private let keys: Integers?
  private let refs: Refs

  var childCount: Int { refs.count - 3 }
  var position: Int { refs.offset }

  init(_ node: Node, in pass: Pass) throws(RealmFileError) {
    refs = try Refs(node)
    guard refs.count >= 4, refs.count <= 256 + 3 else {
      throw .damaged("an inner node has \(refs.count) elements", at: node.offset)
    }
    depth = try refs.count(1, upTo: 8)
    total = try refs.count(2, upTo: 1 << 48)
    if let ref = try refs.ref(0) {
      let keys = try pass.integers(ref)
      guard keys.count == refs.count - 3 else {
        throw .damaged("\(refs.count - 3) children have \(keys.count) keys", at: node.offset)
      }
      self.keys = keys
    } else {
      keys = nil
    }
  }

  func child(_ index: Int) throws(RealmFileError) -> Int { try refs.required(3 + index) }

  /// Returns the number to add to the keys below a child, including the number for this node's own
  /// keys.
  func offset(_ index: Int, adding offset: Int64) throws(RealmFileError) -> Int64 {
    var own: Int64
    if let keys {
      own = keys.unsigned(index)
    } else {
      // Up to 256 children of each node, down to the clusters.
      own = Int64(index)
      for _ in 0..<depth {
        let (product, overflow) = own.multipliedReportingOverflow(by: 256)
        guard !overflow else { throw tooLarge }
        own = product
      }
    }
    let (sum, overflow) = own.addingReportingOverflow(offset)
    guard own >= 0, !overflow else { throw tooLarge }
    return sum
  }

  private var tooLarge: RealmFileError { .damaged("a key is larger than 64 bits", at: position) }
}

/// Up to 256 objects of a class, and the leaves of their columns.
struct Cluster {
  static let maxObjects = 256

  let count: Int
  private let keys: Integers?
  private let firstKey: Int64
  private let slots: Refs

  /// - Parameter offset: The number to add to the keys of the cluster.
  init(_ node: Node, offset: Int64, in pass: Pass) throws(RealmFileError) {
    slots = try Refs(node)
    firstKey = offset
    let element = slots.elements.element(0)
    if element & 1 == 1 {
      count = try slots.count(0, upTo: Self.maxObjects)
      keys = nil
    } else {
      let keys = try pass.integers(slots.required(0))
      guard keys.count <= Self.maxObjects else {
        throw .damaged("a cluster has \(keys.count) objects", at: node.offset)
      }
      self.keys = keys
      count = keys.count
    }
    try checkKeys(at: node.offset)
  }

  private func checkKeys(at offset: Int) throws(RealmFileError) {
    guard count > 0 else { return }
    var last: Int64 = -1
    for index in 0..<count {
      let key = keys?.unsigned(index) ?? Int64(index)
      guard key > last else { throw .damaged("the keys of a cluster don't ascend", at: offset) }
      last = key
    }
    guard !firstKey.addingReportingOverflow(last).overflow else {
      throw .damaged("a key is larger than 64 bits", at: offset)
    }
  }

  /// Returns the key of an object, by its position in the cluster.
  func key(_ index: Int) -> Int64 { firstKey + (keys?.unsigned(index) ?? Int64(index)) }

  /// Returns the position of an object; nil if the object is missing.
  func position(of key: Int64) -> Int? {
    (0..<count).first { self.key($0) == key }
  }

  /// Returns the ref of a column's leaf.
  func leaf(_ index: Int) throws(RealmFileError) -> Int { try slots.required(index + 1) }
}

/// A walk through the leaves of a B+tree, in order.
struct BTreeWalker {
  private struct Level {
    let refs: Refs
    var next: Int
    let last: Int
    /// The number of values at which the level must end.
    let end: Int
  }

  private static let maxDepth = 8
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
      guard levels.count < Self.maxDepth else {
        throw .damaged("a collection has more than \(Self.maxDepth) levels", at: ref)
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
