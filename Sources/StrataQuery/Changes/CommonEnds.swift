/// The common beginning and the common end of two lists.
package struct CommonEnds {
  /// The number of elements that are the same at the beginning.
  package let start: Int
  /// What is between the common ends.
  package let old: Range<Int>
  package let new: Range<Int>

  package init<Element: Equatable>(_ first: [Element], _ second: [Element]) {
    let shorter = min(first.count, second.count)
    var start = 0
    while start < shorter, first[start] == second[start] { start += 1 }
    var end = 0
    while end < shorter - start, first[first.count - 1 - end] == second[second.count - 1 - end] {
      end += 1
    }
    self.start = start
    old = start..<(first.count - end)
    new = start..<(second.count - end)
  }
}
