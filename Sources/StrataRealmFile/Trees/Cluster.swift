/// Up to 256 objects of a class, and the leaves of their columns.
struct Cluster {
  static let mostObjects = 256

  let count: Int
  private let keys: Integers?
  private let firstKey: Int64
  private let slots: Refs

  /// - Parameter offset: What to add to the keys of the cluster.
  init(_ node: Node, offset: Int64, in pass: Pass) throws(RealmFileError) {
    slots = try Refs(node)
    firstKey = offset
    let element = slots.elements.element(0)
    if element & 1 == 1 {
      count = try slots.count(0, upTo: Self.mostObjects)
      keys = nil
    } else {
      let keys = try pass.integers(slots.required(0))
      guard keys.count <= Self.mostObjects else {
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

  /// The key of an object, by its position in the cluster.
  func key(_ index: Int) -> Int64 { firstKey + (keys?.unsigned(index) ?? Int64(index)) }

  /// The position of an object; nil if it isn't there.
  func position(of key: Int64) -> Int? {
    (0..<count).first { self.key($0) == key }
  }

  /// The ref of a column's leaf.
  func leaf(_ index: Int) throws(RealmFileError) -> Int { try slots.required(index + 1) }
}
