/// A map from the original identities of the objects of a class to their new ones. Ranges of
/// consecutive unchanged identities take constant space.
struct ImportedIdentities {
  /// The ranges of unchanged identities, in ascending order.
  private var kept: [ClosedRange<Int64>] = []
  private var others: [Int64: Int64] = [:]

  mutating func record(_ old: Int64, is new: Int64) {
    guard old == new, kept.last.map({ $0.upperBound < old }) ?? true else {
      others[old] = new
      return
    }
    if let last = kept.last, last.upperBound == old - 1 {
      kept[kept.count - 1] = last.lowerBound...old
    } else {
      kept.append(old...old)
    }
  }

  /// The new identity; nil if no such object was imported.
  subscript(old: Int64) -> Int64? {
    var (start, end) = (0, kept.count)
    while start < end {
      let middle = (start + end) / 2
      if kept[middle].upperBound < old { start = middle + 1 } else { end = middle }
    }
    if start < kept.count, kept[start].contains(old) { return old }
    return others[old]
  }
}
