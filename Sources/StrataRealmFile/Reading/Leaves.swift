/// The leaves of a cluster that are open.
final class Leaves {
  private let leaves: UnsafeMutablePointer<Leaf>
  /// The number of the cluster for which a leaf was opened.
  private let clusters: UnsafeMutablePointer<Int>
  private let count: Int
  private var cluster = 1
  /// The distinct values of enumerated columns, by their refs. They are the same for all clusters.
  private var distinct: [Int: TextLeaf] = [:]

  init(count: Int) {
    self.count = count
    leaves = .allocate(capacity: max(count, 1))
    clusters = .allocate(capacity: max(count, 1))
    clusters.initialize(repeating: 0, count: max(count, 1))
  }

  deinit {
    // Leaves own nothing.
    leaves.deallocate()
    clusters.deallocate()
  }

  /// The leaf of a column; nil if it isn't open.
  @inline(__always)
  func opened(_ column: Int) -> UnsafeMutablePointer<Leaf>? {
    guard column >= 0, column < count, clusters[column] == cluster else { return nil }
    return leaves + column
  }

  func open(_ column: Int, _ leaf: Leaf) -> UnsafeMutablePointer<Leaf> {
    precondition(column >= 0 && column < count)
    (leaves + column).initialize(to: leaf)
    clusters[column] = cluster
    return leaves + column
  }

  /// Closes all leaves.
  func close() { cluster += 1 }

  func distinctTexts(_ column: Column, in pass: Pass) throws(RealmFileError) -> TextLeaf? {
    guard let ref = column.distinctTexts else { return nil }
    if let texts = distinct[ref] { return texts }
    let texts = try TextLeaf(pass.visit(ref), isData: false, isShared: true, in: pass)
    distinct[ref] = texts
    return texts
  }
}
