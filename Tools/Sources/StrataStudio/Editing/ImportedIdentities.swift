/// The identities that objects of a class have, by those that they had in the file that they come
/// from. Those that are the same, one behind the other, need no room.
struct ImportedIdentities {
  /// In order.
  private var kept: [ClosedRange<Int64>] = []
  private var others: [Int64: Int64] = [:]

  mutating func note(_ old: Int64, is new: Int64) {
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

  /// The identity now; nil for an object that didn't come.
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
