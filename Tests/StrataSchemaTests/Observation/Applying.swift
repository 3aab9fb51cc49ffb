import StrataSchema
import Testing

extension ChangeSet {
  /// The old list with the changes made to it, as a user of an observation would do it.
  ///
  /// - Parameter new: Where the inserted elements are taken from.
  func applied<Element>(to old: [Element], from new: [Element]) -> [Element] {
    var list = old
    for position in deletions.reversed() { list.remove(at: position) }
    for position in insertions { list.insert(new[position], at: position) }
    return list
  }

  /// The smallest number of elements that must leave a list to make another one of it: each subset
  /// that could stay is tried.
  static func fewestDeletions<Element: Equatable>(_ old: [Element], _ new: [Element]) -> Int {
    var most = 0
    for mask in 0..<(1 << old.count) {
      let kept = old.indices.filter { mask & (1 << $0) != 0 }.map { old[$0] }
      guard kept.count > most else { continue }
      var rest = kept[...]
      for element in new where rest.first == element { rest.removeFirst() }
      if rest.isEmpty { most = kept.count }
    }
    return old.count - most
  }

  /// Whether positions ascend, are in range, and none has two roles.
  func isWellFormed(old: Int, new: Int) -> Bool {
    func ascend(_ positions: [Int], _ count: Int) -> Bool {
      zip(positions, positions.dropFirst()).allSatisfy(<)
        && positions.allSatisfy { (0..<count).contains($0) }
    }
    return ascend(deletions, old) && ascend(insertions, new) && ascend(modifications, old)
      && Set(deletions).isDisjoint(with: modifications)
  }
}
