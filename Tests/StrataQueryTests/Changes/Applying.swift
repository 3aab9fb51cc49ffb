import StrataQuery
import Testing

extension ChangeSet {
  /// Applies the changes to the old list, as a user of an observation does.
  ///
  /// - Parameter new: The list with the inserted elements.
  func applied<Element>(to old: [Element], from new: [Element]) -> [Element] {
    var list = old
    for position in deletions.reversed() { list.remove(at: position) }
    for position in insertions { list.insert(new[position], at: position) }
    return list
  }

  /// The smallest number of elements that must leave a list to make another one of it: all but
  /// their longest common subsequence, whose length is found for each pair of beginnings.
  static func fewestDeletions<Element: Equatable>(_ old: [Element], _ new: [Element]) -> Int {
    var lengths = [[Int]](
      repeating: [Int](repeating: 0, count: new.count + 1), count: old.count + 1)
    for first in old.indices {
      for second in new.indices {
        lengths[first + 1][second + 1] =
          old[first] == new[second]
          ? lengths[first][second] + 1
          : max(lengths[first][second + 1], lengths[first + 1][second])
      }
    }
    return old.count - lengths[old.count][new.count]
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
