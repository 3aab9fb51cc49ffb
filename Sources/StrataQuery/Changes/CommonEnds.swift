/// The common beginning and the common end of two lists.
struct CommonEnds {
  /// The number of elements that are the same at the beginning.
  let start: Int
  /// What is between the common ends.
  let old: Range<Int>
  let new: Range<Int>

  init<Element: Equatable>(_ first: [Element], _ second: [Element]) {
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
