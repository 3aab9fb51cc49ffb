/// The leaves of a cluster that are open.
final class Leaves {
  /// Without an owner, so that reading a value counts no references.
  private let leaves: UnsafeMutablePointer<Unmanaged<Leaf>?>
  private let count: Int
  /// The open leaves, and their columns.
  private var open: [(column: Int, leaf: Leaf)] = []
  /// The distinct values of enumerated columns, by their refs. They are the same for all clusters.
  private var distinct: [Int: TextLeaf] = [:]

  init(count: Int) {
    self.count = count
    leaves = .allocate(capacity: count)
    leaves.initialize(repeating: nil, count: count)
  }

  deinit { leaves.deallocate() }

  /// The leaf of a column; nil if it isn't open.
  @inline(__always)
  func opened(_ column: Int) -> Unmanaged<Leaf>? {
    column >= 0 && column < count ? leaves[column] : nil
  }

  func open(_ column: Int, _ leaf: Leaf) -> Unmanaged<Leaf> {
    precondition(column >= 0 && column < count)
    let unmanaged = Unmanaged.passUnretained(leaf)
    leaves[column] = unmanaged
    open.append((column, leaf))
    return unmanaged
  }

  /// Closes all leaves.
  func close() {
    for item in open { leaves[item.column] = nil }
    open.removeAll(keepingCapacity: true)
  }

  func distinctTexts(_ column: Column, in pass: Pass) throws(RealmFileError) -> TextLeaf? {
    guard let ref = column.distinctTexts else { return nil }
    if let texts = distinct[ref] { return texts }
    let texts = try TextLeaf.open(
      pass.visit(ref), isData: false, true, isShared: true, in: pass)
    distinct[ref] = texts
    return texts
  }
}
